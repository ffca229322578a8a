#include "lint/explore/worst_case.h"

#include <algorithm>
#include <deque>
#include <functional>

#include "base/text.h"
#include "lint/explore/graph.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using Weight = std::optional<std::int64_t>;  // none: without bound

Weight sum(const Weight& a, const Weight& b) {
  return a && b ? Weight(*a + *b) : std::nullopt;
}

Weight larger(const Weight& a, const Weight& b) {
  return a && b ? Weight(std::max(*a, *b)) : std::nullopt;
}

// Finds the heaviest way through a graph.
class Heaviest {
 public:
  Heaviest(const Exploration& found, const Machine& machine,
           std::function<Weight(const Edge&)> weight)
      : found_(found), machine_(machine), weight_(std::move(weight)) {}

  // `start`: what it takes to get to each beginning.
  Most run(const std::function<Weight(const Configuration&)>& start) {
    // The most from any beginning on, given what it takes from each configuration on.
    const auto from_beginnings = [&](const std::vector<Weight>& from) {
      Weight most = 0;
      for (std::uint32_t i = 0; i < from.size(); ++i) {
        const Configuration& one = found_.configurations[i];
        if (one.found_by < 0) most = larger(most, sum(start(one), from[i]));
      }
      return most;
    };
    Most most{from_beginnings(weigh([](const Edge&) { return true; }))};
    if (most.count) return most;
    most.loop = loop([](const Edge&) { return true; });
    const std::vector<Weight> alone = weigh([&](const Edge& edge) { return !is_persons(edge); });
    most.between = from_beginnings(alone);
    for (const Edge& edge : found_.edges) {
      if (!is_persons(edge)) continue;
      most.between = larger(most.between, sum(weight_(edge), alone[edge.to]));
    }
    return most;
  }

  // The shortest loop that adds to the count by edges that count alone, or, where every edge does,
  // the one thing that has no bound by itself; empty where there is none.
  std::string loop(const Counts& counts) const {
    const std::vector<std::uint32_t> number = components(found_, counts);
    std::vector<std::uint32_t> shortest;
    int tried = 0;
    for (const Edge& edge : found_.edges) {
      if (!counts(edge)) continue;
      const Weight weight = weight_(edge);
      if (number[edge.from] != number[edge.to]) {
        if (!weight && shortest.empty()) return name(edge.to);
        continue;
      }
      if (weight == 0 || ++tried > most_tried) continue;
      std::vector<std::uint32_t> way = back(edge, number, counts);
      if (shortest.empty() || way.size() < shortest.size()) shortest = std::move(way);
    }
    std::vector<std::string> names;
    for (const std::uint32_t at : shortest) {
      if (names.empty() || names.back() != name(at)) names.push_back(name(at));
    }
    if (names.size() == 1) names.push_back(names.front());
    return join(names, " -> ");
  }

 private:
  // By a person's answer or an event from outside.
  bool is_persons(const Edge& edge) const {
    const Input& input = found_.alphabet[edge.input];
    if (input.event.kind == chart::Event::Kind::external) return true;
    return input.event.kind == chart::Event::Kind::outcome && input.state != none &&
           std::holds_alternative<model::Ask>(machine_.state(input.state).activity);
  }

  // By configuration: the heaviest way from there.
  std::vector<Weight> weigh(const Counts& counts) const {
    const std::vector<std::uint32_t> number = components(found_, counts);
    const std::uint32_t size = number.empty() ? 0 : *std::ranges::max_element(number) + 1;
    // Edges lead to smaller numbers, so that what they lead to is known.
    std::vector<std::vector<std::uint32_t>> members(size);
    for (std::uint32_t i = 0; i < number.size(); ++i) members[number[i]].push_back(i);
    std::vector<Weight> heaviest(size, Weight(0));
    for (std::uint32_t component = 0; component < size; ++component) {
      Weight& most = heaviest[component];
      for (const std::uint32_t at : members[component]) {
        for (const Edge& edge : found_.edges_from(found_.configurations[at])) {
          if (!counts(edge)) continue;
          const Weight weight = weight_(edge);
          if (number[edge.to] != component) {
            most = larger(most, sum(weight, heaviest[number[edge.to]]));
          } else if (weight != 0) {
            most = std::nullopt;
          }
        }
      }
    }
    std::vector<Weight> result;
    for (const std::uint32_t component : number) result.push_back(heaviest[component]);
    return result;
  }

