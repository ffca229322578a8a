// agneto simulate

#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "cli/agent_settings.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/work.h"
#include "play/play_case.h"
#include "run/prepare.h"
#include "ui/json_lines.h"
#include "ui/simulation.h"

namespace agneto::cli {
namespace {

struct SimulateOptions {
  std::string file;
  std::vector<std::string> inputs;
  std::string events;
  bool json = false;
  bool shallow = false;
  bool non_interactive = false;
  bool auto_merge = false;
};

void play(play::Simulator& simulator, std::istream& lines, const std::string& name) {
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::optional<play::Input> input;
    try {
      input = play::parse_input(line);
    } catch (const Error& error) {
      throw Error(name + ":" + std::to_string(number) + ": " + error.what(), error.help());
    }
    if (input) simulator.input(*input, number);
  }
}

// The file of the events; not open where they come from standard input.
std::ifstream opened(const std::string& events) {
  std::ifstream file;
  if (events.empty() || events == "-") return file;
  file.open(events);
  if (!file || fs::is_directory(events)) {
    throw Error("cannot read the events file " + events,
                "give the path of a file with one event a line, or '-' for standard input");
  }
  return file;
}

// The command that a saved script belongs to.
std::string title_of(const SimulateOptions& options) {
  std::string title = "agneto simulate " + options.file;
  for (const auto& input : options.inputs) title += " --input '" + input + "'";
  if (options.shallow) title += " --shallow";
  if (options.non_interactive) title += " --non-interactive";
  if (options.auto_merge) title += " --auto-merge";
  return title;
}

ExitStatus simulate(const SimulateOptions& options, const Context& context) {
  const Disk disk;
  Diagnostics diagnostics;
  // Neither hooks nor providers are looked at: nobody is called.
  const play::Workflow workflow = play::load_workflow(workflow_file(options.file, context), disk,
                                                      context.resources.library(), diagnostics);
  if (diagnostics.has_errors()) throw InvalidFile(render(diagnostics));
  const model::System& system = *workflow.loaded.system;
  const Json inputs = run::read_inputs(system.main(), parse_inputs(options.inputs), Json::object());
  play::Options how;
  how.shallow = options.shallow;
  how.run.interactive = !options.non_interactive;
  how.run.auto_merge = options.auto_merge;

  ui::Screen screen(stdout, ui::Screen::style_of(stdout));
  ui::SimulationText text(screen, system);
  if (options.events.empty() && !options.json && somebody_there()) {
    play::Debugger debugger(system, *workflow.evaluator, how, inputs,
                            [&](const play::Macrostep& step) { text.show(step); });
    const auto editor = ui::make_line_editor(
        "> ", [&](std::string_view line) { return debugger.completions(line); });
    ui::debug(debugger, *editor, text, screen, title_of(options));
    return ExitStatus::complete;
  }

  play::SettingsOf settings_of;
  if (options.json) settings_of = agent_settings(context, disk, diagnostics);
  if (diagnostics.has_errors()) throw InvalidFile(render(diagnostics));
  std::ifstream file = opened(options.events);
  const std::string from = file.is_open() ? options.events : "<stdin>";
  const auto report = [&](const play::Macrostep& step) {
    if (options.json) {
      const std::string line = ui::to_line(to_json(step, system, settings_of));
      std::fwrite(line.data(), 1, line.size(), stdout);
      std::fflush(stdout);
    } else {
      text.show(step);
    }
    if (!step.refused.empty()) {
      fmt::print(stderr, "{}:{}: {}\n", from, step.input, printable(step.refused));
    }
    if (!step.doubt.empty()) {
      fmt::print(stderr, "{}:{}: no run gives that: {}\n", from, step.input, printable(step.doubt));
    }
    // The reader may have gone, and the events may have no end.
    if (std::ferror(stdout)) {
      throw Error("cannot write to standard output", "", ExitStatus::failed);
    }
  };
  play::Simulator simulator(system, *workflow.evaluator, how, report);
  simulator.start(inputs);
  play(simulator, file.is_open() ? file : std::cin, from);
  return ExitStatus::complete;
}

}  // namespace

void add_simulate(Program& program) {
  auto options = std::make_shared<SimulateOptions>();
  CommandLine& command = program.add_command(
      "simulate", "Play a workflow by hand, without agents, people, git or time");
  command.add("WORKFLOW", &options->file, "A workflow by path or name", {.required = true});
  command.add("-i,--input", &options->inputs, "An input of the workflow: NAME=VALUE");
  command.add("--events", &options->events,
              "Events, one a line, from this file ('-': standard input)");
  command.add("--json", &options->json, "Print each macrostep as a JSON line");
  command.add("--shallow", &options->shallow,
              "Do not enter other machines: their outcome is an event too");
  command.add("--non-interactive", &options->non_interactive, "Let run.interactive be false");
  command.add("--auto-merge", &options->auto_merge, "Let run.auto_merge be true");
  command.footer = R"(Examples:
  agneto simulate flow.yaml                            try it at the terminal
  agneto simulate flow.yaml --input task=x --events events.txt
  printf 'go\n{"advance": "5m"}\n' | agneto simulate flow.yaml --events - --json

An event is its name, or JSON: {"event": "APPROVE", "from": "REVIEWING", "data": {…}} is the outcome
of the activity that runs there; without "from" it is offered to all. {"advance": "90s"} moves the
clock and fires what is due.

Exit status: 0 the events were played, however the machine ended; 2 usage or invalid workflow.)";
  command.action = [options](const Context& context) { return simulate(*options, context); };
}

}  // namespace agneto::cli
