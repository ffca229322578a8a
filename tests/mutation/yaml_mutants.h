// Mistakes in a machine's file: in its tree, which is then written again as YAML.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "lua_mutants.h"
#include "mutant.h"
#include "yaml/scalar.h"
#include "yaml/tree.h"
#include "yaml/writer.h"

namespace agneto::mutation {

using yaml::Node;

// The tree as a file again. Says the same, in another form.
inline yaml::Ordered ordered(const Node& node) {
  using yaml::Kind;
  if (node.kind == Kind::null) return nullptr;
  if (node.kind == Kind::scalar) {
    Diagnostics ignored;
    return yaml::Ordered(yaml::to_json(node, ignored));
  }
  if (node.kind == Kind::sequence) {
    auto list = yaml::Ordered::array();
    for (const Node& item : node.items) list.push_back(ordered(item));
    return list;
  }
  auto map = yaml::Ordered::object();
  for (const auto& [key, value] : node.entries) map[key.text] = ordered(value);
  return map;
}

inline std::string rewritten(const Node& root) {
  return yaml::to_yaml(ordered(root));
}

class YamlMutants {
 public:
  YamlMutants(std::string file, const std::string& text, std::vector<Mutant>& found)
      : file_(std::move(file)), found_(found) {
    Diagnostics diagnostics;
    root_ = yaml::parse(std::make_shared<Source>(file_, text), diagnostics);
  }

  void find() {
    variables("context");
    variables("inputs");
    agents();
    bindings(*root_, "outputs", "outputs");
    state(*root_, "", nullptr);
  }

 private:
  using Path = std::string;

  static Node text(std::string words) {
    Node node;
    node.kind = yaml::Kind::scalar;
    node.style = yaml::Style::single_quoted;
    node.text = std::move(words);
    return node;
  }
  static Node* find(Node& map, std::string_view key) {
    for (auto& [name, value] : map.entries) {
      if (name.text == key) return &value;
    }
    return nullptr;
  }
  static void remove(Node& map, std::string_view key) {
    std::erase_if(map.entries, [&](const auto& entry) { return entry.key.text == key; });
  }
  static bool is_map(const Node& node) { return node.kind == yaml::Kind::map; }
  static bool is_list(const Node& node) { return node.kind == yaml::Kind::sequence; }
  static bool is_scalar(const Node& node) { return node.kind == yaml::Kind::scalar; }
  static std::string one_less(const std::string& word) { return word.substr(0, word.size() - 1); }

  // `node` belongs to the tree, which is as before afterwards.
  void make(const std::string& kind, const Path& place, Node& node,
            const std::function<void(Node&)>& change) {
    Node changed = node;
    std::swap(changed, node);
    change(node);
    found_.push_back({kind, file_ + " " + place, file_, rewritten(*root_)});
    std::swap(changed, node);
  }

  // Without the key; without the whole map where nothing would be left in it.
  void drop(const std::string& kind, const Path& place, Node& owner, const std::string& key) {
    make(kind, place, owner, [&](Node& map) { remove(map, key); });
  }

  void drop_keys(const std::string& kind, const Path& place, Node& owner,
                 std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
      if (find(owner, key)) drop(kind, place + " " + key, owner, key);
    }
  }

  void rename(const std::string& kind, const Path& place, Node& map, std::size_t entry) {
    make(kind, place, map, [&](Node& node) {
      node.entries[entry].key = text(one_less(node.entries[entry].key.text));
    });
  }

  void lua(const Path& place, Node& code) {
    const std::string source = code.text;
    const LuaMistake mistake = [&](const std::string& kind, const std::string& was,
                                   const std::string& instead) {
      make(kind, place + " '" + was + "'", code, [&](Node& node) { node = text(instead); });
    };
    wrong_tokens(source, mistake);
    misspelt_names(source, misspelt_, mistake);
    dropped_statements(source, mistake);
  }

  // ---- Data and roles.

