// What the configuration and the environment say is secret.
#pragma once

#include <map>
#include <string>

#include "base/files.h"
#include "base/redact.h"
#include "run/config.h"

namespace agneto::run {

// What each secret is called, by the secret: the values of variables named like one (API_KEY, …) in
// `environment`, which agents inherit; in the configuration whatever is named so, on a command line
// too (--token VALUE, TOKEN=VALUE), and what looks random among the variables that providers get.
// Values that only name a file, an address or another variable are none.
std::map<std::string, std::string> known_secrets(
    const Config& config, const std::map<std::string, std::string>& environment);

// For everything that is shown of runs in this folder. A configuration with mistakes counts as far
// as it can be read.
Redactor redactor_for(const fs::path& folder);
// The same, where its configuration was read.
Redactor redactor_of(const Config& config);

}  // namespace agneto::run
