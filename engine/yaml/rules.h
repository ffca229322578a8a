// What can be wrong in any YAML file.
// lint/catalogue.h lists the rules of all folders.
#pragma once

#include "base/rule.h"

namespace agneto::rules {

inline constexpr Rule yaml = {
    "E101", "yaml", "text that is not YAML",
    R"(Nothing can be said about a file that is not YAML, so this is the only finding in it besides those
before that place. The message says what was expected there. Indentation (spaces only), quotes that
are not closed, and texts that hold `: `, ` #`, brackets or quotes are the usual causes: quote them,
or write them behind `|` on lines of their own.)"};
inline constexpr Rule yaml_encoding = {
    "E102", "yaml-encoding", "a byte or a control character that cannot stand in YAML",
    R"(A workflow is UTF-8 text with lines that end in LF or CRLF. Save the file as UTF-8; a control
character that is meant can be written as an escape in double quotes, such as `"\x1b"`.)"};
inline constexpr Rule yaml_empty = {
    "E103", "yaml-empty", "a file with nothing in it",
    R"(A file without a document is no machine. Perhaps it was created and not written yet, or everything
in it is a comment.)"};
inline constexpr Rule yaml_documents = {
    "E104", "yaml-documents", "a second document in one file",
    R"(One file is one machine, and everything behind `---` would be ignored. Move the second document to
a file of its own, and name that by `machine: FILE` where the first delegates to it.)"};
inline constexpr Rule yaml_depth = {
    "E105", "yaml-depth", "nesting deeper than 256 levels",
    R"(So deep a nesting is nearly always a mistake of indentation. Where it is meant, move the inner part
to a machine of its own and delegate to it.)"};
inline constexpr Rule yaml_tab = {
    "E106", "yaml-tab", "a tab that indents a line",
    R"(YAML is indented with spaces alone. Most editors can be told to write spaces for the tab key in
`.yaml` files.)",
    true};
inline constexpr Rule yaml_tag = {
    "E107", "yaml-tag", "a YAML tag, such as `!!str`",
    R"(The language says itself what type a value has, so that a tag could only contradict it. Leave it
out; a text that begins with `!` must be quoted.)"};
inline constexpr Rule yaml_alias = {
    "E108", "yaml-alias", "an anchor (`&`), an alias (`*`) or a merge key (`<<`)",
    R"(What is shared by an alias looks like a copy and is none, and nobody finds the places that change
with it. Write the value out, or move what is shared to a machine of its own. The word for every
event is `any`; a text that begins with `&` or `*` must be quoted.)"};
inline constexpr Rule yaml_key = {
    "E109", "yaml-key", "a key that is a map, a list, or missing",
    R"(Keys are words. A `{{` without quotes is where this is met most: for YAML it begins a map inside
of a map, so quote texts that begin with an expression.)"};
inline constexpr Rule duplicate_key = {
    "E110", "duplicate-key", "a key that stands in the same map twice",
    R"(Only one of the two could count, and which one depends on the reader of the file. Remove one, or
rename it; two transitions on one event are a list under one key.)"};
inline constexpr Rule flow_key_without_value = {
    "E111", "flow-key-without-value", "a key without a value inside `{ }`",
    R"(Inside `{ }` a comma ends a value, so that a text with a comma is torn in two and its second half
becomes a key. Quote the whole text, or write the map over several lines.)"};
inline constexpr Rule comment_cuts_value = {
    "E112", "comment-cuts-value", "a comment that swallows a part of a value",
    R"(In YAML ` #` begins a comment, also in the middle of Lua: of `ctx.n < #ctx.items` only `ctx.n <` is
left; of `closes #4711`, `closes`. Quote the value, or write it behind `|`. A real comment needs a space
behind its `#`.)"};
inline constexpr Rule ambiguous_scalar = {
    "E113", "ambiguous-scalar", "a plain value that readers of YAML take for different things",
    R"(`yes`, `on`, `1e3`, `010`, `12:30` and dates are text to one reader of YAML and a boolean, a number
or a date to another. Quote them where text is meant, else write `true`, `false` or a decimal
number.)"};
inline constexpr Rule number_too_large = {
    "E114", "number-too-large", "a number that cannot be stored",
    R"(Integers have 64 bits, other numbers are double-precision, and neither knows infinity. Quote what
is no quantity, such as an identifier.)"};
inline constexpr Rule unknown_key = {
    "E121", "unknown-key", "a key that does not exist there",
    R"(A key that is not known would be ignored in silence, and with it what it was meant to do. The
message shows the nearest one that exists, or all of them; the words of other languages (`cond`,
`to`, `onentry`) are known and translated.)"};
inline constexpr Rule wrong_type = {
    "E302", "wrong-type", "a literal that does not fit the type that is declared",
    R"(A default must be a value of its own type, and a minimum or a maximum belongs to a number that
keeps it. Found here, it costs nothing; found in a run, it would end one.)"};

}  // namespace agneto::rules
