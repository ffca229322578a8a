#include <fmt/format.h>

#include <algorithm>

#include "model/binder.h"
#include "model/rules.h"
#include "model/values.h"

namespace agneto::model {

namespace {

std::vector<std::string> event_names(const yaml::Node& node) {
  std::vector<std::string> result;
  for (const yaml::Node& item : node.one_or_all()) {
    if (item.kind == yaml::Kind::scalar) result.push_back(item.text);
  }
  return result;
}

}  // namespace

// Binds a target, a transition, or a list of them that are tried in order, and hands each to
// `each`.
template <typename Each>
void Binder::alternatives(StateId source, const Node& node, Each each) {
  if (node.kind != yaml::Kind::sequence) {
    each(transition(source, node));
    return;
  }
  const bool only_targets = std::all_of(node.items.begin(), node.items.end(), [](const Node& item) {
    return item.kind == yaml::Kind::scalar;
  });
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& item = node.items[i];
    each(transition(source, item));
    if (i + 1 == node.items.size() || item.find("guard")) continue;
    Diagnostic& problem =
        diagnostics_.report(rules::never_tried, item.span,
                            "this alternative has no guard, so that those after it are never tried",
                            "give it a guard, or move it to the end");
    if (only_targets) {
      problem.help =
          "to enter several states at once write {target: [A, B]}; an alternative that is "
          "not the last needs a guard";
      for (++i; i < node.items.size(); ++i) each(transition(source, node.items[i]));
    }
  }
}

void Binder::bind_on(StateId source, const Node& node) {
  const auto add = [&](std::vector<std::string> events) {
    return [this, source, events = std::move(events)](TransitionId id) {
      machine_.transitions[id].events = events;
      machine_.states[source].on.push_back(id);
    };
  };
  for (const auto& [event, value] : node.entries) {
    if (value.kind != yaml::Kind::null) alternatives(source, value, add({event.text}));
  }
  for (const Node& item : node.items) {
    if (const Node* event = item.find("event")) add(event_names(*event))(transition(source, item));
  }
}

void Binder::bind_always(StateId source, const Node& node) {
  // What it does may let another region, a state inside or an alternative before it go on.
  bool stays = machine_.states[source].kind == StateKind::atomic;
  for (StateId s = source; s != 0; s = machine_.states[s].parent) {
    stays = stays && machine_.states[s].kind != StateKind::parallel;
  }
  alternatives(source, node, [&](TransitionId id) {
    const Transition& eventless = machine_.transitions[id];
    auto& always = machine_.states[source].always;
    always.push_back(id);
    if (stays && always.size() == 1 && eventless.targets.empty() && eventless.guard == none &&
        !eventless.actions.empty()) {
      diagnostics_.report(
          rules::endless, eventless.span,
          "this transition needs no event, has no guard and leads nowhere: it is taken for "
          "ever",
          "give it a target or a guard, or move what it does to `entry`");
    }
  });
}

void Binder::bind_after(StateId source, const Node& node) {
  const auto bind = [&](const Node& delay, const Node& value) {
    const auto literal = as_duration(delay);
    const CodeId code = literal ? none : expression(delay, "delay");
    TransitionId timer = none;
    alternatives(source, value, [&](TransitionId id) {
      if (timer == none) timer = id;
      Transition& alternative = machine_.transitions[id];
      alternative.delay = literal.value_or(Millis(0));
      alternative.delay_code = code;
      alternative.timer = timer;
      machine_.states[source].after.push_back(id);
    });
  };
  for (const auto& [delay, value] : node.entries) {
    if (value.kind != yaml::Kind::null) bind(delay, value);
  }
  for (const Node& item : node.items) {
    if (const Node* delay = item.find("delay")) bind(*delay, item);
  }
}

TransitionId Binder::transition(StateId source, const Node& node) {
  const auto id = static_cast<TransitionId>(machine_.transitions.size());
  machine_.transitions.emplace_back();
  Transition result;
  result.source = source;
  result.span = node.span;
  if (node.kind != yaml::Kind::map) result.targets = targets(node);
  for (const auto& [key, value] : node.entries) {
    if (key.text == "target") {
      result.targets = targets(value);
      result.span = value.span;
    } else if (key.text == "guard") {
      result.guard = expression(value, "guard");
    } else if (key.text == "do") {
      result.actions = blocks(value, "do");
    } else if (key.text == "internal") {
      result.internal = as_boolean(value).value_or(false);
    } else if (key.text == "wall") {
      result.wall = as_boolean(value).value_or(false);
    }
  }
  check_internal(result, node);
  machine_.transitions[id] = std::move(result);
  return id;
}

void Binder::check_internal(const Transition& transition, const Node& node) {
  if (!transition.internal) return;
  const State& source = machine_.states[transition.source];
  const Span span = node.find("internal")->span;
  const std::string name = source.id == 0 ? "the machine" : "'" + source.name + "'";
  const auto has_no_effect = [&](const std::string& why, const char* help) {
    diagnostics_.report(rules::bad_internal, span, "`internal` has no effect: " + why, help);
  };
  if (!node.find("target")) {
    has_no_effect("a transition without a target leaves nothing", "remove `internal`");
  } else if (source.kind != StateKind::compound) {
    has_no_effect(name + " is not a compound state", "remove `internal`");
  } else if (std::any_of(transition.targets.begin(), transition.targets.end(), [&](StateId target) {
               return !machine_.is_descendant(target, source.id);
             })) {
    has_no_effect(fmt::format("the transition leads to a state outside of {}", name),
                  "remove `internal`, or choose a target inside");
  }
}

}  // namespace agneto::model
