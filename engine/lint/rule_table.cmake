# Writes OUTPUT, the table of rules that lint/catalogue.h promises: each `extern const LintRule NAME` in
# a file of RULES, and each `inline constexpr Rule NAME` in one of HEADERS, all relative to ENGINE.
# engine/CMakeLists.txt runs it whenever one of these files changes.

set(declarations "")
set(lint_rules "")
foreach(file IN LISTS RULES)
  file(READ ${ENGINE}/${file} text)
  string(REGEX MATCHALL "\nextern const LintRule [a-z_]+" found "${text}")
  if(NOT found)
    message(FATAL_ERROR "${file} defines no rule: extern const LintRule NAME = {...}")
  endif()
  foreach(name IN LISTS found)
    string(REGEX REPLACE ".* " "" name "${name}")
    string(APPEND declarations "extern const LintRule ${name};\n")
    string(APPEND lint_rules "      &${name},\n")
  endforeach()
endforeach()

set(includes "")
set(rules "")
foreach(file IN LISTS HEADERS)
  file(READ ${ENGINE}/${file} text)
  string(APPEND includes "#include \"${file}\"\n")
  string(REGEX MATCHALL "\ninline constexpr Rule [a-z_]+" found "${text}")
  foreach(name IN LISTS found)
    string(REGEX REPLACE ".* " "" name "${name}")
    string(APPEND rules "      &rules::${name},\n")
  endforeach()
endforeach()

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "lint/catalogue.h"
@includes@
namespace agneto::lint {

@declarations@
std::vector<const LintRule*> listed_lint_rules() {
  return {
@lint_rules@  };
}

std::vector<const Rule*> listed_rules() {
  return {
@rules@  };
}

}  // namespace agneto::lint
]])
