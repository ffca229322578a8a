// SCXML's appendix D, written down as it stands there: slow, plain, and nothing of the engine's
// own, so that the engine can be held against it. Guards are state_in('X'), actions raise('e').
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

  std::string trace;  // "-A +B t3" of the last event
  bool running = true;
  bool livelock = false;

  void start() {
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
    trace.clear();
    steps_ = 0;
    microstep(select(&name));
    macrostep();
  }

  std::vector<std::string> active() const {
    std::vector<std::string> names;
    for (Id s : configuration_) {
      if (is_atomic(s)) names.push_back(m_.state(s).name);
    }
    return names;
  }

 private:
  using Transitions = std::vector<model::TransitionId>;

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
  const std::string& text(model::CodeId code) const { return m_.code[code].text; }
  std::string quoted(const std::string& code) const {
    const auto from = code.find('\'') + 1;
    return code.substr(from, code.find('\'', from) - from);
  }
  bool condition(const model::Transition& t) const {
    if (t.guard == model::none) return true;
    return configuration_.contains(m_.find(quoted(text(t.guard))));
  }
  void execute(const std::vector<model::CodeId>& blocks) {
    for (model::CodeId block : blocks) internal_.push_back(quoted(text(block)));
  }

  void macrostep() {
    while (running && !livelock) {
      Transitions enabled = select(nullptr);
      if (enabled.empty()) {
        if (internal_.empty()) return;
        const std::string event = internal_.front();
        internal_.pop_front();
        enabled = select(&event);
      }
      microstep(enabled);
    }
  }

  // selectTransitions and selectEventlessTransitions
  Transitions select(const std::string* event) {
    Transitions enabled;
    for (Id state : configuration_) {
      if (!is_atomic(state)) continue;
      bool found = false;
      for (Id s = state; !found; s = m_.state(s).parent) {
        for (model::TransitionId t : event ? m_.state(s).on : m_.state(s).always) {
          const model::Transition& transition = m_.transitions[t];
          const bool matches =
              !event || std::any_of(transition.events.begin(), transition.events.end(),
                                    [&](const auto& d) { return model::matches(d, *event); });
          if (matches && condition(transition)) {
            if (std::find(enabled.begin(), enabled.end(), t) == enabled.end()) enabled.push_back(t);
            found = true;
            break;
          }
        }
        if (s == 0) break;
      }
    }
    return remove_conflicting(enabled);
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
    if (++steps_ > limit) {
      livelock = true;
      return;
    }
    exit(enabled);
    for (model::TransitionId t : enabled) {
      trace += " t" + std::to_string(t);
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

  std::set<Id> exit_set(const Transitions& transitions) {
    std::set<Id> result;
    for (model::TransitionId t : transitions) {
      if (m_.transitions[t].targets.empty()) continue;
      const Id d = domain(m_.transitions[t]);
      for (Id s : configuration_) {
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
        history_[h].clear();
        for (Id c : configuration_) {
          const bool wanted = m_.state(h).kind == Kind::deep_history
                                  ? is_atomic(c) && is_descendant(c, *s)
                                  : m_.state(c).parent == *s && c != 0;
          if (wanted) history_[h].push_back(c);
        }
      }
    }
    for (auto s = exits.rbegin(); s != exits.rend(); ++s) {
      execute(m_.state(*s).exit);
      configuration_.erase(*s);
      trace += " -" + m_.state(*s).name;
    }
  }

  void enter(const std::set<Id>& to_enter, const std::set<Id>& by_default,
             const std::map<Id, Id>& history_content) {
    for (Id s : to_enter) {
      configuration_.insert(s);
      if (s != 0) trace += " +" + m_.state(s).name;
      execute(m_.state(s).entry);
      if (by_default.contains(s)) execute(m_.state(s).start.actions);
      if (history_content.contains(s)) execute(m_.state(history_content.at(s)).start.actions);
      if (m_.state(s).kind != Kind::final) continue;
      Id parent = m_.state(s).parent;
      if (parent == 0) {
        running = false;
        continue;
      }
      internal_.push_back("done.state." + m_.state(parent).name);
      // The standard's algorithm looks at the grandparent alone; its text (3.4) at every parallel.
      for (parent = m_.state(parent).parent;
           m_.state(parent).kind == Kind::parallel && is_in_final_state(parent);
           parent = m_.state(parent).parent) {
        internal_.push_back("done.state." + m_.state(parent).name);
      }
    }
    if (running) return;
    for (auto s = configuration_.rbegin(); s != configuration_.rend(); ++s) {
      if (*s != 0) trace += " -" + m_.state(*s).name;
    }
    configuration_.clear();
  }

  void add_descendants(Id s, std::set<Id>& to_enter, std::set<Id>& by_default,
                       std::map<Id, Id>& history_content) {
    if (is_history(s)) {
      const Id parent = m_.state(s).parent;
      std::vector<Id> states = m_.state(s).start.targets;
      if (history_.contains(s)) {
        states = history_[s];
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
        return m_.state(c).kind == Kind::final && configuration_.contains(c);
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
        more = history_.contains(s) ? history_[s] : effective_targets(m_.state(s).start.targets);
      }
      result.insert(result.end(), more.begin(), more.end());
    }
    return result;
  }

  const model::Machine& m_;
  std::set<Id> configuration_;  // by id, which is document order
  std::map<Id, std::vector<Id>> history_;
  std::deque<std::string> internal_;
  int steps_ = 0;
};

}  // namespace agneto::chart
