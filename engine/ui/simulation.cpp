#include "ui/simulation.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "chart/path.h"
#include "record/entry.h"

namespace agneto::ui {
namespace {

using play::DebuggerCommand;
using play::Macrostep;

constexpr std::size_t longest_value = 200;
constexpr std::size_t most_states = 20;  // that the machines are in, of one step

std::string value_text(const Json& value) {
  return shortened(to_text(value), longest_value);
}

Styled headline(const Macrostep& step) {
  Styled line;
  if (step.event) {
    line.add(Color::bold, *step.event);
    if (!step.origin.empty()) {
      line.add(Color::none, " from " + chart::sender_of(step.origin, step.item));
    }
  } else {
    line.add(Color::bold, step.input == 0 ? "start" : "the clock moves");
  }
  if (step.input > 0) line.add(Color::dim, "  input " + std::to_string(step.input));
  if (step.time > Millis(0)) line.add(Color::dim, "  at " + play::to_duration(step.time));
  if (!step.refused.empty()) {
    line.add(Color::yellow, "  not offered: " + step.refused);
  } else if (!step.handled && step.event) {
    line.add(Color::yellow, "  nothing takes it");
  } else if (!step.handled && step.problems.empty()) {
    line.add(Color::yellow, "  nothing is due");
  }
  return line;
}

Styled describe(const record::Transition& taken, const Macrostep& step) {
  std::string text = chart::within(taken.instance, taken.from);
  text += taken.to.empty() ? " stays" : " → " + join(taken.to, ", ");
  Styled line("  " + text);
  if (!taken.event.empty() && taken.event != step.event) {
    line.add(Color::none, "  on " + taken.event);
  }
  return line.add(Color::dim, "  line " + std::to_string(taken.line));
}

Styled describe(const chart::Effect& effect, const model::System& system) {
  const std::string name = play::name_of(effect, system);
  const std::string& path = chart::path_of(effect);
  const auto starts = [&](const std::string& more = {}) {
    Styled line(Color::green, "  + " + std::string(chart::kind_of(effect)) + " ");
    line.add(Color::none, name + more);
    return line.add(Color::dim, "  " + path);
  };
  if (const auto* ask = std::get_if<chart::AskHuman>(&effect)) return starts(": " + ask->question);
  if (const auto* run = std::get_if<chart::RunCommand>(&effect)) {
    return starts(": " + run->shown());
  }
  if (const auto* timer = std::get_if<chart::StartTimer>(&effect)) {
    return starts(" in " + play::to_duration(timer->delay));
  }
  if (std::holds_alternative<chart::Cancel>(effect)) return {Color::dim, "  - cancels " + path};
  if (std::holds_alternative<chart::Suspend>(effect)) {
    return {Color::yellow, "  a real run would suspend here"};
  }
  if (const auto* finish = std::get_if<chart::Finish>(&effect)) {
    const bool good = finish->status == model::FinalStatus::complete;
    Styled line(good ? Color::green : Color::red,
                "  ends as " + name + " (" + std::string(model::to_text(finish->status)) + ")");
    if (!finish->outputs.empty()) line.add(Color::none, "  " + value_text(finish->outputs));
    return line;
  }
  return starts();
}

// "Name = value" of what is new or different.
Styled changes(const std::string& instance, const Json& before, const Json& now) {
  Styled line;
  for (const auto& [name, value] : now.items()) {
    if (before.contains(name) && before.at(name) == value) continue;
    line += Styled(Color::cyan, line.empty() ? "  " : ", ");
    line.add(Color::cyan, chart::within(instance, name));
    line.add(Color::none, " = " + value_text(value));
  }
  return line;
}

Styled states(const Macrostep& step, const model::System& system) {
  std::vector<std::string> names;
  for (const auto& state : step.active) {
    if (state.atomic) names.push_back(play::name_of(state, system));
  }
  Styled line(Color::dim, step.finish ? "  was in " : "  in ");
  const std::size_t more = names.size() - std::min(names.size(), most_states);
  names.resize(names.size() - more);
  line.add(Color::bold, names.empty() ? "no state" : join(names, ", "));
  return more == 0 ? line : line.add(Color::dim, " and " + std::to_string(more) + " more");
}

Styled describe(const play::Offer& offer) {
  Styled line("  ");
  if (offer.left) {
    line.add(Color::yellow, "in " + play::to_duration(*offer.left));
  } else {
    line.add(Color::cyan, join(offer.events, ", "));
  }
  line.add(Color::none, offer.targets.empty() ? " stays" : " → " + join(offer.targets, ", "));
  if (!offer.guard.empty()) line.add(Color::none, "  if " + offer.guard);
  return line.add(Color::dim, "  line " + std::to_string(offer.line));
}

Styled describe(const play::Activity& activity) {
  std::vector<std::string> outcomes;
  for (const auto& outcome : activity.outcomes) {
    std::vector<std::string> fields;
    if (outcome.what == "verdict") {
      for (const auto& field : outcome.fields) {
        fields.push_back(field.name + ": " + model::to_text(field.type));
      }
    }
    outcomes.push_back(outcome.name + (fields.empty() ? "" : " {" + join(fields, ", ") + "}"));
  }
  Styled line(Color::green, "  " + activity.kind + " ");
  line.add(Color::none, activity.name + " ends in ");
  line.add(Color::cyan, join(outcomes, ", "));
  return line.add(Color::dim, "  from " + activity.path);
}

void save(const play::Debugger& debugger, const std::string& file, const std::string& title,
          Screen& screen) {
  std::string text = "# " + title + "\n";
  std::replace(text.begin(), text.end() - 1, '\n', ' ');
  for (const auto& line : debugger.script()) text += line + "\n";
  write_file(file, text);
  screen.line("saved; play it with --events " + file);
}

// False where the session is over.
bool obey(const DebuggerCommand& command, play::Debugger& debugger, SimulationText& text,
          Screen& screen, const std::string& title) {
  switch (command.verb) {
    case DebuggerCommand::Verb::nothing:
      break;
    case DebuggerCommand::Verb::quit:
      return false;
    case DebuggerCommand::Verb::input:
      debugger.play(command.input);
      text.show(overview(debugger.simulator()));
      break;
    case DebuggerCommand::Verb::undo:
      if (!debugger.undo()) throw Error("there is nothing to undo");
      text.set_before(debugger.last());
      text.show(overview(debugger.simulator()));
      break;
    case DebuggerCommand::Verb::show:
      text.show(overview(debugger.simulator()));
      break;
    case DebuggerCommand::Verb::context:
      text.show_context(debugger.last());
      break;
    case DebuggerCommand::Verb::script:
      for (const auto& line : debugger.script()) screen.line(line, Screen::as_is);
      break;
    case DebuggerCommand::Verb::save:
      save(debugger, command.argument, title, screen);
      break;
    case DebuggerCommand::Verb::help:
      for (const auto& line : play::command_help()) screen.line(line);
      break;
  }
  return true;
}

}  // namespace

void SimulationText::show(const Macrostep& step) {
  constexpr std::size_t indent = 4;
  screen_.line(headline(step), indent);
  if (!step.doubt.empty()) {
    screen_.line({Color::yellow, "  no run gives that: " + step.doubt}, indent);
  }
  for (const auto& taken : step.transitions) {
    screen_.line(describe(record::transition_of(taken, system_), step), indent);
  }
  for (const auto& problem : step.problems) {
    const std::string place = problem.path.empty() ? system_.main().name : problem.path;
    screen_.line({Color::red, "  ! " + problem.event + " at " + place + ": " + problem.message},
                 indent);
  }
  for (const auto& effect : step.effects) screen_.line(describe(effect, system_), indent);
  const auto show_changes = [&](const std::string& instance, const Json& before, const Json& now) {
    Styled line = changes(instance, before, now);
    if (!line.empty()) screen_.line(std::move(line), indent);
  };
  show_changes("", before_.context, step.context);
  for (const auto& [instance, data] : step.machines.items()) {
    show_changes(instance, member(before_.machines, instance.c_str()), data);
  }
  screen_.line(states(step, system_), indent);
  screen_.line({});
  before_ = step;
}

void SimulationText::show(const play::Overview& overview) {
  constexpr std::size_t indent = 6;
  for (const auto& place : overview.places) {
    if (!place.atomic && place.offers.empty() && !place.activity) continue;
    screen_.line({Color::bold, place.name});
    if (place.activity) screen_.line(describe(*place.activity), indent);
    for (const auto& offer : place.offers) screen_.line(describe(offer), indent);
  }
  for (const auto& send : overview.sends) {
    Styled line(Color::yellow, "in " + play::to_duration(send.due));
    screen_.line(line.add(Color::none, " " + send.path), indent);
  }
}

void SimulationText::show_context(const Macrostep& step) {
  screen_.line(
      Styled(Color::bold, system_.main().name).add(Color::none, " " + to_text(step.context)), 2);
  for (const auto& [instance, data] : step.machines.items()) {
    screen_.line(Styled(Color::bold, instance).add(Color::none, " " + to_text(data)), 2);
  }
}

void debug(play::Debugger& debugger, LineEditor& editor, SimulationText& text, Screen& screen,
           const std::string& title) {
  debugger.start();
  text.show(overview(debugger.simulator()));
  screen.line({Color::dim, "Type an event; Tab completes, 'help' lists the commands."});
  while (const auto line = editor.read()) {
    try {
      if (!obey(play::parse_command(*line), debugger, text, screen, title)) return;
    } catch (const Error& error) {
      screen.line({Color::red, error.what()});
      if (!error.help().empty()) screen.line("  help: " + error.help(), 2);
    }
  }
}

}  // namespace agneto::ui
