// What `agneto lint` finds: in workflows, in descriptions of packages, and in the team's
// configuration.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"
#include "lint/report/report.h"

namespace agneto::cli {

// The team's, which is looked at in any case; as it is seen from here.
fs::path configuration_of(const Context& context);
// Where the team's own rules are.
fs::path rules_folder_of(const Context& context);

struct LintOptions {
  bool explore = true;
  bool assess = false;  // says what was explored, too
};

// `arguments`: files, folders and patterns. Throws Error where one of them leads to nothing.
lint::Report lint_report(const std::vector<std::string>& arguments, const LintOptions& options,
                         const Context& context, const Files& files);

}  // namespace agneto::cli
