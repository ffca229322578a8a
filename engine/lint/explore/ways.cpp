#include "lint/explore/ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/text.h"
#include "chart/path.h"
#include "lint/explore/graph.h"

namespace agneto::lint {

namespace {

using EventKind = chart::Event::Kind;
using End = Configuration::End;

// What is known of a timer, or of how long an activity takes.
struct Clock {
  StateId state = none;
  Millis delay{0};  // 0: not known
  bool pausable = false;
};

Clock clock_of(const Machine& machine, const Input& input) {
  const auto path = chart::Path::parse(input.event.path);
  if (!path || path->timer == 0) return {};
  const StateId id = path->of_machine || input.state == none ? StateId{0} : input.state;
  const State& state = machine.state(id);
  if (path->timer > state.after.size()) return {};
  const Transition& transition = machine.transitions[state.after[path->timer - 1]];
  const bool asks = std::holds_alternative<model::Ask>(state.activity);
  return {id, transition.delay_code == none ? transition.delay : Millis{0},
          asks && !transition.wall};
}

// How long an agent or a program may take; nothing of what has no timeout.
std::optional<Clock> timeout_of(const Machine& machine, const State& state) {
  if (const auto* program = std::get_if<model::Program>(&state.activity)) {
    return Clock{state.id, program->timeout, false};
  }
  if (const auto* call = std::get_if<model::AgentCall>(&state.activity)) {
    return Clock{state.id, machine.agents[call->agent].timeout, false};
  }
  return std::nullopt;
}

// Does `one`, which was started with `other` or before it, always come due before?
bool is_before(const Machine& machine, const Clock& one, const Clock& other) {
  const bool started = one.state != none && other.state != none &&
                       (one.state == other.state || machine.is_descendant(other.state, one.state));
  return started && one.delay.count() > 0 && one.delay < other.delay &&
         (!one.pausable || other.pausable);
}

class Ways {
 public:
  Ways(const Exploration& found, const Machine& machine, bool timed)
      : found_(found), machine_(machine), timed_(timed), of_(found.edges.size(), nowhere) {
    for (const Input& input : found.alphabet) {
      clocks_.push_back(input.event.kind == EventKind::timer ? clock_of(machine, input) : Clock());
    }
    for (const Configuration& one : found.configurations) group(one);
  }

  std::vector<bool> to(const std::vector<bool>& goals) {
    const Backwards backwards(found_);
    reaches_.assign(goals.size(), false);
    std::vector<std::uint32_t> pending;
    const auto add = [&](std::uint32_t at) {
      if (reaches_[at]) return;
      reaches_[at] = true;
      pending.push_back(at);
    };
    for (std::uint32_t i = 0; i < goals.size(); ++i) {
      if (goals[i]) add(i);
    }
    for (bool more = true; more;) {
      while (!pending.empty()) {
        const std::uint32_t at = pending.back();
        pending.pop_back();
        for (const std::uint32_t edge : backwards.into(at)) {
          for (const std::uint32_t group : of_[edge]) {
            if (group != no_group && --left_[group] == 0) add(found_.edges[edge].from);
          }
        }
      }
      more = false;
      for (std::uint32_t id = 0; id < clocks_.size() && timed_; ++id) {
        for (const std::uint32_t at : waiting_for(id)) add(at), more = true;
      }
    }
    return std::move(reaches_);
  }

  // Is it one of those that surely can be gone?
  bool is_sure(std::uint32_t edge) const {
    return std::ranges::any_of(
        of_[edge], [&](std::uint32_t group) { return group != no_group && size_[group] == 1; });
  }

 private:
  static constexpr std::uint32_t no_group = UINT32_MAX;
  // An edge is one of what an event leads to, of the ends of an activity, and of what can come
  // first where nobody does anything. Where all of a group lead to a goal, so does a way.
  enum Group { own, ends, waits };
  static constexpr std::array<std::uint32_t, 3> nowhere = {no_group, no_group, no_group};