  void variables(const std::string& key) {
    Node* all = find(*root_, key);
    if (!all) return;
    for (std::size_t i = 0; i < all->entries.size(); ++i) {
      auto& [name, value] = all->entries[i];
      const Path place = key + " " + name.text;
      drop("drop-variable", place, *all, name.text);
      if (is_scalar(value)) other_default(place, value);
      if (!is_map(value)) continue;
      if (Node* usual = find(value, "default")) {
        drop("drop-default", place, value, "default");
        if (is_scalar(*usual)) other_default(place, *usual);
      }
      if (Node* init = find(value, "init")) lua(place + " init", *init);
      drop_keys("drop-check", place, value, {"minimum", "main"});
      if (Node* type = find(value, "type"); type && is_scalar(*type)) {
        make("wrong-type", place, *type,
             [](Node& node) { node = text(node.text == "string" ? "integer" : "string"); });
      }
    }
  }

  void other_default(const Path& place, Node& value) {
    Diagnostics ignored;
    const Json was = yaml::to_json(value, ignored);
    make("wrong-default", place, value, [&](Node& node) {
      node.style = yaml::Style::plain;
      if (was.is_boolean()) {
        node.text = was.get<bool>() ? "false" : "true";
      } else if (was.is_number_integer()) {
        node.text = std::to_string(was.get<int>() + 1);
      } else {
        node.text = "something";
      }
    });
  }

  void agents() {
    Node* all = find(*root_, "agents");
    for (std::size_t i = 0; i < all->entries.size(); ++i) {
      auto& [name, agent] = all->entries[i];
      const Path place = "agents " + name.text;
      drop("drop-agent", place, *all, name.text);
      make("wrong-hooks", place, *find(agent, "hooks"), [&](Node& node) {
        node = *find(all->entries[(i + 1) % all->entries.size()].value, "hooks");
      });
      make("misspelt-name", place + " hooks", *find(agent, "hooks"),
           [](Node& node) { node = text(one_less(node.text)); });
      make("wrong-access", place, *find(agent, "access"),
           [](Node& node) { node = text(node.text == "edit" ? "read-only" : "edit"); });
      make("wrong-session", place, *find(agent, "session"),
           [](Node& node) { node = text(node.text == "fresh" ? "run" : "fresh"); });
      times(place, agent);
    }
  }

  void times(const Path& place, Node& owner) {
    for (const char* key : {"timeout", "idle"}) {
      Node* time = find(owner, key);
      if (!time) continue;
      drop("drop-setting", place + " " + key, owner, key);
      make("wrong-timeout", place + " " + key, *time,
           [](Node& node) { node = text("1" + node.text); });
    }
  }

  void bindings(Node& owner, const std::string& key, const Path& place) {
    Node* all = find(owner, key);
    if (!all) return;
    for (std::size_t i = 0; i < all->entries.size(); ++i) {
      const std::string name = all->entries[i].key.text;
      drop("drop-binding", place + " " + name, *all, name);
      rename("misspelt-name", place + " " + name, *all, i);
      lua(place + " " + name, all->entries[i].value);
      if (i + 1 < all->entries.size()) {
        make("swap-bindings", place + " " + name, *all,
             [&](Node& node) { std::swap(node.entries[i].value, node.entries[i + 1].value); });
      }
    }
  }

  // ---- States.

  void state(Node& node, const std::string& name, Node* siblings) {
    const Path place = name.empty() ? "the machine" : name;
    Node* states = find(node, "states");
    if (siblings) drop("drop-state", place, *siblings, name);
    drop_keys("drop-action", place, node, {"entry", "exit"});
    for (const char* key : {"entry", "exit"}) {
      if (Node* code = find(node, key)) lua(place + " " + key, *code);
    }
    if (Node* initial = find(node, "initial")) retarget(place + " initial", *initial, states);
    drop_keys("drop-ending", place, node, {"status", "outcome"});
    if (Node* status = find(node, "status")) {
      make("wrong-ending", place + " status", *status,
           [](Node& value) { value = text(value.text == "failed" ? "aborted" : "failed"); });
    }
    if (Node* outcome = find(node, "outcome")) {
      make("rename-outcome", place, *outcome, [](Node& it) { it = text(one_less(it.text)); });
    }
    drop_keys("drop-activity", place, node,
              {"agent", "ask", "run", "workspace", "machine", "with"});
    activity(node, place);
    for (const char* key : {"on", "always"}) {
      if (Node* all = find(node, key)) transitions(node, *all, key, place);
    }
    if (!states) return;
    for (auto& [child, value] : states->entries) state(value, child.text, states);
  }

