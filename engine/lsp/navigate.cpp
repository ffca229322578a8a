#include "lsp/navigate.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/hooks.h"
#include "lsp/outcomes.h"
#include "model/machine.h"

namespace agneto::lsp {

namespace {

constexpr std::string_view done_state = "done.state.";

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

std::vector<Target> makers(const OutlinePtr& outline, const Mention& event, Outlines& outlines) {
  if (event.name.starts_with(done_state)) {
    const State* state = outline->state(std::string_view(event.name).substr(done_state.size()));
    return state ? std::vector<Target>{target(outline, state->span)} : std::vector<Target>();
  }
  std::vector<Target> result;
  const State* state = outline->state(event.place.state);
  for (const Outcome& outcome : outcomes_within(outline, state, outlines)) {
    if (outcome.declared.source && model::matches(event.name, outcome.event)) {
      result.push_back(outcome.declared);
    }
  }
  for (const Mention& one : outline->mentions()) {
    const bool raises = one.role == Role::event && one.declares && one.in_lua;
    if (raises && model::matches(event.name, one.name)) result.push_back(target(outline, one.span));
  }
  return result;
}

// The protocol's kinds, whose icons come nearest.
constexpr int class_kind = 5;
constexpr int function_kind = 12;
constexpr int variable_kind = 13;
constexpr int event_kind = 24;
constexpr int interface_kind = 11;

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

}  // namespace

const yaml::Node* hooks_of(const Outline& outline, const NodeContext& place) {
  const yaml::Node* name = place.object ? place.object->find("name") : nullptr;
  const Mention* agent = name ? outline.declaration(Role::agent, name->text) : nullptr;
  return agent ? agent->place.entry->value.find("hooks") : nullptr;
}

std::vector<Target> definitions(const OutlinePtr& outline, std::size_t offset, Outlines& outlines) {
  const Mention* mention = outline->mention_at(offset);
  if (!mention) return {};
  switch (mention->role) {
    case Role::event:
      return makers(outline, *mention, outlines);
    case Role::machine: {
      const OutlinePtr machine = outlines.of(outline->resolve(mention->name));
      if (!machine) return {};
      const yaml::Node* name = machine->root.find("name");
      return {name ? target(machine, name->span) : target(machine, {})};
    }
    case Role::hooks:
      return in_module(outline->resolve(mention->name), "", outlines);
    case Role::task:
      return in_module(module_of(*outline, mention->place), mention->name, outlines);
    default: {
      const Mention* declared = outline->declaration(mention->role, mention->name);
      return declared ? std::vector<Target>{target(outline, declared->span)}
                      : std::vector<Target>();
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
  for (const Mention& one : outline->mentions()) {
    const bool same = one.role == mention->role && one.name == mention->name;
    if (same && (declarations || !one.declares)) result.push_back(target(outline, one.span));
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
  const auto under = [&](std::string_view name) {
    const yaml::Node* node = place.object->find(name);
    if (!node) return std::string();
    std::string text = node->text;
    for (const yaml::Node& item : node->items) text += (text.empty() ? "" : ", ") + item.text;
    return text;
  };
  if (place.construct->id == "event_transition") {
    return fmt::format("{} on `{}`", source, under("event"));
  }
  if (place.construct->id == "delay_transition") {
    return fmt::format("{} after `{}`", source, under("delay"));
  }
  if (place.named_in && place.named_in->noun == "event") {
    return fmt::format("{} on `{}`", source, place.named->key.text);
  }
  if (place.named_in && place.named_in->noun == "delay") {
    return fmt::format("{} after `{}`", source, place.named->key.text);
  }
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
    }
  }
  for (Json& state : of_states(outline, nullptr, lines)) list.push_back(std::move(state));
  return list;
}

}  // namespace agneto::lsp
