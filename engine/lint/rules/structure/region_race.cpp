#include <algorithm>
#include <map>
#include <set>

#include "lint/explore/explore.h"
#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

struct Write {
  StateId region = none;
  const Node* value = nullptr;
  std::string text;  // as written
  Span place;
};

// What the regions of a parallel state assign while they are active together.
class Writes {
 public:
  Writes(const LintContext& context, const Machine& machine)
      : context_(context), machine_(machine), explored_(context.exploration(machine)) {}

  // What is done in a region without leaving it. A transition that leads out of the parallel state
  // ends what goes on beside it.
  void find(StateId region) {
    const auto inside = [&](StateId id) { return is_inside(machine_, id, region); };
    for (StateId id = region; id <= machine_.state(region).last; ++id) {
      if (is_idle(explored_.entered, id)) continue;
      for (const CodeId code : machine_.state(id).entry) {
        find(context_.piece(machine_, code), region);
      }
    }
    for (TransitionId id = 0; id < machine_.transitions.size(); ++id) {
      const Transition& transition = machine_.transitions[id];
      if (!inside(transition.source) || is_idle(explored_.taken, id)) continue;
      if (!std::ranges::all_of(transition.targets, inside)) continue;
      for (const CodeId code : transition.actions) find(context_.piece(machine_, code), region);
    }
  }

  const std::map<std::string, std::vector<Write>>& by_name() const { return by_name_; }

  // Do both assign one value, whenever they do? The same words may mean another value meanwhile.
  bool are_same(const Write& one, const Write& other) const {
    return one.text == other.text &&
           !any_node(*one.value,
                     [](const Node& node) { return node.is(Node::Kind::global, "event"); }) &&
           !uses_whole_context(*one.value) &&
           std::ranges::none_of(
               assigned_, [&](const std::string& name) { return mentions(*one.value, name); });
  }

 private:
  // Was all explored, and nobody came there?
  bool is_idle(const std::vector<bool>& reached, std::uint32_t id) const {
    return explored_.complete() && !reached[id];
  }

  // Assignments of a context name's new value; what is made of the old one, as in counting, is the
  // same in any order.
  void find(const Piece& piece, StateId region) {
    if (!piece.tree) return;
    each_assignment(*piece.tree, [&](const Assignment& one) {
      assigned_.insert(one.name);
      if (!one.value || mentions(*one.value, one.name)) return;
      const auto length = one.value->end - one.value->begin;
      by_name_[one.name].push_back({region, one.value,
                                    piece.code->text.substr(one.value->begin, length),
                                    place(piece, one.target)});
    });
  }

  const LintContext& context_;
  const Machine& machine_;
  const Exploration& explored_;
  std::map<std::string, std::vector<Write>> by_name_;
  std::set<std::string> assigned_;
};

}  // namespace

extern const LintRule region_race = {
    {"W223", "region-race", "two regions that assign one context name",
     R"(Regions go on at once, so that it depends on which gets there last what the name holds, and in another
run it may be the other. Assignments made of the old value, as in counting, are no race; neither are
those of one value, those on the way out of the parallel state, and those that exploring shows never to be made.
`event.output` in both regions is not one value.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      if (state.kind != StateKind::parallel) return;
      Writes writes(context, machine);
      for (const StateId region : state.children) writes.find(region);
      for (const auto& [name, all] : writes.by_name()) {
        const Write& first = all.front();
        const auto other = std::ranges::find_if(all, [&](const Write& write) {
          return write.region != first.region && !writes.are_same(write, first);
        });
        if (other == all.end()) continue;
        report(other->place,
               "'{}' and '{}', which are active at once, both assign ctx.{}: the later one stays",
               machine.state(first.region).name, machine.state(other->region).name, name)
            .help("give each region a name of its own, and join them when both are done")
            .related(first.place, "the other assignment");
      }
    }};

}  // namespace agneto::lint
