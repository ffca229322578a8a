#include "lint/explore/graph.h"

#include <algorithm>

namespace agneto::lint {

Backwards::Backwards(const Exploration& found)
    : first_(found.configurations.size() + 1), edges_(found.edges.size()) {
  for (const Edge& edge : found.edges) ++first_[edge.to + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  std::vector<std::uint32_t> at(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < edges_.size(); ++i) edges_[at[found.edges[i].to]++] = i;
}

std::vector<bool> can_reach(const Exploration& found, const std::vector<std::uint32_t>& goals,
                            const Counts& counts) {
  const Backwards backwards(found);
  std::vector<bool> reaches(found.configurations.size());
  std::vector<std::uint32_t> pending = goals;
  while (!pending.empty()) {
    const std::uint32_t goal = pending.back();
    pending.pop_back();
    if (reaches[goal]) continue;
    reaches[goal] = true;
    for (const std::uint32_t into : backwards.into(goal)) {
      const Edge& edge = found.edges[into];
      if (!reaches[edge.from] && counts(edge)) pending.push_back(edge.from);
    }
  }
  return reaches;
}

std::vector<bool> reached(const Exploration& found, const Counts& counts) {
  std::vector<bool> met(found.configurations.size());
  std::vector<std::uint32_t> pending;
  const auto meet = [&](std::uint32_t at) {
    if (!met[at]) pending.push_back(at);
    met[at] = true;
  };
  for (std::uint32_t i = 0; i < met.size(); ++i) {
    if (found.configurations[i].distance == 0) meet(i);
  }
  while (!pending.empty()) {
    const Configuration& one = found.configurations[pending.back()];
    pending.pop_back();
    for (const Edge& edge : found.edges_from(one)) {
      if (counts(edge)) meet(edge.to);
    }
  }
  return met;
}

std::vector<std::uint32_t> shortest_way(const Exploration& found, std::uint32_t from,
                                        const std::function<bool(std::uint32_t)>& goal,
                                        const Counts& counts, bool moves) {
  if (!moves && goal(from)) return {};
  std::vector<std::uint32_t> came(found.configurations.size(), UINT32_MAX);  // the edge
  std::vector<std::uint32_t> pending = {from};
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const Configuration& one = found.configurations[pending[i]];
    for (std::uint32_t id = one.first_edge; id < one.first_edge + one.edges; ++id) {
      const Edge& edge = found.edges[id];
      if (!counts(edge) || came[edge.to] != UINT32_MAX) continue;
      came[edge.to] = id;
      if (!goal(edge.to)) {
        pending.push_back(edge.to);
        continue;
      }
      std::vector<std::uint32_t> way = {id};
      while (found.edges[way.back()].from != from) {
        way.push_back(came[found.edges[way.back()].from]);
      }
      std::ranges::reverse(way);
      return way;
    }
  }
  return {};
}

namespace {

// Tarjan's, without recursion.
class Components {
 public:
  Components(const Exploration& found, const Counts& counts)
      : found_(found),
        counts_(counts),
        number_(found.configurations.size(), none),
        order_(found.configurations.size(), none),
        low_(found.configurations.size()) {}

  std::vector<std::uint32_t> run() {
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      if (order_[i] == none) visit(i);
    }
    return std::move(number_);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct Visit {
    std::uint32_t at;
    std::uint32_t edge;  // the next
  };

  void visit(std::uint32_t root) {
    begin(root);
    while (!visits_.empty()) {
      Visit& visit = visits_.back();
      const Configuration& one = found_.configurations[visit.at];
      if (visit.edge == one.first_edge + one.edges) {
        end();
        continue;
      }
      const Edge& edge = found_.edges[visit.edge++];
      if (!counts_(edge)) continue;
      if (order_[edge.to] == none) {
        begin(edge.to);
      } else if (number_[edge.to] == none) {
        low_[edge.from] = std::min(low_[edge.from], order_[edge.to]);
      }
    }
  }

  void begin(std::uint32_t at) {
    order_[at] = low_[at] = next_++;
    open_.push_back(at);
    visits_.push_back({at, found_.configurations[at].first_edge});
  }

  void end() {
    const std::uint32_t at = visits_.back().at;
    visits_.pop_back();
    if (!visits_.empty()) {
      std::uint32_t& low = low_[visits_.back().at];
      low = std::min(low, low_[at]);
    }
    if (low_[at] != order_[at]) return;
    for (std::uint32_t one = none; one != at;) {
      one = open_.back();
      open_.pop_back();
      number_[one] = components_;
    }
    ++components_;
  }

  const Exploration& found_;
  const Counts& counts_;
  std::vector<std::uint32_t> number_;  // of the component
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> open_;
  std::vector<Visit> visits_;
  std::uint32_t next_ = 0;
  std::uint32_t components_ = 0;
};

}  // namespace

std::vector<std::uint32_t> components(const Exploration& found, const Counts& counts) {
  return Components(found, counts).run();
}

std::vector<std::uint32_t> endless(const Exploration& found, bool certain) {
  const Counts counts = [&](const Edge& edge) {
    return found.alphabet[edge.input].by_itself() && !(certain && edge.guessed);
  };
  if (std::ranges::none_of(found.edges, counts)) return {};
  const std::vector<std::uint32_t> number = components(found, counts);
  std::vector<bool> circles(found.configurations.size());
  for (const Edge& edge : found.edges) {
    if (counts(edge) && number[edge.from] == number[edge.to]) circles[edge.from] = true;
  }
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < circles.size(); ++i) {
    if (circles[i]) result.push_back(i);
  }
  return result;
}

}  // namespace agneto::lint