  void activity(Node& node, const Path& place) {
    if (Node* call = find(node, "agent")) agent_call(*call, place);
    if (Node* ask = find(node, "ask")) question(*ask, place);
    bindings(node, "with", place + " with");
    if (Node* run = find(node, "run")) {
      times(place, *run);
      drop_keys("drop-setting", place, *run, {"access"});
      if (Node* command = find(*run, "command")) lua(place + " command", *command);
    }
    if (Node* work = find(node, "workspace")) operation(*work, place);
  }

  void agent_call(Node& call, const Path& place) {
    Node* all = find(*root_, "agents");
    make("wrong-agent", place, *find(call, "name"), [&](Node& name) {
      std::size_t at = 0;
      while (all->entries[at].key.text != name.text) ++at;
      name = text(all->entries[(at + 1) % all->entries.size()].key.text);
    });
    drop_keys("drop-setting", place, call, {"task", "access"});
    if (Node* task = find(call, "task")) {
      make("wrong-task", place, *task,
           [](Node& it) { it = text(it.text == "apply" || it.text == "code" ? "plan" : "apply"); });
    }
    Node* verdicts = find(call, "verdicts");
    for (std::size_t i = 0; i < verdicts->entries.size(); ++i) {
      const std::string name = verdicts->entries[i].key.text;
      drop("drop-verdict", place + " " + name, *verdicts, name);
      rename("rename-verdict", place + " " + name, *verdicts, i);
      Node& fields = verdicts->entries[i].value;
      for (std::size_t k = 0; k < fields.entries.size(); ++k) {
        const std::string field = fields.entries[k].key.text;
        drop("drop-field", place + " " + name + "." + field, fields, field);
        rename("misspelt-name", place + " " + name + "." + field, fields, k);
      }
    }
  }

  void question(Node& ask, const Path& place) {
    drop_keys("drop-setting", place, ask, {"show", "default", "text"});
    if (Node* show = find(ask, "show")) lua(place + " show", *show);
    Node* options = find(ask, "options");
    if (!options) return;
    for (std::size_t i = 0; i < options->entries.size(); ++i) {
      const std::string name = options->entries[i].key.text;
      drop("drop-option", place + " " + name, *options, name);
      rename("rename-verdict", place + " " + name, *options, i);
      Node& option = options->entries[i].value;
      if (!is_map(option)) continue;
      drop_keys("drop-setting", place + " " + name, option, {"when", "feedback", "edit"});
      if (Node* when = find(option, "when")) {
        lua(place + " " + name + " when", *when);
        make("negate-guard", place + " " + name + " when", *when,
             [](Node& it) { it = text("not (" + it.text + ")"); });
      }
      if (Node* edit = find(option, "edit")) lua(place + " " + name + " edit", *edit);
    }
  }

  void operation(Node& work, const Path& place) {
    make("wrong-operation", place, work, [](Node& it) {
      Node other = *yaml::parse(
          std::make_shared<Source>("", find(it, "discard") ? "commit: {message: all of it}"
                                                           : "discard: {to: last_commit}"),
          scratch());
      it = std::move(other);
    });
    for (auto& [name, value] : work.entries) {
      if (Node* message = find(value, "message")) {
        make("wrong-message", place, *message, [](Node& it) {
          it = text(it.text == "{{ctx.change}}" ? "{{ctx.proposal}}" : "{{ctx.plan}}");
        });
      }
    }
  }

  static Diagnostics& scratch() {
    static Diagnostics diagnostics;
    return diagnostics;
  }

  // ---- Transitions.

