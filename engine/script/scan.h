// What the tokens of a piece of Lua say about it, before it is compiled.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agneto::script {

struct Scan {
  // The text with every comment made blank, so that more code can follow on its last line. As many
  // lines as before; `in_string[k]`: the end of line k is part of a string.
  std::string code;
  std::vector<bool> in_string;

  std::vector<std::string_view> comments;  // from their `--` on

  // Does every bracket and block that it opens end in it, and nothing else?
  bool balanced = true;
  bool blank = true;  // nothing but comments

  // What it can reach: names X where `ctx.X` or `ctx["X"]` stands in it; all where `ctx` stands
  // alone.
  std::vector<std::string> context_names;
  bool whole_context = false;
  bool event = false;
  bool run = false;
  // Could it, as an expression, change a table? (It makes functions, or knows functions that do.)
  bool may_change = false;
};

// The comments are views into the text.
Scan scan(std::string_view text);

}  // namespace agneto::script
