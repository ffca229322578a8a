#include <algorithm>
#include <set>

#include "lint/hook_functions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// The verdicts that the function returns; none where one is worked out.
std::optional<std::set<std::string>> returned_by(const Node& parser) {
  std::set<std::string> names;
  bool is_known = true;
  each_return(parser, [&](const Node& node) {
    if (node.children.empty() || node.children[0].kind == Node::Kind::nil) return;
    const std::string* name = lua::literal_text(node.children[0]);
    is_known = is_known && name;
    if (name) names.insert(*name);
  });
  return is_known && !names.empty() ? std::optional(names) : std::nullopt;
}

}  // namespace

extern const LintRule unreturned_verdict = {
    {"W520", "unreturned-verdict", "a verdict that the hook's `parse` never returns",
     R"(Where a hook has a `parse` of its own, that says what each reply comes to. A verdict that a state declares
and no `return` of it names never comes, and what the state does for it never happens.)"},
    [](const Module& module, const Users& users, const Reporter& report) {
      const auto parsers = hook_functions(*module.tree, "parse");
      const auto returned = parsers.size() == 1 ? returned_by(*parsers.front()) : std::nullopt;
      if (!returned) return;
      std::set<std::string> reported;
      for (const Machine* machine : users) {
        for (const State& state : machine->states) {
          const auto* call = std::get_if<model::AgentCall>(&state.activity);
          if (!call || call->agent == none || !call->task.empty()) continue;
          if (machine->agents[call->agent].hooks.string() != module.source->path()) continue;
          // What returns others, too, is wrong elsewhere, or for several states.
          const auto is_declared = [&](const std::string& name) {
            return std::ranges::count(call->verdicts, name, &model::Verdict::name) > 0;
          };
          if (!std::ranges::all_of(*returned, is_declared)) continue;
          for (const model::Verdict& verdict : call->verdicts) {
            if (returned->contains(verdict.name) || !reported.insert(verdict.name).second) continue;
            report(place(module, *parsers.front()), "this `parse` never returns '{}'", verdict.name)
                .help("return it, or remove it from the verdicts of '{}'", state.name)
                .related(verdict.span, "it is declared here");
          }
        }
      }
    }};

}  // namespace agneto::lint