  const Input& input_of(const Edge& edge) const { return found_.alphabet[edge.input]; }

  void group(const Configuration& one) {
    const auto edges = found_.edges_from(one);
    const bool has_timer = std::ranges::any_of(
        edges, [&](const Edge& edge) { return input_of(edge).event.kind == EventKind::timer; });
    std::map<std::uint32_t, std::uint32_t> inputs;
    std::map<StateId, std::uint32_t> activities;
    std::map<int, std::uint32_t> waiting;
    const auto join = [&](std::uint32_t edge, Group what, auto& known, auto key) {
      const auto [at, is_new] = known.try_emplace(key, static_cast<std::uint32_t>(left_.size()));
      if (is_new) left_.push_back(0), size_.push_back(0);
      ++left_[at->second];
      ++size_[at->second];
      of_[edge][what] = at->second;
    };
    for (std::uint32_t i = 0; i < one.edges; ++i) {
      const std::uint32_t id = one.first_edge + i;
      const Edge& edge = edges[i];
      const Input& input = input_of(edge);
      if (input.due == Due::impossible) continue;
      if (timed_ && has_timer && can_be_first(one, edge)) join(id, waits, waiting, 0);
      if (input.event.kind == EventKind::timer) continue;
      if (can_choose(one, input, has_timer)) join(id, own, inputs, edge.input);
      if (input.or_other && !has_timer) join(id, ends, activities, input.state);
    }
  }

  // Else it takes its default at once.
  static bool waits_for_person(const Configuration& one, const model::Ask& ask) {
    return one.interactive || ask.default_option.empty();
  }

  // Can somebody bring it about there and then?
  bool can_choose(const Configuration& one, const Input& input, bool has_timer) const {
    if (!input.sure) return false;
    if (input.machine_end) return input.machine_end->in_no_time || (timed_ && !has_timer);
    const auto* ask = input.event.kind == EventKind::outcome && input.state != none
                          ? std::get_if<model::Ask>(&machine_.state(input.state).activity)
                          : nullptr;
    return !ask || waits_for_person(one, *ask) || input.event.name == ask->default_option;
  }

  // Can it be the next thing where nobody does anything?
  bool can_be_first(const Configuration& one, const Edge& edge) const {
    const Input& input = input_of(edge);
    Clock clock = clocks_[edge.input];
    if (input.event.kind == EventKind::outcome) {
      if (input.state == none) return true;
      const State& state = machine_.state(input.state);
      const auto* ask = std::get_if<model::Ask>(&state.activity);
      if (ask && waits_for_person(one, *ask)) return false;
      if (const auto timeout = timeout_of(machine_, state)) {
        if (!is_timeout(one, input)) return false;
        clock = *timeout;
      }
    } else if (input.event.kind != EventKind::timer) {
      return false;
    }
    return std::ranges::none_of(found_.edges_from(one), [&](const Edge& other) {
      return input_of(other).event.kind == EventKind::timer &&
             is_before(machine_, clocks_[other.input], clock);
    });
  }

  // Is it the error that comes of the timeout, by its name or the one that stands for all?
  bool is_timeout(const Configuration& one, const Input& input) const {
    const auto named = [&](const Edge& other) {
      const Input& end = input_of(other);
      return end.state == input.state && end.event.name == "error.timeout";
    };
    const bool has_name = std::ranges::any_of(found_.edges_from(one), named);
    return input.event.name == (has_name ? "error.timeout" : "error.exit");
  }

