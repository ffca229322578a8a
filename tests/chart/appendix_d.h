// SCXML's appendix D, written down as it stands there: slow, plain, and nothing of the engine's
// own, so that the engine can be held against it. Its guards and actions are the few kinds that
// RandomChart writes. What this language adds stands apart, at the end of the public part.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/machine.h"

namespace agneto::chart {

class AppendixD {
 public:
  using Id = model::StateId;
  using Kind = model::StateKind;
  static constexpr int limit = 1000;

  explicit AppendixD(const model::Machine& machine) : m_(machine) {}

  // What the last event led to.
  std::vector<std::string> moved;        // "-A", "+B"
  std::vector<std::string> transitions;  // "t3"
  bool taken = false;
  int untaken_errors = 0;
  bool livelock = false;
  bool unhandled = false;  // an activity's outcome was not taken

  bool running = true;

  void start() {
    before_ = s_;
    std::set<Id> to_enter, by_default;
    std::map<Id, Id> history_content;
    to_enter.insert(0);
    by_default.insert(0);
    for (Id t : m_.state(0).start.targets)
      add_descendants(t, to_enter, by_default, history_content);
    for (Id t : m_.state(0).start.targets)
      add_ancestors(t, 0, to_enter, by_default, history_content);
    enter(to_enter, by_default, history_content);
    macrostep();
  }

  void event(const std::string& name) {
    begin(name);
    first_step(select(&name));
  }

  std::vector<std::string> active() const {
    std::vector<std::string> names;
    for (Id s : s_.configuration) {
      if (is_atomic(s)) names.push_back(m_.state(s).name);
    }
    return names;
  }
  int sum() const { return s_.sum; }
  bool pending() const { return !s_.external.empty(); }

  // The next event of the external queue.
  void queued() {
    const std::string name = s_.external.front().name;
    s_.external.pop_front();
    event(name);
  }
  void send_due(const std::string& id) {
    const auto sent = std::find_if(s_.delayed.begin(), s_.delayed.end(),
                                   [&](const Sent& send) { return send.id == id; });
    const std::string name = sent->name;
    s_.delayed.erase(sent);
    event(name);
  }
  // The `number`th entry (from 0) of the state's `after`.
  void timer_due(Id state, std::size_t number) {
    s_.timers.erase({state, number});
    begin("after");
    const auto& after = m_.state(state).after;
    for (model::TransitionId t : after) {
      if (m_.transitions[t].timer == after[number] && condition(t)) return first_step({t});
    }
    first_step({});
  }
  // Addressed: it goes up from its owner.
  void outcome(Id owner, const std::string& name) {
    s_.activities.erase(owner);
    begin(name);
    const int entry = s_.entries[owner];
    model::TransitionId t = model::none;
    find(owner, &name, t);
    first_step(t == model::none ? Transitions{} : Transitions{t});
    if (taken || !running || !s_.configuration.contains(owner) || s_.entries[owner] != entry)
      return;
    unhandled = true;
    end();
  }
  std::set<std::string> outstanding() const {
    std::set<std::string> paths;
    for (Id s : s_.activities) paths.insert(path(s));
    for (const auto& [s, number] : s_.timers)
      paths.insert((s == 0 ? "." : path(s)) + "/after:" + std::to_string(number + 1));
    for (const Sent& sent : s_.delayed) paths.insert("send:" + sent.id);
    return paths;
  }

 private:
  using Transitions = std::vector<model::TransitionId>;
  struct Raised {
    std::string name;
    bool error = false;  // of the engine's own
  };
  struct Sent {
    std::string id, name;
  };
  struct State {
    std::set<Id> configuration;  // by id, which is document order
    std::map<Id, std::vector<Id>> history;
    std::deque<Raised> internal;
    std::deque<Sent> external;
    std::vector<Sent> delayed;
    std::map<Id, int> entries;
    std::set<std::pair<Id, std::size_t>> timers;
    std::set<Id> activities;
    int sends = 0;
    int sum = 0;
  };

  std::string path(Id s) const { return m_.state(s).name + "#" + std::to_string(s_.entries.at(s)); }
  bool is_history(Id s) const {
    return m_.state(s).kind == Kind::shallow_history || m_.state(s).kind == Kind::deep_history;
  }
  bool is_atomic(Id s) const {
    return m_.state(s).kind == Kind::atomic || m_.state(s).kind == Kind::final;
  }
  bool is_descendant(Id s, Id ancestor) const {
    while (s != 0) {
      s = m_.state(s).parent;
      if (s == ancestor) return true;
    }
    return false;
  }
  std::vector<Id> child_states(Id s) const {
    std::vector<Id> result;
    for (Id c : m_.state(s).children) {
      if (!is_history(c)) result.push_back(c);
    }
    return result;
  }