  // From where the edge begins, along it and back there.
  std::vector<std::uint32_t> back(const Edge& edge, const std::vector<std::uint32_t>& number,
                                  const Counts& counts) const {
    std::vector<std::int64_t> before(number.size(), -1);
    std::deque<std::uint32_t> pending = {edge.to};
    while (!pending.empty() && before[edge.from] < 0 && edge.from != edge.to) {
      const std::uint32_t at = pending.front();
      pending.pop_front();
      for (const Edge& next : found_.edges_from(found_.configurations[at])) {
        if (!counts(next) || number[next.to] != number[at]) continue;
        if (before[next.to] >= 0 || next.to == edge.to) continue;
        before[next.to] = at;
        pending.push_back(next.to);
      }
    }
    std::vector<std::uint32_t> way = {edge.from};
    while (way.back() != edge.to) way.push_back(static_cast<std::uint32_t>(before[way.back()]));
    way.push_back(edge.from);
    std::ranges::reverse(way);
    return way;
  }

  std::string name(std::uint32_t at) const {
    std::vector<std::string> names;
    for (const StateId id : found_.configurations[at].states) {
      names.push_back(machine_.state(id).name);
    }
    return join(names, "+");
  }

  static constexpr int most_tried = 200;

  const Exploration& found_;
  const Machine& machine_;
  const std::function<Weight(const Edge&)> weight_;
};

// Does it lead on by what agents, programs and machines end in when they have not failed by
// themselves, or with nothing to wait for; and is that certain?
bool goes_on_alone(const Exploration& found, const Machine& machine, const Edge& edge) {
  const Input& input = found.alphabet[edge.input];
  using Kind = chart::Event::Kind;
  const Configuration& from = found.configurations[edge.from];
  const bool timed = std::ranges::any_of(from.states, [&](StateId id) {
    return std::ranges::any_of(lineage(machine, id),
                               [](const State* one) { return !one->after.empty(); });
  });
  if (edge.guessed || !from.certain || timed) return false;
  if (input.event.kind == Kind::queued) return true;
  return input.event.kind == Kind::outcome && input.state != none &&
         !model::is_error(input.event.name) &&
         !std::holds_alternative<model::Ask>(machine.state(input.state).activity);
}

// By the fewest first, as edges add whole calls.
std::optional<std::int64_t> fewest_calls(const Exploration& found) {
  std::map<std::int64_t, std::vector<std::uint32_t>> pending;
  for (std::uint32_t i = 0; i < found.configurations.size(); ++i) {
    const Configuration& one = found.configurations[i];
    if (one.found_by < 0) pending[one.calls].push_back(i);
  }
  std::vector<bool> known(found.configurations.size());
  while (!pending.empty()) {
    const std::int64_t calls = pending.begin()->first;
    std::vector<std::uint32_t> here = std::move(pending.begin()->second);
    pending.erase(pending.begin());
    while (!here.empty()) {
      const std::uint32_t at = here.back();
      here.pop_back();
      if (known[at]) continue;
      known[at] = true;
      const Configuration& one = found.configurations[at];
      if (one.complete) return calls;
      for (const Edge& edge : found.edges_from(one)) {
        (edge.calls == 0 ? here : pending[calls + edge.calls]).push_back(edge.to);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

const WorstCase& WorstCases::of(const Exploration& found, const Machine& machine,
                                const model::System& system) {
  const auto known = known_.find(&found);
  if (known != known_.end()) return known->second;
  const auto calls = [&](std::uint16_t own, std::uint16_t machines) {
    Weight weight = own;
    for (const Started& one : found.started[machines]) {
      const bool is_known = one.exploration && one.exploration->complete();
      weight = is_known ? sum(weight,
                              of(*one.exploration, system.machine(one.machine), system).calls.count)
                        : std::nullopt;
    }
    return weight;
  };
  WorstCase worst;
  Heaviest of_calls(found, machine,
                    [&](const Edge& edge) { return calls(edge.calls, edge.machines); });
  worst.calls =
      of_calls.run([&](const Configuration& one) { return calls(one.calls, one.machines); });
  if (!worst.calls.count) {
    // What a machine that is delegated to goes round in is its own.
    worst.unbounded_calls =
        Heaviest(found, machine, [&](const Edge& edge) {
          return calls(edge.calls, edge.machines).value_or(0);
        }).loop([&](const Edge& edge) { return goes_on_alone(found, machine, edge); });
  }
  worst.fewest_calls = fewest_calls(found);
  worst.steps = Heaviest(found, machine, [](const Edge&) {
                  return Weight(1);
                }).run([](const Configuration&) { return Weight(0); });
  for (const Configuration& one : found.configurations) {
    worst.farthest = std::max<std::int64_t>(worst.farthest, one.distance);
  }
  return known_[&found] = std::move(worst);
}

}  // namespace agneto::lint