  // Configurations from which nothing but timers leads to where a goal is reached, or to one of
  // these, as long as the timer runs on: time goes on, so that it comes due in the end.
  std::vector<std::uint32_t> waiting_for(std::uint32_t timer) {
    const Clock& clock = clocks_[timer];
    if (clock.delay.count() == 0) return {};
    std::vector<bool> stays(found_.configurations.size());
    for (const Edge& edge : found_.edges) {
      if (edge.input == timer) stays[edge.from] = true;
      if (input_of(edge).event.kind == EventKind::queued) stays[edge.from] = true;
    }
    for (const std::uint32_t at : endless(found_)) stays[at] = false;
    const auto goes_on = [&](const Edge& edge) {
      if (reaches_[edge.to]) return true;
      const Input& input = input_of(edge);
      const bool is_other_timer = input.event.kind == EventKind::timer && edge.input != timer &&
                                  clocks_[edge.input].delay.count() > 0;
      const auto& entered = found_.timed[edge.timed];
      return stays[edge.to] && (is_other_timer || input.event.kind == EventKind::queued) &&
             std::ranges::find(entered, clock.state) == entered.end();
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = 0; i < stays.size(); ++i) {
        const Configuration& one = found_.configurations[i];
        if (!stays[i] || reaches_[i]) continue;
        for (std::uint32_t id = one.first_edge; id < one.first_edge + one.edges; ++id) {
          const Edge& edge = found_.edges[id];
          const bool counts =
              of_[id][waits] != no_group || input_of(edge).event.kind == EventKind::queued;
          if (counts && !goes_on(edge)) stays[i] = false, changed = true;
        }
      }
    }
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < stays.size(); ++i) {
      if (stays[i] && !reaches_[i]) all.push_back(i);
    }
    return all;
  }

  const Exploration& found_;
  const Machine& machine_;
  const bool timed_;
  std::vector<std::array<std::uint32_t, 3>> of_;  // by edge, then Group
  std::vector<std::uint32_t> left_;               // by group: edges not known to lead to a goal
  std::vector<std::uint32_t> size_;
  std::vector<Clock> clocks_;  // by input
  std::vector<bool> reaches_;
};

}  // namespace

std::vector<bool> sure_ways(const Exploration& found, const Machine& machine,
                            const std::vector<bool>& goals, bool timed) {
  return Ways(found, machine, timed).to(goals);
}

std::string what_is_doubtful(const Exploration& found, const Machine& machine,
                             const std::vector<std::uint32_t>& way) {
  const Ways ways(found, machine, true);
  for (const std::uint32_t id : way) {
    const Edge& edge = found.edges[id];
    const Input& input = found.alphabet[edge.input];
    if (ways.is_sure(id)) continue;
    if (input.event.kind == EventKind::timer) {
      const Clock clock = clock_of(machine, input);
      const std::string& name =
          clock.state == none || clock.state == 0 ? machine.name : machine.state(clock.state).name;
      if (clock.delay.count() == 0) return fmt::format("a timer of '{}' comes due first", name);
      return fmt::format("the timer '{}' of '{}' comes due first", format_duration(clock.delay),
                         name);
    }
    if (edge.guessed) return {};
    if (input.event.kind == EventKind::outcome && input.state != none) {
      return fmt::format("'{}' can end in '{}'", machine.state(input.state).name, input.event.name);
    }
    return fmt::format("'{}' can come", input.event.name);
  }
  return {};
}

void note_ways_to_ends(Exploration& found, const Machine& machine) {
  if (!found.complete()) return;
  const auto from_all = [&](const auto& is_goal, bool timed) {
    std::vector<bool> goals;
    for (const Configuration& one : found.configurations) goals.push_back(is_goal(one));
    const std::vector<bool> ways = sure_ways(found, machine, goals, timed);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (found.configurations[i].end == End::none && !ways[i]) return false;
    }
    return true;
  };
  const auto ends = [](const Configuration& one) { return one.end == End::final; };
  found.can_end = from_all(ends, true);
  for (std::uint32_t i = 0; i < found.machine_ends.size(); ++i) {
    const auto is_it = [&](const Configuration& one) { return ends(one) && one.machine_end == i; };
    found.machine_ends[i].in_no_time = from_all(is_it, false);
    found.machine_ends[i].sure = found.machine_ends[i].in_no_time || from_all(is_it, true);
  }
}

}  // namespace agneto::lint
