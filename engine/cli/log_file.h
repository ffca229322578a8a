// The operator's log as a file, .agneto/log/agneto.log: what base/log.h is told, a line each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/log.h"
#include "base/redact.h"

namespace agneto::cli {

struct LogSettings {
  std::optional<log::Level> level = log::Level::info;  // the lowest that is kept; nothing: none
  bool json = false;                                   // an object a line, instead of text
  bool asked_for = false;  // by a person, who is told then where no log can be kept

  bool operator==(const LogSettings&) const = default;
};

// `option`: the value of --log-level, which goes before the variable; may be empty.
// `variable`: the value of AGNETO_LOG: a level, "text" or "json", or both, as "debug,json".
// Throws Error where they say something else.
LogSettings log_settings(const std::string& option, std::string_view variable);

struct LogOptions {
  fs::path file;  // its folder is made if the folder above it exists; otherwise nothing is kept
  LogSettings settings = {};
  // Redacts what is written; called once, before the first line.
  std::function<Redactor()> secrets = [] { return Redactor(); };
  log::Fields process = {};      // fields of the process's first line, such as the command
  std::int64_t limit = 4 << 20;  // bytes
  int kept = 4;
};

// Makes no file before there is a line to write. Several processes may write to the same file. A
// file that has grown to `limit` becomes agneto.1.log, that one agneto.2.log, and so on; the oldest
// of `kept` ones goes.
std::shared_ptr<log::Sink> log_file(LogOptions options);

}  // namespace agneto::cli
