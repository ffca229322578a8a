// Random charts from a seed: the same seed gives the same chart everywhere.
#pragma once

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace agneto::chart {

struct ChartOptions {
  int states = 14;
  bool activities = false;  // programs, timers, sends and, if `child` is set, machines
  std::string child = {};   // the file of a machine that states may delegate to
};

class RandomChart {
 public:
  RandomChart(unsigned seed, ChartOptions options) : random_(seed), options_(std::move(options)) {}

  // Events are e0 to e4; guards are state_in('X'), actions raise('eN').
  std::string text() {
    nodes_.push_back({"compound", 0, {}});
    grow(0);
    std::string text = "agneto: 1\nname: random\n";
    text += "initial: " + initial(0).dump() + "\n";
    Json on = one_in(2) ? transitions(0) : Json::array();
    if (options_.activities) {  // so that few runs end early by an outcome that nothing takes
      on.push_back({{"event", {"e0", "e1", "e2", "e3"}}, {"target", names(targets(0, true))}});
    }
    if (!on.empty()) text += "on: " + on.dump() + "\n";
    return text + "states: " + children(0).dump() + "\n";
  }

 private:
  using Json = nlohmann::ordered_json;
  struct Node {
    std::string kind;
    int parent = 0;
    std::vector<int> children;
  };

  unsigned below(std::size_t n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return below(n) == 0; }
  template <typename T>
  const T& one_of(const std::vector<T>& items) {
    return items[below(items.size())];
  }
  static std::string name(int node) { return "S" + std::to_string(node); }
  std::string event() { return "e" + std::to_string(below(5)); }

  int add(int parent, const std::string& kind) {
    const int id = static_cast<int>(nodes_.size());
    nodes_.push_back({kind, parent, {}});
    nodes_[static_cast<std::size_t>(parent)].children.push_back(id);
    return id;
  }
  const Node& node(int id) const { return nodes_[static_cast<std::size_t>(id)]; }

  void grow(int parent) {
    const bool regions = node(parent).kind == "parallel";
    const unsigned count = regions ? 2 + below(2) : 1 + below(3);
    for (unsigned i = 0; i < count; ++i) {
      const bool room = static_cast<int>(nodes_.size()) < options_.states;
      const unsigned die = below(10);
      if (room && die < 3) {
        grow(add(parent, "compound"));
      } else if (room && die < 5) {
        grow(add(parent, "parallel"));
      } else {
        add(parent, "atomic");
      }
    }
    if (!regions && one_in(3)) add(parent, "final");
    if (parent != 0 && one_in(2)) add(parent, one_in(2) ? "shallow" : "deep");
  }

  bool is_history(int id) const { return node(id).kind == "shallow" || node(id).kind == "deep"; }
  bool is_inside(int id, int ancestor) const {
    while (id != 0 && id != ancestor) id = node(id).parent;
    return id == ancestor;
  }

  // A state strictly inside `around`, or with a parallel on the way sometimes one in each of some
  // regions.
  std::vector<int> targets(int around, bool histories) {
    std::vector<int> candidates;
    for (int child : node(around).children) {
      if (histories || !is_history(child)) candidates.push_back(child);
    }
    const int child = one_of(candidates);
    if (node(child).children.empty() || one_in(3)) return {child};
    if (node(child).kind != "parallel") return targets(child, histories);
    std::vector<int> result;
    for (int region : node(child).children) {
      if (is_history(region) || one_in(3)) continue;
      const std::vector<int> inner =
          node(region).children.empty() ? std::vector<int>{region} : targets(region, histories);
      result.insert(result.end(), inner.begin(), inner.end());
    }
    return result.empty() ? std::vector<int>{child} : result;
  }

  Json names(const std::vector<int>& ids) {
    Json result = Json::array();
    for (int id : ids) result.push_back(name(id));
    return result;
  }

  Json initial(int id) {
    Json result = {{"target", names(targets(id, id != 0))}};
    if (one_in(8)) result["do"] = raise();
    return result;
  }

  std::string raise() { return "raise('" + event() + "')"; }

  Json transition(int source, bool guarded) {
    Json result = Json::object();
    const bool internal = node(source).kind == "compound" && source != 0 && one_in(3);
    if (!one_in(6)) {
      result["target"] = names(targets(internal ? source : 0, true));
      if (internal) result["internal"] = true;
    }
    if (guarded || one_in(3)) {
      const int last = static_cast<int>(nodes_.size()) - 1;
      result["guard"] =
          "state_in('" + name(1 + static_cast<int>(below(static_cast<std::size_t>(last)))) + "')";
    }
    if (result.empty() || one_in(8)) result["do"] = raise();
    if (options_.activities && one_in(6)) {
      result["do"] = "send('" + event() + "', nil, {after = '1s', id = '" + event() + "'})";
    }
    return result;
  }

  Json transitions(int source) {
    Json result = Json::array();
    const unsigned count = 1 + below(3);
    for (unsigned i = 0; i < count; ++i) {
      Json entry = transition(source, false);
      entry["event"] = one_in(8) ? "any" : event();
      result.push_back(std::move(entry));
    }
    return result;
  }

  Json children(int parent) {
    Json result = Json::object();
    for (int child : node(parent).children) result[name(child)] = state(child);
    return result;
  }

  Json state(int id) {
    const Node& n = node(id);
    if (n.kind == "final") return {{"final", true}};
    if (is_history(id)) return history(id);
    Json result = Json::object();
    if (n.kind == "compound") result["initial"] = initial(id);
    if (n.kind == "parallel") result["parallel"] = true;
    if (one_in(15)) result["entry"] = raise();
    if (one_in(15)) result["exit"] = raise();
    if (!one_in(4)) result["on"] = transitions(id);
    if (one_in(12)) result["always"] = transition(id, true);
    if (options_.activities && one_in(4)) result["after"] = {{"5s", transition(id, false)}};
    if (n.kind != "atomic") {
      result["states"] = children(id);
    } else if (options_.activities && !options_.child.empty() && one_in(3)) {
      result["machine"] = options_.child;
    } else if (options_.activities && one_in(2)) {
      result["run"] = {{"argv", {"x"}}};
    }
    return result;
  }

  Json history(int id) {
    const int parent = node(id).parent;
    std::vector<int> to;
    if (node(id).kind == "deep") {
      to = targets(parent, false);
    } else {
      for (int child : node(parent).children) {
        if (!is_history(child)) to.push_back(child);
      }
      if (node(parent).kind != "parallel") to = {one_of(to)};
    }
    return {{"history", node(id).kind}, {"default", {{"target", names(to)}, {"do", raise()}}}};
  }

  std::mt19937 random_;
  ChartOptions options_;
  std::vector<Node> nodes_;
};

}  // namespace agneto::chart
