#include <optional>
#include <set>

#include "base/text.h"
#include "lint/rule.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// What `event` can have where the transition is taken. None where that is not known: the event can
// come from outside, or from the machine's own actions.
std::optional<std::set<std::string>> known_fields(const LintContext& context,
                                                  const Machine& machine,
                                                  const Transition& transition) {
  std::set<std::string> known;
  if (transition.events.empty()) return std::nullopt;
  for (const std::string& event : transition.events) {
    if (event == "any" || model::is_engines(event) || context.raised(machine).may_be(event)) {
      return std::nullopt;
    }
    bool made = false;
    for (StateId id = transition.source; id <= machine.state(transition.source).last; ++id) {
      const auto all = model::outcomes(machine.state(id), context.system);
      const auto* outcome = model::find(all, event);
      if (!outcome) continue;
      for (const model::Field& one : outcome->fields) known.insert(one.name);
      made = true;
    }
    if (!made) return std::nullopt;
  }
  return known;
}

// X of `event.X` or `event.data.X`.
const std::string* field(const Node& node) {
  if (node.kind == Node::Kind::index) {
    const std::string* inner = lua::field_of(node.children[0], "event");
    if (inner && *inner == "data") return lua::literal_text(node.children[1]);
  }
  const std::string* name = lua::field_of(node, "event");
  const bool own = name && (*name == "name" || *name == "data" || *name == "source");
  return own ? nullptr : name;
}

void check_code(const LintContext& context, const Machine& machine, const Transition& transition,
                CodeId code, const Reporter& report) {
  const Piece& piece = context.piece(machine, code);
  if (!piece.tree) return;
  std::optional<std::optional<std::set<std::string>>> known;
  lua::walk(*piece.tree, [&](const Node& node) {
    const std::string* name = field(node);
    if (!name) return;
    if (!known) known = known_fields(context, machine, transition);
    if (!*known || (*known)->contains(*name)) return;
    const std::vector<std::string> others((*known)->begin(), (*known)->end());
    offer(report(place(piece, node), "the event '{}' has no field '{}'",
                 join(transition.events, "' or '"), *name)
              .help(others.empty()
                        ? "it has no fields; a verdict's are declared where the agent is called"
                        : suggestion(*name, others, "fields")),
          *name, others);
  });
}

}  // namespace

extern const LintRule undefined_field = {
    {"W308", "undefined-field", "a field that the event does not have",
     R"(An event that is an activity's outcome has the fields that the activity gives it: a verdict's are
declared with it, a machine's are its outputs. Another one is nil, and mostly an error a moment
later.)",
     true},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const Transition& transition : machine.transitions) {
        if (transition.guard != none) {
          check_code(context, machine, transition, transition.guard, report);
        }
        for (const CodeId code : transition.actions) {
          check_code(context, machine, transition, code, report);
        }
      }
    }};

}  // namespace agneto::lint
