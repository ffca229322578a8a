// Random charts, made so that what fails can be shrunk.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace agneto::chart {

// Random numbers that somebody else has drawn. Where they run out all are 0, and code that chooses
// takes 0 for the simplest: so a chart made from fewer or smaller numbers is a simpler one.
class Choices {
 public:
  using Tape = std::vector<std::uint16_t>;
  explicit Choices(Tape tape) : tape_(std::move(tape)) {}

  std::size_t below(std::size_t n) { return next_ < tape_.size() ? tape_[next_++] % n : 0; }
  bool one_in(std::size_t n) { return below(n) == n - 1; }
  template <typename T>
  const T& one_of(const std::vector<T>& items) {
    return items[below(items.size())];
  }

  // Up to `longest` numbers.
  static rc::Gen<Tape> tapes(int longest) {
    const auto number =
        rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint16_t>(0, UINT16_MAX));
    return rc::gen::resize(longest, rc::gen::container<Tape>(number));
  }

 private:
  Tape tape_;
  std::size_t next_ = 0;
};

struct ChartOptions {
  std::size_t states = 14;  // about so many
  std::string child = {};   // the file of a machine that states may delegate to
  std::size_t filler = 0;   // so many more, which nothing enters, to spread the others
  bool simple = false;      // most states do nothing but be entered
  // Guards and actions are also of ctx.flag, of ctx.n, which counts to 3, and of ctx.m, which
  // counts without end: what AppendixD does not understand. None of them fails, unless `fails`.
  bool data = false;
  bool fails = false;
  bool talks = false;                      // blocks send events to other machines, too
  std::vector<std::string> outcomes = {};  // that transitions take, too
};

// Guards and actions are of the few kinds that AppendixD understands. Every block of actions adds
// its number to ctx.sum, so that the sum says which blocks ran in which order.
class RandomChart {
 public:
  static const std::vector<std::string>& events() {
    static const std::vector<std::string> names = {"e0",     "e1",   "e2",     "e3",
                                                   "e0.sub", "e1.x", "e1.x.y", "e10"};
    return names;
  }

  RandomChart(Choices choices, ChartOptions options)
      : choices_(std::move(choices)), options_(std::move(options)) {}

  std::string text() {
    nodes_.push_back({"compound", 0, {}});
    grow(0);
    for (std::size_t i = 1; options_.talks && !options_.child.empty() && i < nodes_.size(); ++i) {
      if (nodes_[i].kind == "atomic" && choices_.one_in(3)) delegating_.push_back(name(i));
    }
    std::string text = "agneto: 1\nname: random\ncontext: {sum: 0, flag: false, n: 0, m: 0}\n";
    text += "initial: " + initial(0).dump() + "\n";
    Json on = choices_.one_in(2) ? transitions(0) : Json::array();
    // So that few runs end early by an outcome that nothing takes.
    on.push_back({{"event", {"e0", "e1", "e2"}}, {"target", names(targets(0, true))}});
    text += "on: " + on.dump() + "\n";
    if (has(6)) text += "after: " + timers(0).dump() + "\n";
    return text + "states: " + children(0).dump() + "\n";
  }

 private:
  using Json = nlohmann::ordered_json;
  struct Node {
    std::string kind;
    int parent = 0;
    std::vector<int> children;
  };

  static std::string name(std::size_t node) { return "S" + std::to_string(node); }
  static std::string name(int node) { return name(static_cast<std::size_t>(node)); }
  std::string quoted_event() { return "'" + choices_.one_of(events()) + "'"; }
  int any_node() { return 1 + static_cast<int>(choices_.below(nodes_.size() - 1)); }

  int add(int parent, const std::string& kind) {
    const int id = static_cast<int>(nodes_.size());
    nodes_.push_back({kind, parent, {}});
    nodes_[static_cast<std::size_t>(parent)].children.push_back(id);
    return id;
  }
  const Node& node(int id) const { return nodes_[static_cast<std::size_t>(id)]; }

  void grow(int parent) {
    const bool regions = node(parent).kind == "parallel";
    std::size_t count = regions ? 2 + choices_.below(2) : 1 + choices_.below(3);
    if (choices_.one_in(50)) count = 70;
    for (std::size_t i = 0; i < count; ++i) {
      const bool room = nodes_.size() < options_.states;
      const std::size_t die = room ? choices_.below(10) : 0;
      if (die > 6) {
        grow(add(parent, "compound"));
      } else if (die > 4) {
        grow(add(parent, "parallel"));
      } else {
        add(parent, "atomic");
      }
    }
    if (!regions && choices_.one_in(3)) add(parent, "final");
    if (parent == 0 || options_.simple) return;
    if (choices_.one_in(2)) add(parent, choices_.one_in(2) ? "shallow" : "deep");
    if (choices_.one_in(6)) add(parent, choices_.one_in(2) ? "shallow" : "deep");
  }

