// The functions of a hook module, by a look at its text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agneto::lsp {

struct HookFunction {
  std::string task;  // empty: of the only job
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Where the jobs of a module are written: `prompt` of the table that it returns, and each of its
// `tasks`. None where the text is no Lua at the moment.
std::vector<HookFunction> hook_functions(std::string_view text);

}  // namespace agneto::lsp
