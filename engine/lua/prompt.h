// A prompt that is written as text with `{{…}}` in it, as the Lua module that makes it.
//
// In the braces is an expression over what hooks see, by the names of its parts (`ctx.plan`, not
// `m.ctx.plan`), or `if …`, `elseif …`, `else`, `for … in …` or `end`. One of these that stands
// alone on a line leaves no line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agneto::lua {

// Markdown is a prompt, anything else a module in Lua.
bool is_prompt(const std::filesystem::path& file);

struct PromptModule {
  std::string lua;  // each line of the prompt is a line of it, so that their numbers are the same
  // Where pieces of code begin, in the Lua and in the prompt.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  std::string problem;  // why there is no Lua; empty: there is
  int line = 0;         // of the problem, from 1

  // Where that stands in the prompt.
  std::uint32_t in_prompt(std::uint32_t in_lua) const;
};

PromptModule module_of_prompt(std::string_view text);

}  // namespace agneto::lua
