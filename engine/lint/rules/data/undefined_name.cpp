#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/check.h"

namespace agneto::lint {

namespace {

std::vector<std::string> names_of(const std::vector<model::Variable>& variables) {
  std::vector<std::string> names;
  for (const model::Variable& variable : variables) names.push_back(variable.name);
  return names;
}

void check_name(const Piece& piece, const lua::Node& node, std::string_view table,
                const std::vector<std::string>& known, Diagnostics& diagnostics) {
  const std::string* name = lua::field_of(node, table);
  if (!name || std::find(known.begin(), known.end(), *name) != known.end()) return;
  Diagnostic& finding = diagnostics.warning(undefined_name.name, place(piece, node),
                                            fmt::format("there is no {}.{}", table, *name));
  const std::string near = closest(*name, known);
  finding.help = !near.empty()       ? fmt::format("did you mean {}.{}?", table, near)
                 : table == "ctx"    ? fmt::format("declare it under `context`: {}: DEFAULT", *name)
                 : table == "inputs" ? fmt::format("declare it under `inputs`: {}: TYPE", *name)
                                     : "there are run." + join(known, ", run.");
  offer(finding, *name, known);
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    const auto context = names_of(machine.context);
    const auto inputs = names_of(machine.inputs);
    const std::vector<std::string> run = {"id", "interactive", "auto_merge"};
    for (const Piece& piece : subject.pieces(machine)) {
      if (!piece.tree) continue;
      lua::walk(*piece.tree, [&](const lua::Node& node) {
        check_name(piece, node, "ctx", context, diagnostics);
        check_name(piece, node, "inputs", inputs, diagnostics);
        check_name(piece, node, "run", run, diagnostics);
      });
    }
  }
}

}  // namespace

const Check undefined_name = {"undefined-name", check};

}  // namespace agneto::lint
