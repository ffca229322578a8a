#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

bool names(std::string_view code, std::string_view name) {
  for (std::size_t at = code.find(name); at != code.npos; at = code.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_word(code[at - 1]);
    if (begins && (end == code.size() || !is_word(code[end]))) return true;
  }
  return false;
}

// Other than in the function itself. The trees have functions' values in the place of calls. Hooks
// cannot call it, which is said where they try.
bool is_called(const LintContext& context, const Machine& machine, const model::Binding& function) {
  const auto tries = [&](const Module& module) {
    return module.tree && std::ranges::count(module.machines, machine.id) > 0 &&
           any_node(*module.tree,
                    [&](const Node& node) { return node.is(Node::Kind::global, function.name); });
  };
  if (std::ranges::any_of(context.modules(), tries)) return true;
  for (CodeId id = 0; id < machine.code.size(); ++id) {
    if (id != function.value && names(machine.code[id].text, function.name)) return true;
  }
  return false;
}

bool is_used(const Machine& machine, std::size_t set) {
  return std::ranges::any_of(machine.states, [&](const State& state) {
    const auto* call = std::get_if<model::AgentCall>(&state.activity);
    return call && call->verdict_set == set;
  });
}

}  // namespace

extern const LintRule unused_definition = {
    {"W460", "unused-definition", "a function or a set of verdicts that nothing uses",
     R"(What is defined once under `functions` or `verdicts` is there to be used at several places. Perhaps
the state that did so is gone, or names another by mistake. Remove it, or use it.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const model::Binding& function : machine.functions) {
        if (is_called(context, machine, function)) continue;
        report(function.span, "nothing calls the function '{}'", function.name).help("remove it");
      }
      for (std::size_t set = 0; set < machine.verdict_sets.size(); ++set) {
        if (is_used(machine, set)) continue;
        report(machine.verdict_sets[set].span, "no call has the verdicts '{}'",
               machine.verdict_sets[set].name)
            .help("remove them");
      }
    }};

}  // namespace agneto::lint
