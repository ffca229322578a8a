#include "lint/answers.h"

#include <algorithm>
#include <set>

#include "chart/event.h"
#include "lint/sends.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// Is it the one of its state that is taken for that event?
bool is_taken_for(const Machine& machine, const Transition& transition, const std::string& event) {
  for (const TransitionId id : machine.state(transition.source).on) {
    const Transition& one = machine.transitions[id];
    const bool takes = std::ranges::any_of(one.events, [&](const std::string& descriptor) {
      return model::matches(descriptor, event);
    });
    if (takes) return &one == &transition;
  }
  return false;
}

// Can an eventless transition lead on, whose guard may become true meanwhile?
bool may_go_on(const Machine& machine) {
  return std::ranges::any_of(machine.states,
                             [](const State& state) { return !state.always.empty(); });
}

std::vector<Answer> answers_of(const LintContext& context, const Machine& machine) {
  std::vector<Answer> all;
  std::vector<const Raised*> sends;
  for (const Raised& one : context.raised(machine).all()) {
    const bool is_answer = one.to && one.name && one.call && is_made_always(one) &&
                           !value_of(one.call->children[3], "after");
    if (is_answer) sends.push_back(&one);
  }
  if (sends.empty() || may_go_on(machine)) return all;
  for (const Transition& transition : machine.transitions) {
    const bool stays = transition.targets.empty() && transition.guard == none;
    if (!stays || transition.events.empty()) continue;
    for (const CodeId code : transition.actions) {
      const Piece* piece = &context.piece(machine, code);
      for (const Raised* one : sends) {
        if (one->piece == piece) all.push_back({&machine, &transition, one});
      }
    }
  }
  return all;
}

// Looks for a way of answers back to where it begins, of the machine and of one that a state of it
// delegates to.
class Circle {
 public:
  Circle(const Answer& first, std::vector<Answer> own, std::vector<Answer> inner)
      : own_(std::move(own)), inner_(std::move(inner)), way_{first} {}

  std::vector<Answer> find() { return goes_on() ? way_ : std::vector<Answer>(); }

 private:
  bool goes_on() {
    const std::string& event = *way_.back().sent->name;
    for (const Answer& next : way_.size() % 2 == 1 ? inner_ : own_) {
      if (!is_taken_for(*next.machine, *next.taken, event)) continue;
      if (next.sent == way_.front().sent) return true;
      if (!met_.insert(next.sent).second) continue;
      way_.push_back(next);
      if (goes_on()) return true;
      way_.pop_back();
    }
    return false;
  }

  const std::vector<Answer> own_, inner_;
  std::vector<Answer> way_;
  std::set<const Raised*> met_;
};

// May the event be for that one?
bool may_be_for(const Answer& answer, std::string_view name) {
  const std::string* to = lua::literal_text(*answer.sent->to);
  return !to || *to == name;
}

}  // namespace

std::vector<std::vector<Answer>> endless_answers(const LintContext& context,
                                                 const Machine& machine) {
  std::vector<std::vector<Answer>> all;
  std::set<const Raised*> told;
  const std::vector<Answer> answers = answers_of(context, machine);
  if (answers.empty()) return all;
  for (const auto& [id, state] : neighbours(context.system, machine)) {
    if (!state) continue;
    const std::string& name = state->name;
    std::vector<Answer> own = answers;
    std::vector<Answer> inner = answers_of(context, context.system.machine(id));
    std::erase_if(own, [&](const Answer& one) { return !may_be_for(one, name); });
    std::erase_if(inner, [](const Answer& one) { return !may_be_for(one, chart::to_parent); });
    for (const Answer& first : own) {
      if (told.contains(first.sent)) continue;
      auto circle = Circle(first, own, inner).find();
      for (const Answer& answer : circle) told.insert(answer.sent);
      if (!circle.empty()) all.push_back(std::move(circle));
    }
  }
  return all;
}

}  // namespace agneto::lint
