#include "model/extending.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "model/changed_providers.h"
#include "model/keys.h"
#include "model/rules.h"
#include "model/shape.h"

namespace agneto::model {

namespace {

using yaml::Entry;
using yaml::Kind;
using yaml::Node;
using Form = Shape::Form;
using Shapes = std::vector<Shape>;

// The key under which a construct has what may be written in its place; empty: it has no short
// form.
std::string_view short_key(ConstructId id) {
  switch (id) {
    case ConstructId::start:
    case ConstructId::transition:
    case ConstructId::timer_transition:
      return "target";
    case ConstructId::agent_call:
      return "name";
    case ConstructId::option:
      return "label";
    case ConstructId::input:
    case ConstructId::verdict_field:
      return "type";
    case ConstructId::context_entry:
      return "default";
    default:
      return {};
  }
}

bool is_short(const Node& node, ConstructId id) {
  if (short_key(id).empty()) return false;
  if (id == ConstructId::context_entry) return !is_written_out(node);
  if (id == ConstructId::input || id == ConstructId::verdict_field) {
    return node.kind != Kind::map || is_type_map(node);
  }
  return node.kind == Kind::scalar;
}

// Are they the construct, and one of them has more than what may be written in its place?
bool can_be_merged(const Node& a, const Node& b, ConstructId id) {
  const bool short_a = is_short(a, id);
  const bool short_b = is_short(b, id);
  return (short_a || a.kind == Kind::map) && (short_b || b.kind == Kind::map) &&
         !(short_a && short_b);
}

void write_out(Node& node, ConstructId id) {
  if (!is_short(node, id)) return;
  Node name;
  name.kind = Kind::scalar;
  name.span = node.span;
  name.text = short_key(id);
  Node map;
  map.kind = Kind::map;
  map.span = node.span;
  map.entries.push_back({std::move(name), std::move(node)});
  node = std::move(map);
}

const Shape* find_form(const Shapes& shapes, Form form) {
  const auto found = std::ranges::find(shapes, form, &Shape::form);
  return found == shapes.end() ? nullptr : &*found;
}

class Layer {
 public:
  Layer(Node& base, const std::string& name, Diagnostics& diagnostics)
      : base_(base), name_(name), diagnostics_(diagnostics) {
    note_states(base, {});
  }

  void lay(Node& changes) {
    object(base_, changes, ConstructId::machine, {});
    settle(base_, {});
  }

 private:
  struct Place {
    Entry* entry = nullptr;
    std::string parent;  // empty: the machine
  };

  // Maps of states get and lose entries only at the end, so that these places stay good.
  void note_states(Node& of, const std::string& parent) {
    Entry* states = of.find_entry("states");
    if (!states) return;
    for (Entry& entry : states->value.entries) {
      states_.emplace(entry.key.text, Place{&entry, parent});
      note_states(entry.value, entry.key.text);
    }
  }

  // `state`: the one that the map is, or is a part of; empty: the machine.
  void object(Node& base, Node& changes, ConstructId id, const std::string& state) {
    const bool has_states = id == ConstructId::machine || id == ConstructId::state;
    for (Entry& change : changes.entries) {
      const std::string& key = change.key.text;
      if (id == ConstructId::machine && key == "extends") continue;
      const Key* known = find_key(construct(id), key);
      const Shapes shapes = known ? known->shapes : Shapes();
      const bool removes = change.value.kind == Kind::null && !find_form(shapes, Form::literal);
      if (removes && known && known->required) {
        report_needed(change, id);
        continue;
      }
      if (id == ConstructId::context_entry) replace_start(base, changes, key);
      if (has_states && key == "states" && change.value.kind != Kind::map) {
        forget(base, {state.empty() ? name_ : state, change.key.span});
      }
      if (removes) {
        remove(base, change);
      } else if (Entry* entry = base.find_entry(key); !entry) {
        base.entries.push_back(std::move(change));
      } else if (has_states && key == "states" && change.value.kind == Kind::map) {
        states(change.value, state);
      } else {
        value(*entry, change, shapes, state);
      }
    }
  }

  // A variable starts with a literal or with what Lua works out, so that one takes the place of the
  // other. `default: null` is such a literal, and does not remove the key.
  static void replace_start(Node& base, const Node& changes, const std::string& key) {
    if (key != "default" && key != "init") return;
    const std::string_view other = key == "init" ? "default" : "init";
    if (changes.find(other)) return;
    std::erase_if(base.entries, [&](const Entry& entry) { return entry.key.text == other; });
  }

  void report_needed(const Entry& change, ConstructId id) {
    diagnostics_.report(rules::missing_key, change.key.span,
                        fmt::format("{} needs the key '{}'", construct(id).noun, change.key.text),
                        change.key.text == "agneto" ? "a file that extends another needs it, too"
                                                    : "give it another value, or leave it out");
  }

  void value(Entry& entry, Entry& change, const Shapes& shapes, const std::string& state) {
    const Shape* names = find_form(shapes, Form::names);
    if (names && change.value.kind == Kind::map && entry.value.kind == Kind::sequence) {
      Diagnostic& problem = diagnostics_.report(
          rules::extension, change.key.span,
          fmt::format("'{}' is a list in '{}', which a map cannot change", change.key.text, name_),
          "write a list, which takes its place");
      problem.related.push_back({entry.key.span, "the list is here"});
      return;
    }
    if (names && change.value.kind == Kind::map && entry.value.kind == Kind::map) {
      return this->names(entry.value, change.value, names->elements, state);
    }
    const Shape* one = find_form(shapes, Form::object);
    if (one && can_be_merged(entry.value, change.value, one->construct)) {
      write_out(entry.value, one->construct);
      write_out(change.value, one->construct);
      return object(entry.value, change.value, one->construct, state);
    }
    entry = std::move(change);
  }

