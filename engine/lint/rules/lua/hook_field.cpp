#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// What to do about a name that is near no other one: "declare it under `inputs`: plan: TYPE".
std::string to_declare(const Node& table, const std::string& name) {
  const std::string* of = lua::literal_text(table.children[1]);
  if (!of) return {};
  return fmt::format("declare it under `{}`: {}: {}", *of == "ctx" ? "context" : *of, name,
                     *of == "ctx" ? "DEFAULT" : "TYPE");
}

// A module may serve workflows that are not known, so that a name of its own in `m.ctx` and
// `m.inputs` is no mistake; a prompt is of the machines that name it. The rest is what the engine
// gives every hook.
void check_member(const Typed& lua, const Node& node, const Reporter& report) {
  const std::string* name = lua::literal_text(node.children[1]);
  const Facts table = lua.facts(node.children[0]);
  if (!name || !table.fields || table.fields->contains(*name)) return;
  std::vector<std::string> known;
  for (const auto& [field, facts] : *table.fields) known.push_back(field);
  const std::string near = closest(*name, known);
  if (table.closed) {
    report(lua.place(node), "hooks are given no {}", lua.text(node))
        .help(near.empty() ? "it has " + join(known, ", ")
                           : fmt::format("did you mean {}.{}?", lua.text(node.children[0]), near));
  } else if (!near.empty() || lua.is_prompt()) {
    report(lua.place(node), "no machine that calls this agent has {}", lua.text(node))
        .help(near.empty() ? to_declare(node.children[0], *name)
                           : fmt::format("did you mean {}.{}?", lua.text(node.children[0]), near));
  }
}

// As it is written: of `m` in a module, by its name alone in a prompt.
std::string member(const Typed& lua, std::string_view name) {
  return (lua.is_prompt() ? "" : "m.") + std::string(name);
}

// Do they begin alike, as OUTLINE and OUTLINING?
bool begin_alike(std::string_view a, std::string_view b) {
  const auto end = std::ranges::mismatch(a, b).in1;
  const auto shared = static_cast<std::size_t>(end - a.begin());
  return shared >= 4 && shared * 2 >= std::max(a.size(), b.size());
}

// m.state == "OUTLINE"
void check_state(const Typed& lua, const Node& state, const Node& value, const Reporter& report) {
  const std::string* name = lua::literal_text(value);
  if (!name || state.kind != Node::Kind::index) return;
  const auto known = lua.facts(state).type.choices;
  if (known.empty() || std::ranges::find(known, *name) != known.end()) return;
  std::string near = closest(*name, known);
  for (const std::string& one : known) {
    if (near.empty() && begin_alike(*name, one)) near = one;
  }
  if (near.empty() || lua.text(state) != member(lua, "state")) return;
  report(lua.place(value), "no machine that calls this agent has a state '{}' with an agent", *name)
      .help("did you mean '{}'?", near);
}

// `"The task: " .. m.task`, of which the author thinks that it is what the run was given.
void check_task(const Typed& lua, const Reporter& report) {
  const auto is_task = [&](const Node& node) {
    return node.kind == Node::Kind::index && lua.text(node) == member(lua, "task");
  };
  const Node* put_in = nullptr;  // into a prompt
  bool is_asked = false;
  lua::walk(lua.tree(), [&](const Node& node) {
    const std::string* function = lua.called_of_library(node);
    const bool puts = node.is(Node::Kind::binary, "..") || (function && *function != "render");
    for (const Node& child : node.children) {
      if (!is_task(child)) continue;
      if (!puts) is_asked = true;
      if (puts && !put_in) put_in = &child;
    }
  });
  if (!put_in || is_asked) return;
  const Facts task = lua.facts(*put_in);
  if (!task.known || !task.type.choices.empty()) return;
  report(lua.place(*put_in), "no state that calls this agent names a task, so that {} is empty",
         member(lua, "task"))
      .help("what the run was given is in {}; {} is of `agent: {{name, task}}`",
            member(lua, "inputs"), member(lua, "task"));
}

}  // namespace

extern const LintRule hook_field = {
    {"W512", "hook-field", "a hook that reads a name which its machines do not have",
     R"(In a hook, `m.ctx` and `m.inputs` are those of the machine that calls the agent. A name that none of
them has is nil, and the prompt lacks it. In a prompt, as in `{{inputs.plan}}`, it is a mistake; a hook module
may have names of other workflows, and there it is one where a name that they have is near. So is `m.task`
empty where no state names a task. `m` itself, `m.run`, `m.workspace`, its `chunk` and `m.verdicts` have what
the engine gives them and no more: see [what hooks are told](../reference.md#what-they-are-told). Where
several workflows are linted together, the machines of all that use the hook count.)"},
    [](const Typed& lua, const Reporter& report) {
      if (lua.piece()) return;
      check_task(lua, report);
      lua::walk(lua.tree(), [&](const Node& node) {
        if (node.kind == Node::Kind::index) check_member(lua, node, report);
        if (node.kind == Node::Kind::binary && (node.text == "==" || node.text == "~=")) {
          check_state(lua, node.children[0], node.children[1], report);
        }
      });
    }};

}  // namespace agneto::lint
