// Labels say what a run needs, and what a process that takes up runs has. A process takes the runs
// of which it has all that they need.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "record/options.h"
#include "run/assembly.h"
#include "run/config.h"

namespace agneto::run {

// May somebody choose it? Lower-case letters, digits, dots, hyphens and underscores.
bool is_label(std::string_view text);

// A process has this one where it keeps agents in a sandbox.
inline constexpr std::string_view label_of_sandbox = "sandbox";

// That of a folder, whose own runs only it can work on: "HOST:PATH".
std::string label_of_folder(const fs::path& root);
// Is it one of a folder?
bool is_of_folder(const std::string& label);

// The providers that it calls, those that somebody has chosen, and, where several machines share
// its journal and it does not travel through a hub, the folder at `root`.
std::vector<std::string> needs_of(const record::RunOptions& options, const fs::path& root,
                                  const std::vector<std::string>& chosen);

// Those that the configuration of that folder brings.
std::vector<std::string> labels_of(const Config& config, const fs::path& folder,
                                   const Resources& resources);

// The providers that can be called in that folder, and their programs, which are there; empty: it
// has none of its own. Starts none of these.
std::map<std::string, fs::path> callable_providers(const fs::path& folder,
                                                   const Resources& resources);

}  // namespace agneto::run
