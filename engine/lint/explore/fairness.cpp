#include "lint/explore/fairness.h"

#include <algorithm>
#include <map>

namespace agneto::lint {

namespace {

constexpr std::uint32_t no_group = UINT32_MAX;

const Input& input_of(const Exploration& found, const Edge& edge) {
  return found.alphabet[edge.input];
}

bool is_of_activity(const Input& input) {
  return input.due == Due::each || input.due == Due::one;
}

// By edge: which group it is of. Of each group, one edge is taken some time in a configuration that
// is come to again and again.
std::vector<std::uint32_t> groups(const Exploration& found) {
  std::vector<std::uint32_t> result(found.edges.size(), no_group);
  std::uint32_t next = 0;
  for (const Configuration& one : found.configurations) {
    const auto edges = found.edges_from(one);
    const bool waits_for_activity = std::ranges::any_of(
        edges, [&](const Edge& edge) { return is_of_activity(input_of(found, edge)); });
    const bool has_timer = std::ranges::any_of(
        edges, [&](const Edge& edge) { return input_of(found, edge).due == Due::timers; });
    std::map<std::pair<StateId, std::string>, std::uint32_t> known;
    for (std::uint32_t i = 0; i < one.edges; ++i) {
      const Input& input = input_of(found, edges[i]);
      const bool timed = input.due == Due::timers || input.due == Due::maybe;
      if (!is_of_activity(input) && !(timed && has_timer && !waits_for_activity)) continue;
      // An `any` is no event's name.
      const std::string name = input.due == Due::each ? input.event.name : "any";
      const auto [group, is_new] = known.try_emplace({timed ? none : input.state, name}, next);
      if (is_new) ++next;
      result[one.first_edge + i] = group->second;
    }
  }
  return result;
}

// By edge: may it be that it has to be taken some time? A limit may, where calls are made again
// and again. A timer need not, where its state's own activity can end before.
std::vector<bool> forced(const Exploration& found) {
  std::vector<bool> result(found.edges.size());
  for (const Configuration& one : found.configurations) {
    const auto edges = found.edges_from(one);
    for (std::uint32_t i = 0; i < one.edges; ++i) {
      const Input& input = input_of(found, edges[i]);
      const bool is_limit = input.event.kind == chart::Event::Kind::external &&
                            model::matches("limit", input.event.name);
      const bool ends_before =
          input.due == Due::timers && std::ranges::any_of(edges, [&](const Edge& other) {
            const Input& end = input_of(found, other);
            return end.state == input.state && is_of_activity(end);
          });
      const bool need_not = input.due == Due::never || input.due == Due::impossible || ends_before;
      result[one.first_edge + i] = is_limit || !need_not;
    }
  }
  return result;
}

// All but `goals`, and but what `leaves` says, of each edge to one that is left out, of the
// configuration that it comes from.
template <typename Leaves>
std::vector<bool> remaining(const Exploration& found, const std::vector<bool>& goals,
                            Leaves leaves) {
  const Backwards backwards(found);
  std::vector<bool> remains(found.configurations.size(), true);
  std::vector<std::uint32_t> pending;
  const auto leave_out = [&](std::uint32_t at) {
    if (!remains[at]) return;
    remains[at] = false;
    pending.push_back(at);
  };
  for (std::uint32_t i = 0; i < goals.size(); ++i) {
    if (goals[i]) leave_out(i);
  }
  while (!pending.empty()) {
    const std::uint32_t at = pending.back();
    pending.pop_back();
    for (const std::uint32_t edge : backwards.into(at)) {
      if (leaves(edge)) leave_out(found.edges[edge].from);
    }
  }
  return remains;
}

}  // namespace

std::vector<bool> possible_traps(const Exploration& found, const std::vector<bool>& goals) {
  const std::vector<std::uint32_t> group = groups(found);
  std::vector<std::uint32_t> left(found.edges.size());  // by group: edges that stay
  for (const std::uint32_t one : group) {
    if (one != no_group) ++left[one];
  }
  return remaining(found, goals, [&](std::uint32_t edge) {
    return group[edge] != no_group && --left[group[edge]] == 0;
  });
}

std::vector<bool> certain_traps(const Exploration& found, const std::vector<bool>& goals) {
  const std::vector<bool> is_forced = forced(found);
  return remaining(found, goals, [&](std::uint32_t edge) { return is_forced[edge]; });
}

bool always_ends(const Exploration& found) {
  if (!found.complete()) return false;
  const auto traps_without = [&](auto ends) {
    std::vector<bool> goals;
    for (const Configuration& one : found.configurations) goals.push_back(ends(one.end));
    return possible_traps(found, goals);
  };
  using End = Configuration::End;
  const auto stays = traps_without([](End end) { return end != End::none; });
  const auto failing = traps_without([](End end) { return end == End::final; });
  for (std::uint32_t i = 0; i < found.configurations.size(); ++i) {
    const bool begins = found.configurations[i].distance == 0;
    if (stays[i] || (begins && failing[i])) return false;
  }
  return true;
}

Lasso lasso(const Exploration& found, std::uint32_t from, const std::vector<bool>& traps,
            const Counts& counts) {
  Lasso result;
  auto& way = result.way;
  const auto go = [&](const auto& goal, const Counts& along, bool moves) {
    const std::uint32_t start = way.empty() ? from : found.edges[way.back()].to;
    const auto more = shortest_way(found, start, goal, along, moves);
    way.insert(way.end(), more.begin(), more.end());
    return more.size();
  };
  go([&](std::uint32_t at) { return traps[at]; }, counts, false);
  const Counts inside = [&](const Edge& edge) {
    const Due due = input_of(found, edge).due;
    return traps[edge.from] && traps[edge.to] && due != Due::never && due != Due::impossible;
  };
  const std::vector<std::uint32_t> number = components(found, inside);
  std::vector<bool> is_left(found.configurations.size());  // by number
  for (const Edge& edge : found.edges) {
    if (inside(edge) && number[edge.from] != number[edge.to]) is_left[number[edge.from]] = true;
  }
  go([&](std::uint32_t at) { return !is_left[number[at]]; }, inside, false);
  const std::uint32_t end = way.empty() ? from : found.edges[way.back()].to;
  result.loop = go([&](std::uint32_t at) { return at == end; }, inside, true);
  return result;
}

}  // namespace agneto::lint
