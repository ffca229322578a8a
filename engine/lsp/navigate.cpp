#include "lsp/navigate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lsp/outcomes.h"
#include "lua/tree.h"
#include "model/load.h"
#include "model/machine.h"

namespace agneto::lsp {

namespace {

// A file's beginning, or the function of a task in it.
std::vector<Target> in_module(const fs::path& file, const std::string& task, Outlines& outlines) {
  const auto text = outlines.text(file);
  if (!text) return {};
  auto source = std::make_shared<const Source>(file.string(), *text);
  for (const HookFunction& function : hook_functions(*text)) {
    if (function.task == task) return {{source, function.begin, function.end}};
  }
  return {{source, 0, 0}};
}

fs::path module_of(const Outline& outline, const NodeContext& place) {
  const yaml::Node* hooks = hooks_of(outline, place);
  return hooks ? outline.resolve(hooks->text) : fs::path();
}

// The other file that the mention is about; empty where it is about its own.
fs::path file_of(const Outline& outline, const Mention& mention) {
  if (mention.role == Role::machine || mention.role == Role::hooks) {
    return outline.resolve(mention.name);
  }
  return mention.role == Role::task ? module_of(outline, mention.place) : fs::path();
}

// In the file, and in those that it extends.
std::vector<Target> declared(const OutlinePtr& outline, Role role, std::string_view name,
                             Outlines& outlines) {
  std::vector<Target> result;
  for (const OutlinePtr& file : outlines.with_bases(outline)) {
    const Mention* one = file->declaration(role, name);
    if (one) result.push_back(target(file, one->span));
  }
  return result;
}

std::vector<Target> makers(const OutlinePtr& outline, const Mention& event, Outlines& outlines) {
  if (event.name.starts_with(model::done_of_state)) {
    return declared(outline, Role::state, event.name.substr(model::done_of_state.size()), outlines);
  }
  std::vector<Target> result;
  const std::vector<OutlinePtr> files = outlines.with_bases(outline);
  for (const NamedOutcome& outcome : outcomes_around(files, event.place, outlines)) {
    if (outcome.declared.source && model::matches(event.name, outcome.event)) {
      result.push_back(outcome.declared);
    }
  }
  for (const OutlinePtr& file : files) {
    for (const Mention& one : file->mentions()) {
      const bool raises = one.role == Role::event && one.declares && one.in_lua;
      if (raises && model::matches(event.name, one.name)) result.push_back(target(file, one.span));
    }
  }
  return result;
}

// The protocol's kinds, whose icons come nearest.
constexpr int class_kind = 5;
constexpr int variable_kind = 13;
constexpr int event_kind = 24;
constexpr int interface_kind = 11;
constexpr int function_kind = 12;

Json symbol(const yaml::Entry& entry, int kind, std::string_view detail, const LineIndex& lines) {
  const Span& name = entry.key.span;
  const std::size_t end = std::max<std::size_t>(name.end, entry.value.span.end);
  return {{"name", entry.key.text},
          {"detail", detail},
          {"kind", kind},
          {"range", lines.range(name.begin, end)},
          {"selectionRange", lines.range(name.begin, name.end)}};
}

Json of_states(const Outline& outline, const State* parent, const LineIndex& lines) {
  Json list = Json::array();
  for (const auto& state : outline.states()) {
    if (state->parent != parent) continue;
    const std::string_view kind = state->kind();
    const bool has_children = kind == "compound" || kind == "parallel";
    const int icon = has_children ? class_kind : kind == "final" ? event_kind : function_kind;
    Json one = symbol(*state->entry, icon, kind, lines);
    if (has_children) one["children"] = of_states(outline, state.get(), lines);
    list.push_back(std::move(one));
  }
  return list;
}

// The key of `NAME = …` in a table or of `X.NAME = …`, or null.
const lua::Node* key_of(const lua::Node& node) {
  if (node.kind == lua::Node::Kind::field && node.children.size() == 2) return &node.children[0];
  if (node.kind == lua::Node::Kind::index) return &node.children[1];
  return nullptr;
}

void add_function(const lua::Node& key, std::string task, std::vector<HookFunction>& result) {
  for (const HookFunction& known : result) {
    if (known.task == task) return;
  }
  result.push_back({std::move(task), key.begin, key.end});
}

}  // namespace

std::vector<HookFunction> hook_functions(std::string_view text) {
  std::vector<HookFunction> result;
  const auto tree = lua::parse_statements(text);
  if (!tree) return result;
  lua::walk(*tree, [&](const lua::Node& node) {
    const lua::Node* key = key_of(node);
    const std::string* name = key ? lua::literal_text(*key) : nullptr;
    if (!name) return;
    if (*name == "tasks" && node.kind == lua::Node::Kind::field) {
      for (const lua::Node& job : node.children[1].children) {
        const lua::Node* job_key = key_of(job);
        if (job_key && lua::literal_text(*job_key)) add_function(*job_key, job_key->text, result);
      }
    } else if (node.kind == lua::Node::Kind::index && node.children[0].text == "tasks") {
      add_function(*key, *name, result);
    } else if (*name == "prompt") {
      add_function(*key, "", result);
    }
  });
  return result;
}

const yaml::Node* hooks_of(const Outline& outline, const NodeContext& place) {
  const yaml::Node* name = place.object ? place.object->find("name") : nullptr;
  const Mention* agent = name ? outline.declaration(Role::agent, name->text) : nullptr;
  for (std::size_t level = 0; agent && level < model::most_levels; ++level) {
    const yaml::Node& node = agent->place.entry->value;
    if (const yaml::Node* hooks = node.find("hooks")) return hooks;
    const yaml::Node* base = node.find("extends");
    agent = base ? outline.declaration(Role::agent, base->text) : nullptr;
  }
  return nullptr;
}

std::vector<Target> definitions(const OutlinePtr& outline, std::size_t offset, Outlines& outlines) {
  const Mention* mention = outline->mention_at(offset);
  if (!mention) return {};
  switch (mention->role) {
    case Role::event:
      return makers(outline, *mention, outlines);
    case Role::machine: {
      const OutlinePtr machine = machine_of(outline, *mention, outlines);
      if (!machine) return {};
      const yaml::Node* name = machine->root.find("name");
      return {name ? target(machine, name->span) : target(machine, {})};
    }
    case Role::hooks:
      return in_module(outline->resolve(mention->name), "", outlines);
    case Role::task:
      return in_module(module_of(*outline, mention->place), mention->name, outlines);
    default: {
      std::vector<Target> result = declared(outline, mention->role, mention->name, outlines);
      // What is changed here leads to where it comes from.
      if (mention->declares && result.size() > 1) result.erase(result.begin());
      return result;
    }
  }
}

std::vector<Target> references(const OutlinePtr& outline, std::size_t offset, bool declarations,
                               const std::set<fs::path>& files, Outlines& outlines) {
  const Mention* mention = outline->mention_at(offset);
  std::vector<Target> result;
  if (!mention) return result;
  if (const fs::path file = file_of(*outline, *mention); !file.empty()) {
    for (const fs::path& path : files) {
      const OutlinePtr other = outlines.of(path);
      if (!other) continue;
      for (const Mention& one : other->mentions()) {
        const bool same_task = one.role != Role::task || one.name == mention->name;
        if (one.role == mention->role && same_task && file_of(*other, one) == file) {
          result.push_back(target(other, one.span));
        }
      }
    }
    return result;
  }
  OutlinePtr first = outline;  // where it comes from
  for (const OutlinePtr& file : outlines.with_bases(outline)) {
    if (file->declaration(mention->role, mention->name)) first = file;
  }
  std::vector<OutlinePtr> all = outlines.extending(*first, files);
  all.insert(all.begin(), first);
  for (const OutlinePtr& file : all) {
    for (const Mention& one : file->mentions()) {
      const bool same = one.role == mention->role && one.name == mention->name;
      if (same && (declarations || !one.declares)) result.push_back(target(file, one.span));
    }
  }
  return result;
}

std::vector<Target> callers(const fs::path& module, std::string_view text, std::size_t offset,
                            const std::vector<OutlinePtr>& machines) {
  std::vector<Target> result;
  for (const HookFunction& function : hook_functions(text)) {
    if (offset < function.begin || offset > function.end) continue;
    for (const OutlinePtr& machine : machines) {
      for (const Mention& one : machine->mentions()) {
        const bool calls = function.task.empty()
                               ? one.role == Role::hooks
                               : one.role == Role::task && one.name == function.task;
        if (calls && file_of(*machine, one) == module) result.push_back(target(machine, one.span));
      }
    }
  }
  return result;
}

OutlinePtr machine_of(const OutlinePtr& outline, const Mention& mention, Outlines& outlines) {
  if (!mention.place.is(model::ConstructId::machine, "extends")) {
    return outlines.of(outline->resolve(mention.name));
  }
  const std::vector<OutlinePtr> all = outlines.with_bases(outline);
  return all.size() > 1 ? all[1] : nullptr;
}

std::vector<std::string> events_around(const NodeContext& place) {
  std::vector<std::string> events;
  if (place.construct && place.construct->id == "event_transition") {
    if (const yaml::Node* event = place.object->find("event")) {
      if (!event->text.empty()) events.push_back(event->text);
      for (const yaml::Node& item : event->items) events.push_back(item.text);
    }
  } else if (place.named_in && place.named_in->noun == "event") {
    events.push_back(place.named->key.text);
  }
  return events;
}

std::string way(const Mention& mention) {
  const NodeContext& place = mention.place;
  if (mention.role != Role::state || mention.declares || mention.in_lua || !place.key) return {};
  const std::string_view key = place.key->name;
  if (place.is(model::ConstructId::agent, "session")) return {};
  const std::string source =
      place.state ? "`" + place.state->key.text + "`" : std::string("the machine");
  const bool is_start = place.construct->id == "start";
  if (key == "initial" || key == "default") return fmt::format("`{}` of {}", key, source);
  if (is_start) return fmt::format("the start of {}", source);
  if (const auto events = events_around(place); !events.empty()) {
    return fmt::format("{} on `{}`", source, join(events, ", "));
  }
  const yaml::Node* delay = nullptr;
  if (place.construct->id == "delay_transition") delay = place.object->find("delay");
  if (place.named_in && place.named_in->noun == "delay") delay = &place.named->key;
  if (delay) return fmt::format("{} after `{}`", source, delay->text);
  return fmt::format("{}, always", source);
}

Json symbols(const Outline& outline, const LineIndex& lines) {
  Json list = Json::array();
  for (const Mention& one : outline.mentions()) {
    if (!one.declares || one.in_lua) continue;
    if (one.role == Role::input) {
      list.push_back(symbol(*one.place.entry, variable_kind, "input", lines));
    } else if (one.role == Role::context) {
      list.push_back(symbol(*one.place.entry, variable_kind, "context", lines));
    } else if (one.role == Role::agent) {
      list.push_back(symbol(*one.place.entry, interface_kind, "agent", lines));
    } else if (one.role == Role::verdicts) {
      list.push_back(symbol(*one.place.entry, interface_kind, "verdicts", lines));
    } else if (one.role == Role::function) {
      list.push_back(symbol(*one.place.entry, function_kind, "function", lines));
    }
  }
  for (Json& state : of_states(outline, nullptr, lines)) list.push_back(std::move(state));
  return list;
}

}  // namespace agneto::lsp