  // What stands between the n-th pair of quotes.
  static std::string quoted(const std::string& code, int n = 0) {
    std::size_t from = code.find('\'') + 1;
    for (; n > 0; --n) from = code.find('\'', code.find('\'', from) + 1) + 1;
    return code.substr(from, code.find('\'', from) - from);
  }
  bool is_active(const std::string& name) const { return s_.configuration.contains(m_.find(name)); }
  bool condition(model::TransitionId t) {
    const model::CodeId guard = m_.transitions[t].guard;
    if (guard == model::none) return true;
    const std::string& code = m_.code[guard].text;
    if (code == "false") return false;
    if (code.starts_with("not ")) return !is_active(quoted(code));
    if (code.starts_with("state_in")) return is_active(quoted(code));
    if (code.starts_with("event.name")) return event_ == quoted(code);
    // Raised again it would never end: the standard's one gap that an engine has to fill.
    if (failed_.insert(t).second) s_.internal.push_back({"error.lua", true});
    return false;
  }

  void execute(const std::vector<model::CodeId>& blocks) {
    for (model::CodeId block : blocks) {
      const std::string& code = m_.code[block].text;
      const std::size_t semicolon = std::min(code.find("; "), code.size());
      const std::string mark = code.substr(0, semicolon);
      int number = std::stoi(mark.substr(mark.find("31 + ") + 5));
      if (mark.find("state_in") != std::string::npos && is_active(quoted(mark))) number += 500;
      s_.sum = (s_.sum * 31 + number) % 65521;
      if (semicolon < code.size()) call(code.substr(semicolon + 2));
    }
  }
  void call(const std::string& code) {
    const std::string argument = quoted(code);
    if (code.starts_with("raise")) s_.internal.push_back({argument});
    if (code.starts_with("error")) s_.internal.push_back({"error.lua", true});
    if (code.starts_with("cancel")) cancel(argument);
    if (!code.starts_with("send")) return;
    if (code.find("after") == std::string::npos) {
      s_.external.push_back({"", argument});
    } else if (code.find("id") == std::string::npos) {
      s_.delayed.push_back({"#" + std::to_string(++s_.sends), argument});
    } else {
      cancel(quoted(code, 2));
      s_.delayed.push_back({quoted(code, 2), argument});
    }
  }
  void cancel(const std::string& id) {
    std::erase_if(s_.delayed, [&](const Sent& sent) { return sent.id == id; });
  }

  void begin(const std::string& name) {
    moved.clear();
    transitions.clear();
    untaken_errors = 0;
    event_ = name;
    before_ = s_;
    failed_.clear();
    steps_ = 0;
  }
  void first_step(const Transitions& enabled) {
    taken = !enabled.empty();
    microstep(enabled);
    macrostep();
  }

  void macrostep() {
    while (running) {
      Transitions enabled = select(nullptr);
      if (enabled.empty()) {
        if (s_.internal.empty()) break;
        const Raised raised = s_.internal.front();
        s_.internal.pop_front();
        event_ = raised.name;
        enabled = select(&raised.name);
        if (enabled.empty() && raised.error) ++untaken_errors;
      }
      microstep(enabled);
    }
    for (Id s : unstarted_) {
      if (m_.state(s).has_activity()) s_.activities.insert(s);
      const auto& after = m_.state(s).after;
      for (std::size_t i = 0; i < after.size(); ++i) {
        if (m_.transitions[after[i]].timer == after[i]) s_.timers.insert({s, i});
      }
    }
    unstarted_.clear();
  }

  // selectTransitions and selectEventlessTransitions
  Transitions select(const std::string* event) {
    Transitions enabled;
    for (Id state : s_.configuration) {
      if (!is_atomic(state)) continue;
      model::TransitionId t = model::none;
      if (find(state, event, t) && std::find(enabled.begin(), enabled.end(), t) == enabled.end())
        enabled.push_back(t);
    }
    return remove_conflicting(enabled);
  }
  bool find(Id state, const std::string* event, model::TransitionId& found) {
    for (Id s = state;; s = m_.state(s).parent) {
      for (model::TransitionId t : event ? m_.state(s).on : m_.state(s).always) {
        const auto& descriptors = m_.transitions[t].events;
        const bool matches =
            !event || std::any_of(descriptors.begin(), descriptors.end(),
                                  [&](const auto& d) { return model::matches(d, *event); });
        if (!matches || !condition(t)) continue;
        found = t;
        return true;
      }
      if (s == 0) return false;
    }
  }

