#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lsp/navigate.h"
#include "lsp/outcomes.h"
#include "model/machine.h"

namespace agneto::lsp {

namespace {

using yaml::Node;

constexpr std::size_t longest_snippet = 600;

std::string description_of(const Node& node) {
  const std::string text = text_of(node.find("description"));
  return text.empty() ? "" : "\n\n" + text;
}

// The lines of an entry as they are written.
std::string snippet(const Outline& outline, const yaml::Entry& entry) {
  const std::size_t begin = entry.key.span.begin;
  const std::size_t end = std::max<std::size_t>(entry.key.span.end, entry.value.span.end);
  const std::string text = outline.source.text().substr(begin, end - begin);
  return fmt::format("```yaml\n{}\n```", shortened(text, longest_snippet));
}

std::string lines(const std::string& title, const std::vector<std::string>& items) {
  return items.empty() ? "" : fmt::format("\n\n{}:\n- {}", title, join(items, "\n- "));
}

std::string at_line(const Span& span) {
  return fmt::format("line {}", span.line());
}

// What the state's activity does, or how it ends.
std::string deed(const Outline& outline, const State& state) {
  const Node& node = state.entry->value;
  if (const Node* agent = node.find("agent")) {
    const Node* name = agent->find("name");
    const Node* task = agent->find("task");
    return fmt::format("calls the agent `{}`{}", name ? name->text : agent->text,
                       task ? fmt::format(" with the task `{}`", task->text) : "");
  }
  if (const Node* ask = node.find("ask")) return "asks: " + text_of(ask->find("question"));
  if (const Node* machine = node.find("machine")) {
    return fmt::format("delegates to `{}`", machine->text);
  }
  if (const Node* loop = node.find("for_each")) {
    return fmt::format("delegates each of `{}` to `{}`", text_of(loop->find("items")),
                       text_of(loop->find("machine")));
  }
  if (const Node* run = node.find("run")) {
    std::string program = text_of(run->find("shell")) + text_of(run->find("command"));
    if (const Node* argv = run->find("argv")) {
      for (const Node& word : argv->items) program += (program.empty() ? "" : " ") + word.text;
    }
    return fmt::format("runs `{}`", program);
  }
  if (const Node* operation = node.find("workspace"); operation && !operation->entries.empty()) {
    return fmt::format("workspace: {}", operation->entries.front().key.text);
  }
  if (state.kind() == "final" && state.parent) {
    return fmt::format("ends `{0}`, which raises `done.state.{0}`", state.parent->name);
  }
  if (state.kind() == "final") {
    for (const Final& final : finals(outline)) {
      if (final.state != &state) continue;
      const std::string status = text_of(node.find("status"));
      return fmt::format("ends the machine with the outcome `{}`, {}", final.outcome,
                         status.empty() ? "complete" : status);
    }
  }
  return {};
}

// `alone`: no other file can lead to it.
std::string of_state(const Outline& outline, const State& state, bool alone) {
  std::string text = fmt::format("**{}**: {} state", state.name, state.kind());
  if (state.parent) text += fmt::format(" in `{}`", state.parent->name);
  if (const std::string what = deed(outline, state); !what.empty()) text += ", " + what;
  std::vector<std::string> ways;
  for (const Mention& one : outline.mentions()) {
    if (one.role != Role::state || one.name != state.name) continue;
    if (const std::string how = way(one); !how.empty()) {
      ways.push_back(fmt::format("{}: {}", at_line(one.span), how));
    }
  }
  return text + description_of(state.entry->value) +
         (ways.empty() && alone ? "\n\nNothing leads to it." : lines("Reached from", ways));
}

std::string of_agent(const Outline& outline, const Mention& agent) {
  std::vector<std::string> calls;
  for (const Mention& one : outline.mentions()) {
    if (one.role != Role::agent || one.declares || one.name != agent.name || !one.place.state) {
      continue;
    }
    calls.push_back(fmt::format("{}: `{}`", at_line(one.span), one.place.state->key.text));
  }
  return snippet(outline, *agent.place.entry) + lines("Called by", calls);
}

std::string of_event(const OutlinePtr& outline, const Mention& event, Outlines& outlines) {
  std::vector<std::string> makers;
  std::vector<std::string> takers;
  for (const NamedOutcome& outcome : outcomes_within(outline, nullptr, outlines)) {
    if (!model::matches(event.name, outcome.event)) continue;
    const std::string fields =
        outcome.fields.empty() ? "" : ", with `" + join(outcome.fields, "`, `") + "`";
    makers.push_back(fmt::format("{}: `{}` ends in `{}`{}", at_line(outcome.state->span),
                                 outcome.state->name, outcome.event, fields));
  }
  for (const Mention& one : outline->mentions()) {
    if (one.role != Role::event || one.place.is(model::ConstructId::ask, "default")) continue;
    if (one.in_lua && model::matches(event.name, one.name)) {
      makers.push_back(fmt::format("{}: raised in Lua", at_line(one.span)));
    } else if (!one.declares && model::matches(one.name, event.name)) {
      takers.push_back(fmt::format(
          "{}: {}", at_line(one.span),
          one.place.state ? "`" + one.place.state->key.text + "`" : std::string("the machine")));
    }
  }
  return fmt::format("**{}**: event", event.name) + lines("Made by", makers) +
         lines("Taken by", takers);
}

std::string of_machine(const Outline& machine) {
  std::string text = fmt::format("**{}**: machine", text_of(machine.root.find("name")));
  std::vector<std::string> inputs;
  std::vector<std::string> outcomes;
  for (const std::string& name : machine.names(Role::input)) inputs.push_back("`" + name + "`");
  for (const Final& final : finals(machine)) outcomes.push_back("`" + final.outcome + "`");
  return text + description_of(machine.root) + lines("Inputs", inputs) +
         lines("Outcomes", outcomes);
}

// The row of the key table, as the schema has it.
std::string of_key(const model::Key& key, const model::Construct& construct) {
  std::string text = fmt::format("**{}** of {}{}\n\n{}", key.name, construct.noun,
                                 key.required ? ", required" : "", key.description);
  for (const model::Shape& shape : key.shapes) {
    if (shape.choices.empty()) continue;
    std::vector<std::string> choices(shape.choices.begin(), shape.choices.end());
    text += fmt::format("\n\nOne of `{}`", join(choices, "`, `"));
  }
  return text;
}

// What the file itself declares.
std::string of_declared(const Outline& outline, const Mention& mention, bool alone) {
  const Mention* declared = outline.declaration(mention.role, mention.name);
  if (!declared) return {};
  if (mention.role == Role::state) return of_state(outline, *outline.state(mention.name), alone);
  if (mention.role == Role::agent) return of_agent(outline, *declared);
  return snippet(outline, *declared->place.entry);
}

std::string of_mention(const OutlinePtr& outline, const Mention& mention, Outlines& outlines) {
  switch (mention.role) {
    case Role::state:
    case Role::agent:
    case Role::context:
    case Role::input:
    case Role::verdicts:
    case Role::function: {
      const std::vector<OutlinePtr> files = outlines.with_bases(outline);
      std::string text;
      for (const OutlinePtr& file : files) {
        const std::string here = of_declared(*file, mention, files.size() == 1);
        if (here.empty()) continue;
        if (!text.empty()) text += "\n\n---\n\n";
        if (file != outline) text += fmt::format("In `{}`:\n\n", file->path.filename().string());
        text += here;
      }
      return text;
    }
    case Role::event:
      return of_event(outline, mention, outlines);
    case Role::machine: {
      const OutlinePtr machine = machine_of(outline, mention, outlines);
      return machine ? of_machine(*machine) : "";
    }
    default:
      return "";
  }
}

}  // namespace

std::optional<Hover> hover(const OutlinePtr& outline, std::size_t offset, Outlines& outlines) {
  if (const Mention* mention = outline->mention_at(offset)) {
    const std::string text = of_mention(outline, *mention, outlines);
    if (!text.empty()) return Hover{text, mention->span.begin, mention->span.end};
  }
  const NodeContext place = outline->place_at(offset);
  if (!place.node || !place.is_key() || place.names || !place.key) return std::nullopt;
  return Hover{of_key(*place.key, *place.construct), place.node->span.begin, place.node->span.end};
}

}  // namespace agneto::lsp
