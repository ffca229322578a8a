#include <set>

#include "lint/explore/shown.h"
#include "lint/merges.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Somebody or something looks at the work there: a person, an agent that only reads, a program; or
// a machine, which may do anything.
bool is_gate(const State& state) {
  return state.has_activity() && !may_edit(state) &&
         !std::holds_alternative<model::WorkspaceOperation>(state.activity);
}

}  // namespace

extern const LintRule ungated_merge = {
    {"W422", "ungated-merge", "a merge of what an agent did, with nothing that looks at it before",
     R"(Between an agent that may edit and the merge there is no question to a person, no agent that only
reads, and no program that checks the work. So whatever the agent did gets onto the branch. Nothing is said
of a way that exploring shows never to be taken.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const auto ends_the_way = [](const State& state) {  // the second: nothing of it is left
        return is_gate(state) || is_operation(state, model::WorkspaceOperation::Kind::discard);
      };
      const NextInARun merges(context, machine, is_merge, ends_the_way);
      std::set<StateId> reported;
      for (const State& agent : machine.states) {
        if (!may_edit(agent) || is_in_parallel(machine, agent.id)) continue;
        const State* merge = merges.from(agent);
        if (!merge || !reported.insert(merge->id).second) continue;
        report(merge->span, "'{}' merges what the agent of '{}' did, and nobody has looked at it",
               merge->name, agent.name)
            .help(
                "put a question, an agent that only reads, or a program that checks it in between")
            .related(agent.span, "the agent that may edit");
      }
    }};

}  // namespace agneto::lint
