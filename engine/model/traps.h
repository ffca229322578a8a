// Where YAML does something to a piece of Lua, of shell, or of a prompt, that its author did not
// mean.
#pragma once

#include <string_view>

#include "base/diagnostic.h"
#include "yaml/tree.h"

namespace agneto::model {

// The scalar `node` is Lua under `key`. Reports lines lost behind a `--`.
void check_lua(const yaml::Node& node, std::string_view key, Diagnostics& diagnostics);

// The scalar `node` is shell text. Reports a command that became an argument of the one before it.
void check_shell(const yaml::Node& node, Diagnostics& diagnostics);

// The scalar `node` is a prompt in Markdown. Reports a line that begins a list, a heading or the
// like, and became the rest of the line before it.
void check_prompt(const yaml::Node& node, Diagnostics& diagnostics);

// Is the entry at `index` of `map` the rest of a text that a comma cut in two, as in
// `{OK: Yes, merge it}`? The syntax has reported it, and the entry before it has half its text.
bool is_torn_off(const yaml::Node& map, std::size_t index);

// Did the syntax report why this entry has no value (an alias, a comment in its place)?
bool is_reported(const yaml::Entry& entry);

// Was the plain scalar cut by a comment that was meant to be Lua? The syntax has reported it.
bool is_cut_short(const yaml::Node& node);

// A text that begins with `{{`, which without quotes is a map. The syntax has reported it.
bool is_unquoted_template(const yaml::Node& node);

}  // namespace agneto::model