  // What a state may have besides its transitions.
  bool has(std::size_t one_in) { return choices_.one_in(options_.simple ? 20 * one_in : one_in); }

  bool is_history(int id) const { return node(id).kind == "shallow" || node(id).kind == "deep"; }

  // A state strictly inside `around`, or with a parallel on the way sometimes one in each of some
  // regions.
  std::vector<int> targets(int around, bool histories) {
    std::vector<int> candidates;
    for (int child : node(around).children) {
      if (histories || !is_history(child)) candidates.push_back(child);
    }
    const int child = choices_.one_of(candidates);
    if (node(child).children.empty() || choices_.one_in(3)) return {child};
    if (node(child).kind != "parallel") return targets(child, histories);
    std::vector<int> result;
    for (int region : node(child).children) {
      if (is_history(region) || choices_.one_in(3)) continue;
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
    if (choices_.one_in(6)) result["do"] = block();
    return result;
  }

  std::string block() {
    std::string text;
    if (options_.fails && choices_.one_in(4)) {
      text = choices_.one_in(2) ? "ctx.flag = true; error('wrong'); " : "ctx.n = 'wrong'; ";
    }
    text += "ctx.sum = (ctx.sum * 31 + " + std::to_string(++blocks_);
    if (choices_.one_in(3)) text += " + (state_in('" + name(any_node()) + "') and 500 or 0)";
    text += ") % 65521";
    if (options_.data && choices_.one_in(3)) {
      static const std::vector<std::string> changes = {"; ctx.flag = true",
                                                       "; ctx.flag = false",
                                                       "; ctx.flag = not ctx.flag",
                                                       "; ctx.n = ctx.n < 3 and ctx.n + 1 or 0",
                                                       "; if ctx.flag then ctx.n = 0 end",
                                                       "; ctx.m = ctx.m + 1",
                                                       "; ctx.m = 0"};
      text += choices_.one_of(changes);
    }
    if (options_.talks && choices_.one_in(3)) return text + "; " + to_other();
    switch (choices_.below(8)) {
      case 1:
      case 2:
        return text + "; raise(" + quoted_event() + ")";
      case 3:
        return text + "; send(" + quoted_event() + ")";
      case 4:
        return text + "; send(" + quoted_event() + ", nil, {after = '1s', id = '" + send_id() +
               "'})";
      case 5:
        return text + "; send(" + quoted_event() + ", nil, {after = '1s'})";
      case 6:
        return text + "; cancel('" + send_id() + "')";
      case 7:
        return choices_.one_in(3) && fails() ? text + "; error('wrong')" : text;
      default:
        return text;
    }
  }
  std::string to_other() {
    std::string options = "to = 'parent'";
    if (!delegating_.empty() && !choices_.one_in(3)) {
      options = "to = '" + choices_.one_of(delegating_) + "'";
    }
    if (choices_.one_in(4)) options += ", after = '1s', id = '" + send_id() + "'";
    return "send(" + quoted_event() + ", nil, {" + options + "})";
  }
  bool fails() const { return !options_.data || options_.fails; }
  std::string send_id() { return choices_.one_in(2) ? "b" : "a"; }

  std::string guard() {
    if (options_.data && choices_.one_in(3)) {
      static const std::vector<std::string> guards = {
          "ctx.flag",  "not ctx.flag", "ctx.n < 2", "ctx.n == 3", "ctx.flag and ctx.n > 0",
          "ctx.m > 1", "ctx.m == 2"};
      return choices_.one_of(guards);
    }
    switch (choices_.below(12)) {
      case 9:
        return "event.name == " + quoted_event();
      case 10:
        return "not state_in('" + name(any_node()) + "')";
      case 11:
        return choices_.one_in(3) && fails() ? "nothing.at_all" : "false";
      default:
        return "state_in('" + name(any_node()) + "')";
    }
  }

  Json transition(int source, bool guarded) {
    Json result = Json::object();
    if (!choices_.one_in(6)) {
      const bool inside = node(source).kind == "compound" && source != 0 && choices_.one_in(2);
      result["target"] = names(targets(inside ? source : 0, true));
      if (choices_.one_in(inside ? 2 : 10)) result["internal"] = true;
    }
    if (guarded || choices_.one_in(3)) result["guard"] = guard();
    if (result.empty() || choices_.one_in(3)) result["do"] = block();
    return result;
  }

  std::string descriptor() {
    if (!options_.outcomes.empty() && choices_.one_in(3)) {
      return choices_.one_of(options_.outcomes);
    }
    switch (choices_.below(16)) {
      case 12:
        return "done.state";
      case 13:
        return "done.state." + name(any_node());
      case 14:
        return "error";
      case 15:
        return "any";
      case 11:
        if (options_.talks) return "error.communication";
        [[fallthrough]];
      default:
        return choices_.one_of(events());
    }
  }

  Json transitions(int source) {
    Json result = Json::array();
    const std::size_t count = 1 + choices_.below(4);
    for (std::size_t i = 0; i < count; ++i) {
      Json entry = transition(source, false);
      entry["event"] = {descriptor()};
      while (choices_.one_in(4)) entry["event"].push_back(descriptor());
      result.push_back(std::move(entry));
    }
    return result;
  }

  Json timers(int source) {
    Json first = {transition(source, true), transition(source, false)};
    return {{"5s", std::move(first)}, {"7s", transition(source, false)}};
  }

  Json children(int parent) {
    Json result = Json::object();
    for (int child : node(parent).children) {
      if (node(parent).kind == "compound" && filler_ < options_.filler) {
        const std::size_t some = 1 + choices_.below(options_.filler);
        for (std::size_t i = 0; i < some; ++i)
          result["F" + std::to_string(++filler_)] = Json::object();
      }
      result[name(child)] = state(child);
    }
    return result;
  }

  Json state(int id) {
    const Node& n = node(id);
    if (n.kind == "final") return {{"final", true}};
    if (is_history(id)) return history(id);
    Json result = Json::object();
    if (n.kind == "compound") result["initial"] = initial(id);
    if (n.kind == "parallel") result["parallel"] = true;
    if (has(5)) result["entry"] = block();
    if (has(5)) result["exit"] = {block(), block()};
    if (!choices_.one_in(4)) result["on"] = transitions(id);
    if (has(12)) result["always"] = transition(id, true);
    if (has(6)) result["after"] = timers(id);
    if (n.kind != "atomic") {
      result["states"] = children(id);
    } else if (!options_.child.empty() && is_delegating(id)) {
      if (choices_.one_in(2)) {
        result["for_each"] = for_each();
      } else {
        result["machine"] = options_.child;
      }
    } else if (has(3)) {
      result["run"] = {{"argv", {"x"}}};
    }
    return result;
  }

  bool is_delegating(int id) {
    if (!options_.talks) return choices_.one_in(3);
    return std::find(delegating_.begin(), delegating_.end(), name(id)) != delegating_.end();
  }

  Json for_each() {
    static const std::vector<std::string> lists = {"{}", "{1}", "{1, 2}", "{1, 2, 3}"};
    static const std::vector<Json> joins = {"all", "any", Json{{"quorum", 2}}};
    Json result = {{"items", choices_.one_of(lists)},
                   {"machine", options_.child},
                   {"max_parallel", choices_.below(3)},
                   {"join", choices_.one_of(joins)}};
    if (choices_.one_in(3)) result["on_item_failure"] = "stop";
    if (choices_.one_in(3)) result["on_item_failure"] = "continue";
    if (choices_.one_in(2)) result["workspace"] = "own";
    return result;
  }

  Json history(int id) {
    std::vector<int> to = targets(node(id).parent, false);
    if (node(node(id).parent).kind == "parallel" && choices_.one_in(2)) {
      to.clear();
      for (int child : node(node(id).parent).children) {
        if (!is_history(child)) to.push_back(child);
      }
    }
    Json result = {{"history", node(id).kind}, {"default", {{"target", names(to)}}}};
    if (choices_.one_in(2)) result["default"]["do"] = block();
    return result;
  }

  Choices choices_;
  ChartOptions options_;
  std::vector<Node> nodes_;
  std::vector<std::string> delegating_;  // where they talk, the states that do
  int blocks_ = 0;
  std::size_t filler_ = 0;
};

// The text of a random chart. RapidCheck prints it as it is.
struct ChartText {
  std::string text;
  friend std::ostream& operator<<(std::ostream& out, const ChartText& chart) {
    return out << chart.text;
  }
};

inline rc::Gen<ChartText> charts(ChartOptions options) {
  return rc::gen::map(Choices::tapes(600), [options](Choices::Tape tape) {
    return ChartText{RandomChart(Choices(std::move(tape)), options).text()};
  });
}

}  // namespace agneto::chart
