#include <fmt/format.h>

#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

template <typename Where>
void check_node(const Where& where, const Node& node, bool in_module, const Reporter& report) {
  for (const Node& target : assigned_to(node)) {
    if (target.kind != Node::Kind::global || target.text == "_ENV") continue;
    report(place(where, target), "'{}' is global, and to assign it is an error", target.text)
        .help(in_module ? fmt::format("write `local {}`", target.text)
                        : fmt::format(
                              "for a while: local {}; to keep it: ctx.{}, declared under `context`",
                              target.text, target.text));
  }
}

}  // namespace

extern const LintRule assigned_global = {
    {"W506", "assigned-global", "an assignment to a global name",
     R"(A piece of Lua leaves nothing behind but what it assigns in `ctx`, so that a run can be resumed and
replayed. Without `local`, a new name is global, and to assign it raises `error.lua`.)"},
    [](const LintContext& context, const Reporter& report) {
      context.each_node(
          [&](const Piece& piece, const Node& node) { check_node(piece, node, false, report); });
      for (const Module& module : context.modules()) {
        if (!module.tree) continue;
        lua::walk(*module.tree, [&](const Node& node) { check_node(module, node, true, report); });
      }
    }};

}  // namespace agneto::lint
