#include "ui/debug_session.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"

namespace agneto::ui {
namespace {

using play::DebuggerCommand;

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
