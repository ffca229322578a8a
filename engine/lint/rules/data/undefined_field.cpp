#include <algorithm>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

void check_known(const Typed& lua, const Node& node, const Reporter& report) {
  const std::string* name = lua::literal_text(node.children[1]);
  if (!name) return;
  const Facts table = lua.facts(node.children[0]);
  if (!table.closed || !table.fields || table.fields->contains(*name)) return;
  std::vector<std::string> others;
  for (const auto& [field, facts] : *table.fields) {
    const bool own = is_one_of(field, {"name", "data", "source", "origin", "item"});
    if (!own || !lua.text(node.children[0]).starts_with("event")) others.push_back(field);
  }
  offer(report(lua.place(node), "{} has no field '{}'",
               table.called.empty() ? lua.text(node.children[0]) : table.called, *name)
            .help(others.empty()
                      ? "it has no fields; a verdict's are declared where the agent is called"
                      : suggestion(*name, others, "fields")),
        *name, others);
}

// Has an agent's verdict such a field, or may another machine give one?
bool may_be_given(const Machine& machine, const std::string& name) {
  return std::ranges::any_of(machine.states, [&](const State& state) {
    const auto* call = std::get_if<model::AgentCall>(&state.activity);
    return model::delegate_of(state.activity) ||
           (call && std::ranges::any_of(call->verdicts, [&](const model::Verdict& verdict) {
              return std::ranges::count(verdict.fields, name, &model::Field::name) > 0;
            }));
  });
}

// `event.verdict`, of an event that may be one of several.
void check_kind(const Typed& lua, const Node& node, const Reporter& report) {
  const std::string* name = lua::field_of(node, "event");
  if (!name || !is_one_of(*name, {"verdict", "outcome", "option"})) return;
  const Machine& machine = *lua.piece()->machine;
  const bool is_known = lua.facts(node.children[0]).known;  // so that it was looked at
  if (is_known || may_be_given(machine, *name)) return;
  report(lua.place(node), "an event has no field '{}'", *name)
      .help("its name says it: event.name == \"NAME\"");
}

}  // namespace

extern const LintRule undefined_field = {
    {"W308", "undefined-field", "a field that the event does not have",
     R"(An event that is an activity's outcome has the fields that the activity gives it: a verdict's are
declared with it, a machine's are its outputs, and each of a `for_each`'s `event.results` has `outcome`,
`status` and `data`, with what the machine gives back. Another one is nil, and mostly an error a moment
later.)",
     true},
    [](const Typed& lua, const Reporter& report) {
      if (!lua.piece()) return;
      lua::walk(lua.tree(), [&](const Node& node) {
        if (node.kind != Node::Kind::index) return;
        check_known(lua, node, report);
        check_kind(lua, node, report);
      });
    }};

}  // namespace agneto::lint