  Transitions remove_conflicting(const Transitions& enabled) {
    Transitions filtered;
    for (model::TransitionId t1 : enabled) {
      bool preempted = false;
      Transitions to_remove;
      for (model::TransitionId t2 : filtered) {
        const std::set<Id> e1 = exit_set({t1}), e2 = exit_set({t2});
        const bool meet = std::any_of(e1.begin(), e1.end(), [&](Id s) { return e2.contains(s); });
        if (!meet) continue;
        if (is_descendant(m_.transitions[t1].source, m_.transitions[t2].source)) {
          to_remove.push_back(t2);
        } else {
          preempted = true;
          break;
        }
      }
      if (preempted) continue;
      for (model::TransitionId t3 : to_remove) std::erase(filtered, t3);
      filtered.push_back(t1);
    }
    return filtered;
  }

  void microstep(const Transitions& enabled) {
    if (enabled.empty()) return;
    failed_.clear();
    if (++steps_ > limit) {
      livelock = true;
      s_ = before_;
      unstarted_.clear();
      moved.clear();
      transitions.clear();
      untaken_errors = 0;
      return end();
    }
    exit(enabled);
    for (model::TransitionId t : enabled) {
      transitions.push_back("t" + std::to_string(t));
      execute(m_.transitions[t].actions);
    }
    std::set<Id> to_enter, by_default;
    std::map<Id, Id> history_content;
    for (model::TransitionId id : enabled) {
      const model::Transition& t = m_.transitions[id];
      for (Id s : t.targets) add_descendants(s, to_enter, by_default, history_content);
      if (t.targets.empty()) continue;
      const Id ancestor = domain(t);
      for (Id s : effective_targets(t.targets)) {
        add_ancestors(s, ancestor, to_enter, by_default, history_content);
      }
    }
    enter(to_enter, by_default, history_content);
  }

  std::set<Id> exit_set(const Transitions& enabled) {
    std::set<Id> result;
    for (model::TransitionId t : enabled) {
      if (m_.transitions[t].targets.empty()) continue;
      const Id d = domain(m_.transitions[t]);
      for (Id s : s_.configuration) {
        if (is_descendant(s, d)) result.insert(s);
      }
    }
    return result;
  }

  void exit(const Transitions& enabled) {
    const std::set<Id> exits = exit_set(enabled);
    for (auto s = exits.rbegin(); s != exits.rend(); ++s) {
      for (Id h : m_.state(*s).children) {
        if (!is_history(h)) continue;
        s_.history[h].clear();
        for (Id c : s_.configuration) {
          const bool wanted = m_.state(h).kind == Kind::deep_history
                                  ? is_atomic(c) && is_descendant(c, *s)
                                  : m_.state(c).parent == *s && c != 0;
          if (wanted) s_.history[h].push_back(c);
        }
      }
    }
    for (auto s = exits.rbegin(); s != exits.rend(); ++s) leave(*s);
  }

  void leave(Id s) {
    execute(m_.state(s).exit);
    s_.configuration.erase(s);
    s_.activities.erase(s);
    std::erase_if(s_.timers, [&](const auto& timer) { return timer.first == s; });
    unstarted_.erase(s);
    if (s != 0) moved.push_back("-" + m_.state(s).name);
  }

  // exitInterpreter
  void end() {
    running = false;
    const std::set<Id> all = s_.configuration;
    for (auto s = all.rbegin(); s != all.rend(); ++s) leave(*s);
    untaken_errors += static_cast<int>(std::count_if(s_.internal.begin(), s_.internal.end(),
                                                     [](const Raised& r) { return r.error; }));
    s_.internal.clear();
    s_.external.clear();
    s_.delayed.clear();
  }