  void transitions(Node& owner, Node& all, const std::string& key, const Path& place) {
    const Path at = place + " " + key;
    if (is_list(all)) {
      alternatives(owner, all, key, at);
    } else if (key == "on") {
      by_event(owner, all, at);
    } else {
      alternative(at, all);
      drop("drop-transition", at, owner, key);
    }
  }

  void by_event(Node& owner, Node& all, const Path& at) {
    for (std::size_t i = 0; i < all.entries.size(); ++i) {
      auto& [event, value] = all.entries[i];
      const Path where = at + " " + event.text;
      if (all.entries.size() == 1) {
        drop("drop-handler", where, owner, "on");
      } else {
        drop("drop-handler", where, all, event.text);
      }
      rename("rename-event", where, all, i);
      if (i + 1 < all.entries.size()) {
        make("swap-transitions", where, all,
             [&](Node& node) { std::swap(node.entries[i].value, node.entries[i + 1].value); });
      }
      if (is_list(value)) {
        alternatives(all, value, event.text, where);
      } else {
        alternative(where, value);
      }
    }
  }

  void alternatives(Node& owner, Node& list, const std::string& key, const Path& at) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const Path where = at + "[" + std::to_string(i + 1) + "]";
      if (list.items.size() == 1) {
        drop("drop-transition", where, owner, key);
      } else {
        make("drop-transition", where, list, [&](Node& node) {
          node.items.erase(node.items.begin() + static_cast<std::ptrdiff_t>(i));
        });
      }
      if (i + 1 < list.items.size()) {
        make("swap-transitions", where, list,
             [&](Node& node) { std::swap(node.items[i], node.items[i + 1]); });
      }
      alternative(where, list.items[i]);
      Node* events = is_map(list.items[i]) ? find(list.items[i], "event") : nullptr;
      if (events) event_names(where, *events);
    }
  }

  void event_names(const Path& where, Node& events) {
    if (is_scalar(events)) {
      return make("rename-event", where, events, [](Node& it) { it = text(one_less(it.text)); });
    }
    for (std::size_t i = 0; i < events.items.size(); ++i) {
      const Path place = where + " " + events.items[i].text;
      make("drop-event", place, events, [&](Node& node) {
        node.items.erase(node.items.begin() + static_cast<std::ptrdiff_t>(i));
      });
      make("rename-event", place, events.items[i], [](Node& it) { it = text(one_less(it.text)); });
    }
  }

  void alternative(const Path& where, Node& node) {
    if (is_scalar(node)) return retarget(where, node, nullptr);
    if (Node* target = find(node, "target")) {
      retarget(where, *target, nullptr);
      if (find(node, "do")) drop("drop-target", where, node, "target");
    }
    if (Node* guard = find(node, "guard")) {
      drop("drop-guard", where, node, "guard");
      make("negate-guard", where, *guard,
           [](Node& it) { it = text("not (" + std::string(trim(it.text)) + ")"); });
      lua(where + " guard", *guard);
    }
    if (Node* action = find(node, "do")) {
      drop("drop-action", where, node, "do");
      lua(where + " do", *action);
    }
  }

  // To the state after it in the file; of an `initial`, the one after it beside it.
  void retarget(const Path& where, Node& target, Node* among) {
    std::vector<std::string> names;
    if (among) {
      for (const auto& [name, value] : among->entries) names.push_back(name.text);
    } else {
      collect(*root_, names);
    }
    const auto at = std::find(names.begin(), names.end(), target.text);
    const auto next = at + 1 == names.end() ? names.begin() : at + 1;
    make("retarget", where, target, [&](Node& node) { node = text(*next); });
    make("misspelt-name", where + " " + target.text, target,
         [](Node& node) { node = text(one_less(node.text)); });
  }

  static void collect(Node& node, std::vector<std::string>& names) {
    Node* states = find(node, "states");
    if (!states) return;
    for (auto& [name, value] : states->entries) {
      names.push_back(name.text);
      collect(value, names);
    }
  }

  std::string file_;
  std::unique_ptr<Node> root_;
  std::set<std::string> misspelt_;  // names of data: each once in a file
  std::vector<Mutant>& found_;
};

}  // namespace agneto::mutation
