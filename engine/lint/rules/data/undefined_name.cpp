#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

std::vector<std::string> names_in(const Machine& machine, std::string_view table) {
  if (table == "run") return {"id", "interactive", "auto_merge"};
  std::vector<std::string> names;
  for (const model::Variable& variable : table == "ctx" ? machine.context : machine.inputs) {
    names.push_back(variable.name);
  }
  return names;
}

}  // namespace

extern const LintRule undefined_name = {
    {"W307", "undefined-name", "a name of `ctx`, `inputs` or `run` that does not exist",
     R"(The context and the inputs are declared in the machine that uses them: to read or to write another name
raises `error.lua`. What another machine knows is passed by `with`, and comes back in its outputs.
`run` has `id`, `interactive` and `auto_merge`; anything else of it is nil.)"},
    [](const Piece& piece, const Node& node, const Reporter& report) {
      for (const std::string_view table : {"ctx", "inputs", "run"}) {
        const std::string* name = lua::field_of(node, table);
        if (!name) continue;
        const std::vector<std::string> known = names_in(*piece.machine, table);
        if (std::ranges::find(known, *name) != known.end()) continue;
        const std::string near = closest(*name, known);
        const std::string help =
            !near.empty()       ? fmt::format("did you mean {}.{}?", table, near)
            : table == "ctx"    ? fmt::format("declare it under `context`: {}: DEFAULT", *name)
            : table == "inputs" ? fmt::format("declare it under `inputs`: {}: TYPE", *name)
                                : "there are run." + join(known, ", run.");
        offer(report(place(piece, node), "there is no {}.{}", table, *name).help(help), *name,
              known);
      }
    }};

}  // namespace agneto::lint
