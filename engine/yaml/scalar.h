// What an unquoted scalar means: YAML 1.2's core schema, and where other readers of YAML disagree.
#pragma once

#include "base/diagnostic.h"
#include "base/json.h"
#include "yaml/tree.h"

namespace agneto::yaml {

// A plain scalar that YAML 1.1 and 1.2 read differently (`yes`, `off`, `1e3`, `0o17`, `010`,
// `1_000`, `12:30`, `2026-01-31`). Where it stands for a value it must be quoted; as a key, a name
// or code it is just its text, so that it is for the caller to report.
bool ambiguous(const Node& node);
Diagnostic& report_ambiguous(const Node& node, Diagnostics& diagnostics);

// A scalar whose value is text: quoted, or nothing that the core schema reads as something else.
bool is_text(const Node& node);

// A text of one line as a quoted scalar, in the quotes that it does not hold itself where it can
// be.
std::string quoted(std::string_view text);

// The value of a whole tree. Reports ambiguous scalars and numbers that JSON cannot hold.
Json to_json(const Node& node, Diagnostics& diagnostics);

}  // namespace agneto::yaml
