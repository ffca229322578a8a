#include <algorithm>

#include "lint/expressions.h"
#include "lint/merges.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// m.workspace.NAME
bool is_of_workspace(const Node& node, std::string_view name) {
  return node.kind == Node::Kind::index && node.children[1].is(Node::Kind::string, name) &&
         node.children[0].kind == Node::Kind::index &&
         node.children[0].children[0].is(Node::Kind::local, "m") &&
         node.children[0].children[1].is(Node::Kind::string, "workspace");
}

// The states whose agent has the module for its hooks, and whether each is entered with nothing
// changed; empty where one is not.
std::vector<const State*> unchanged_users(const LintContext& context, const Module& module) {
  std::vector<const State*> users;
  for (const model::MachineId id : module.machines) {
    const Machine& machine = context.system.machine(id);
    const std::vector<bool> unchanged = entered_unchanged(machine, false);
    for (const State& state : machine.states) {
      const auto* call = std::get_if<model::AgentCall>(&state.activity);
      if (!call || call->agent == none) continue;
      if (machine.agents[call->agent].hooks.string() != module.source->path()) continue;
      if (!unchanged[state.id]) return {};
      users.push_back(&state);
    }
  }
  return users;
}

}  // namespace

extern const LintRule empty_chunk = {
    {"W522", "empty-chunk",
     "a prompt that shows what was changed since the last commit, right after it",
     R"(`m.workspace.chunk` is what has changed since the last commit, and `m.workspace.diff` what the whole run
has. Where everything is committed by then, the agent is shown nothing, and judges that.)"},
    [](const LintContext& context, const Reporter& report) {
      for (const Module& module : context.modules()) {
        if (!module.tree) continue;
        const Node* shown = nullptr;
        bool shows_all = false;
        lua::walk(*module.tree, [&](const Node& node) {
          if (is_of_workspace(node, "chunk") && !shown) shown = &node;
          shows_all |= is_of_workspace(node, "diff") || is_of_workspace(node, "files");
        });
        if (!shown || shows_all) continue;
        const auto users = unchanged_users(context, module);
        if (users.empty()) continue;
        report(place(module, *shown),
               "this is empty: nothing has changed since the last commit when '{}' begins",
               users.front()->name)
            .help("show m.workspace.diff, or ask before the commit")
            .related(users.front()->span, "the agent is called here");
      }
    }};

}  // namespace agneto::lint