  void enter(const std::set<Id>& to_enter, const std::set<Id>& by_default,
             const std::map<Id, Id>& history_content) {
    bool finished = false;
    for (Id s : to_enter) {
      s_.configuration.insert(s);
      ++s_.entries[s];
      unstarted_.insert(s);
      if (s != 0) moved.push_back("+" + m_.state(s).name);
      execute(m_.state(s).entry);
      if (by_default.contains(s)) execute(m_.state(s).start.actions);
      if (history_content.contains(s)) execute(m_.state(history_content.at(s)).start.actions);
      if (m_.state(s).kind != Kind::final) continue;
      Id parent = m_.state(s).parent;
      if (parent == 0) {
        finished = true;
        continue;
      }
      s_.internal.push_back({"done.state." + m_.state(parent).name});
      // The standard's algorithm looks at the grandparent alone; its text (3.4) at every parallel.
      for (parent = m_.state(parent).parent;
           m_.state(parent).kind == Kind::parallel && is_in_final_state(parent);
           parent = m_.state(parent).parent) {
        s_.internal.push_back({"done.state." + m_.state(parent).name});
      }
    }
    if (finished) end();
  }

  void add_descendants(Id s, std::set<Id>& to_enter, std::set<Id>& by_default,
                       std::map<Id, Id>& history_content) {
    if (is_history(s)) {
      const Id parent = m_.state(s).parent;
      std::vector<Id> states = m_.state(s).start.targets;
      if (s_.history.contains(s)) {
        states = s_.history[s];
      } else {
        history_content[parent] = s;
      }
      for (Id t : states) add_descendants(t, to_enter, by_default, history_content);
      for (Id t : states) add_ancestors(t, parent, to_enter, by_default, history_content);
      return;
    }
    to_enter.insert(s);
    if (m_.state(s).kind == Kind::compound) {
      by_default.insert(s);
      for (Id t : m_.state(s).start.targets) {
        add_descendants(t, to_enter, by_default, history_content);
      }
      for (Id t : m_.state(s).start.targets) {
        add_ancestors(t, s, to_enter, by_default, history_content);
      }
    } else if (m_.state(s).kind == Kind::parallel) {
      add_regions(s, to_enter, by_default, history_content);
    }
  }

  void add_regions(Id s, std::set<Id>& to_enter, std::set<Id>& by_default,
                   std::map<Id, Id>& history_content) {
    for (Id child : child_states(s)) {
      const bool there = std::any_of(to_enter.begin(), to_enter.end(),
                                     [&](Id e) { return e == child || is_descendant(e, child); });
      if (!there) add_descendants(child, to_enter, by_default, history_content);
    }
  }

  void add_ancestors(Id s, Id ancestor, std::set<Id>& to_enter, std::set<Id>& by_default,
                     std::map<Id, Id>& history_content) {
    for (Id a = s; a != ancestor;) {
      a = m_.state(a).parent;
      if (a == ancestor) return;
      to_enter.insert(a);
      if (m_.state(a).kind == Kind::parallel) add_regions(a, to_enter, by_default, history_content);
    }
  }

  bool is_in_final_state(Id s) const {
    const std::vector<Id> children = child_states(s);
    if (m_.state(s).kind == Kind::compound) {
      return std::any_of(children.begin(), children.end(), [&](Id c) {
        return m_.state(c).kind == Kind::final && s_.configuration.contains(c);
      });
    }
    return m_.state(s).kind == Kind::parallel &&
           std::all_of(children.begin(), children.end(),
                       [&](Id c) { return is_in_final_state(c); });
  }

  // getTransitionDomain; the machine's own transitions have the machine.
  Id domain(const model::Transition& t) {
    const std::vector<Id> targets = effective_targets(t.targets);
    const auto holds = [&](Id a) {
      return std::all_of(targets.begin(), targets.end(), [&](Id s) { return is_descendant(s, a); });
    };
    if (t.internal && m_.state(t.source).kind == Kind::compound && holds(t.source)) return t.source;
    for (Id a = t.source; a != 0;) {
      a = m_.state(a).parent;
      if (m_.state(a).kind == Kind::compound && holds(a)) return a;
    }
    return 0;
  }

  std::vector<Id> effective_targets(const std::vector<Id>& targets) {
    std::vector<Id> result;
    for (Id s : targets) {
      std::vector<Id> more = {s};
      if (is_history(s)) {
        more =
            s_.history.contains(s) ? s_.history[s] : effective_targets(m_.state(s).start.targets);
      }
      result.insert(result.end(), more.begin(), more.end());
    }
    return result;
  }

  const model::Machine& m_;
  State s_;
  State before_;  // the event
  std::string event_;
  std::set<model::TransitionId> failed_;  // guards that did so since the last microstep
  std::set<Id> unstarted_;                // entered in this macrostep
  int steps_ = 0;
};

}  // namespace agneto::chart
