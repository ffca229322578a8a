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

// The hook module of the agent that is called where the task is named.
fs::path module_of(const Outline& outline, const Place& place) {
  const yaml::Node* name = place.object ? place.object->find("name") : nullptr;
  const Mention* agent = name ? outline.declaration(Role::agent, name->text) : nullptr;
  const yaml::Node* hooks = agent ? agent->place.entry->value.find("hooks") : nullptr;
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
  const auto add = [&](const std::vector<Ending>& endings) {
    for (const Ending& ending : endings) {
      if (ending.declared.source && model::matches(event.name, ending.event)) {
        result.push_back(ending.declared);
      }
    }
  };
  if (const State* state = outline->state(event.place.state)) {
    add(endings_within(outline, *state, outlines));
  } else {
    for (const auto& one : outline->states()) add(endings(outline, *one, outlines));
  }
  for (const Mention& one : outline->mentions()) {
    const bool raises = one.role == Role::event && one.declares && one.in_lua;
    if (raises && model::matches(event.name, one.name)) result.push_back(target(outline, one.span));
  }
  return result;
}

}  // namespace

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
      const OutlinePtr other = path.extension() == ".lua" ? nullptr : outlines.of(path);
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
  const Place& place = mention.place;
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

}  // namespace agneto::lsp
