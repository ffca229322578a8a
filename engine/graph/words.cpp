#include "graph/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace agneto::graph {

using model::Machine;
using model::State;
using model::System;
using model::Transition;

namespace {

constexpr std::size_t guard_limit = 90;
constexpr std::size_t note_limit = 90;
constexpr std::size_t arrow_columns = 28;

std::string text_of(const Machine& machine, const model::Template& text) {
  std::string result;
  for (const auto& part : text.parts) {
    result += part.code == model::none ? part.text : "{{" + machine.code[part.code].text + "}}";
  }
  return result;
}

struct Notes {
  const System& system;
  const Machine& machine;
  std::vector<std::string> lines = {};

  void add(std::string_view line) { lines.push_back(in_short(line, note_limit)); }
  const std::string& code(model::CodeId id) const { return machine.code[id].text; }
  std::string name_of(const model::Delegate& delegate) const {
    return delegate.machine == model::none ? "?" : system.machine(delegate.machine).name;
  }

  void operator()(const std::monostate&) {}
  void operator()(const model::AgentCall& call) {
    add("agent " + machine.agents[call.agent].name);
    add((call.task.empty() ? "" : call.task + ", ") + std::string(to_text(call.access)));
  }
  void operator()(const model::Ask& ask) {
    add("asks a person");
    add("“" + in_short(text_of(machine, ask.question), note_limit - 3) + "”");
    if (!ask.default_option.empty()) add("default: " + ask.default_option);
  }
  void operator()(const model::Delegate& delegate) { add("machine " + name_of(delegate)); }
  void operator()(const model::ForEach& each) {
    add("machine " + name_of(each.each));
    add("for each of " + code(each.items));
    std::string how = each.one_by_one()    ? "one after the other"
                      : each.all_at_once() ? "all at once"
                                           : number(each.max_parallel) + " at once";
    if (!each.all_needed()) how += ", " + number(each.needed) + " needed";
    add(how);
  }
  std::string number(const model::Count& count) const {
    return count.code == model::none ? std::to_string(count.number) : code(count.code);
  }
  void operator()(const model::Program& command) {
    if (command.kind == model::Program::Kind::argv) {
      std::string line = "$";
      for (const auto& argument : command.argv) line += " " + text_of(machine, argument);
      add(line);
    } else if (command.kind == model::Program::Kind::shell) {
      add("$ " + command.shell);
    } else {
      add("runs " + code(command.command));
    }
  }
  void operator()(const model::WorkspaceOperation& operation) {
    using Operation = model::WorkspaceOperation::Kind;
    add(operation.kind == Operation::commit  ? "git: commit"
        : operation.kind == Operation::merge ? "git: merge"
                                             : "git: discard");
  }
};

}  // namespace

std::string in_short(std::string_view text, std::size_t limit) {
  const std::string clean = printable(text);
  std::string line;
  for (const std::string_view each : split_lines(clean)) {
    const std::string_view words = trim(each);
    if (!line.empty() && !words.empty()) line += ' ';
    line += words;
  }
  std::ranges::replace(line, '\t', ' ');
  std::size_t at = 0, characters = 0;
  while (at < line.size()) {
    if (++characters > limit) return line.substr(0, at) + "…";
    at += character_at(line, at).size;
  }
  return line;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines(1);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word(text.substr(at, end - at));
    at = end + 1;
    if (word.empty()) continue;
    if (!lines.back().empty() && display_width(lines.back()) + 1 + display_width(word) > columns) {
      lines.emplace_back();
    }
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

std::vector<std::string> notes_of(const System& system, const Machine& machine,
                                  const State& state) {
  Notes notes{system, machine};
  std::visit(notes, state.activity);
  if (state.kind == model::StateKind::final) {
    notes.add(model::to_text(state.status));
    if (state.outcome != state.name) notes.add("outcome " + state.outcome);
  }
  if (state.kind == model::StateKind::parallel) notes.add("all at once");
  return std::move(notes.lines);
}

std::vector<std::string> notes_of(const Machine& machine) {
  std::vector<std::string> lines;
  if (!machine.description.empty()) lines.push_back(in_short(machine.description, 120));
  std::vector<std::string> limits;
  if (machine.limits.calls > 0) limits.push_back(fmt::format("{} calls", machine.limits.calls));
  if (machine.limits.cost > 0) limits.push_back(fmt::format("${:g}", machine.limits.cost));
  if (machine.limits.tokens > 0) limits.push_back(fmt::format("{} tokens", machine.limits.tokens));
  if (machine.limits.time.count() > 0) limits.push_back(format_duration(machine.limits.time));
  if (!limits.empty()) lines.push_back("at most " + join(limits, ", "));
  std::vector<std::string> numbers;
  for (const auto& input : machine.inputs) {
    if (input.initial && input.initial->is_number()) {
      numbers.push_back(input.name + " = " + agneto::to_text(*input.initial));
    }
  }
  for (const auto& line : wrapped(join(numbers, ", "), 100)) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

std::string trigger_of(const Machine& machine, const Transition& transition) {
  if (transition.timer != model::none) {
    return "after " + (transition.delay_code == model::none
                           ? format_duration(transition.delay)
                           : in_short(machine.code[transition.delay_code].text, guard_limit));
  }
  return in_short(join(transition.events, ", "), guard_limit);
}

std::string guard_of(const Machine& machine, const std::vector<model::TransitionId>& all,
                     std::size_t at) {
  const Transition& transition = machine.transitions[all[at]];
  if (transition.guard != model::none) {
    return in_short(machine.code[transition.guard].text, std::string::npos);
  }
  const bool last = std::any_of(all.begin(), all.begin() + at, [&](model::TransitionId id) {
    const Transition& before = machine.transitions[id];
    return before.guard != model::none && before.events == transition.events &&
           before.timer == transition.timer;
  });
  return last ? "else" : "";
}

std::vector<std::string> words_of(const Arrow& arrow, Trail::Kind trail) {
  std::string words = arrow.change == Change::added     ? "+"
                      : arrow.change == Change::removed ? "-"
                                                        : "";
  const auto add = [&](const std::string& more) {
    if (!words.empty() && !more.empty()) words += ' ';
    words += more;
  };
  add(arrow.trigger);
  if (!arrow.guard.empty()) add("[" + in_short(arrow.guard, guard_limit) + "]");
  if (arrow.internal) add("(internal)");
  if (arrow.count > 0) add(fmt::format("×{}", arrow.count));
  add(arrow.remark);
  if (arrow.count == 0 && trail == Trail::Kind::coverage) add("never");
  return wrapped(words, arrow_columns);
}

}  // namespace agneto::graph