  void names(Node& base, Node& changes, const Shapes& elements, const std::string& state) {
    for (Entry& change : changes.entries) {
      if (change.value.kind == Kind::null) {
        remove(base, change);
      } else if (Entry* entry = base.find_entry(change.key.text)) {
        value(*entry, change, elements, state);
      } else {
        base.entries.push_back(std::move(change));
      }
    }
  }

  // What is said of states in the map of that parent, or at the top.
  void states(Node& changes, const std::string& parent) {
    for (Entry& change : changes.entries) {
      const auto known = states_.find(change.key.text);
      if (known == states_.end() && change.value.kind == Kind::null) {
        nothing_to_remove(change);
      } else if (known == states_.end()) {
        added_[parent].push_back(std::move(change));
      } else if (parent.empty() || known->second.parent == parent) {
        state(*known->second.entry, change);
      } else {
        report_elsewhere(change, known->second, parent);
      }
    }
  }

  void state(Entry& entry, Entry& change) {
    const std::string name = entry.key.text;
    const bool removes = change.value.kind == Kind::null;
    if (report_twice(change, removes)) return;
    (removes ? removed_ : changed_).emplace(name, change.key.span);
    if (removes) return;
    if (change.value.kind == Kind::map && entry.value.kind == Kind::map) {
      object(entry.value, change.value, ConstructId::state, name);
    } else {
      forget(entry.value, {name, change.key.span});
      entry = std::move(change);
    }
  }

  // A state may be written where it is in the base, and at the top.
  bool report_twice(const Entry& change, bool removes) {
    const auto changed = changed_.find(change.key.text);
    const auto removed = removed_.find(change.key.text);
    const bool was_removed = removed != removed_.end();
    if (changed == changed_.end() && !was_removed) return false;
    const auto word = [](bool is_removed) { return is_removed ? "removed" : "changed"; };
    Diagnostic& problem =
        diagnostics_.report(rules::extension, change.key.span,
                            fmt::format("'{}' is {} here and {} elsewhere", change.key.text,
                                        word(removes), word(was_removed)),
                            removes || was_removed ? "leave one of the two out"
                                                   : "write all of it in one of the two places");
    problem.related.push_back({was_removed ? removed->second : changed->second,
                               fmt::format("{} here", word(was_removed))});
    return true;
  }

  void report_elsewhere(const Entry& change, const Place& place, const std::string& parent) {
    Diagnostic& problem = diagnostics_.report(
        rules::extension, change.key.span,
        fmt::format("the state '{}' of '{}' is not in '{}'", change.key.text, name_, parent),
        "write it in the `states` of the file, which change a state wherever it is");
    problem.related.push_back({place.entry->key.span, "it is here"});
  }

  void remove(Node& base, const Entry& change) {
    Entry* entry = base.find_entry(change.key.text);
    if (!entry) return nothing_to_remove(change);
    base.entries.erase(base.entries.begin() + (entry - base.entries.data()));
  }

  void nothing_to_remove(const Entry& change) {
    diagnostics_.report(
        rules::extension, change.key.span,
        fmt::format("there is no '{}' here in '{}' to remove", change.key.text, name_),
        "leave it out, or give it a value");
  }

  // Takes away the states that are removed, and adds those that are new behind the others.
  void settle(Node& of, const std::string& parent) {
    Entry* states = of.find_entry("states");
    if (!states) return;
    std::vector<Entry>& all = states->value.entries;
    std::erase_if(all, [&](const Entry& entry) {
      const auto removed = removed_.find(entry.key.text);
      if (removed == removed_.end()) return false;
      check_removed(entry.value, *removed);
      return true;
    });
    for (Entry& entry : all) settle(entry.value, entry.key.text);
    const auto added = added_.find(parent);
    if (added == added_.end()) return;
    std::ranges::move(added->second, std::back_inserter(all));
  }

  // The states in there are gone at once.
  void forget(const Node& of, const std::pair<const std::string, Span>& removed) {
    check_removed(of, removed);
    forget(of);
  }
  void forget(const Node& of) {
    const Node* states = of.find("states");
    if (!states) return;
    for (const Entry& entry : states->entries) {
      states_.erase(entry.key.text);
      forget(entry.value);
    }
  }

  // What is changed must not go with what is removed around it.
  void check_removed(const Node& of, const std::pair<const std::string, Span>& removed) {
    const Node* states = of.find("states");
    if (!states) return;
    for (const Entry& entry : states->entries) {
      check_removed(entry.value, removed);
      const auto changed = changed_.find(entry.key.text);
      if (changed == changed_.end()) continue;
      Diagnostic& problem = diagnostics_.report(
          rules::extension, changed->second,
          fmt::format("'{}' is in '{}', which is removed", entry.key.text, removed.first),
          "leave one of the two out");
      problem.related.push_back({removed.second, "removed here"});
    }
  }

  Node& base_;
  const std::string& name_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, Place> states_;
  std::unordered_map<std::string, std::vector<Entry>> added_;  // by the state that they are in
  std::unordered_map<std::string, Span> removed_;
  std::unordered_map<std::string, Span> changed_;
};

}  // namespace

void extend(Node& base, Node changes, const std::string& name, Diagnostics& diagnostics) {
  if (base.kind != Kind::map || changes.kind != Kind::map) return;
  const ChangedProviders providers(base);
  const Source* source = changes.span.source;
  Layer(base, name, diagnostics).lay(changes);
  providers.forget_words(base, source);
}

}  // namespace agneto::model
