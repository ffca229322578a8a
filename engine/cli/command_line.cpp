#include "cli/command_line.h"

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "base/text.h"

namespace agneto::cli {

void describe(CLI::App& app, Context& context) {
  app.name("agneto");
  app.description("Runs a team of AI coding agents on your repository, under rules that are data.");
  app.set_version_flag("--version", "agneto " AGNETO_VERSION);
  app.set_help_flag("-h,--help", "Show this help");
  app.require_subcommand(1);
  app.footer(R"(Examples:
  agneto run "fix the login redirect"        refine, plan, build, review; asks at the gates
  agneto run --file task.md --auto-merge     a longer task, merged into your branch at the end
  agneto run "..." --agent codex             with Codex (claude, codex, opencode, gemini, command)
  agneto runs                                what has run here, and how it stands
  agneto resume last                         go on after a suspension, a crash, a reboot
  agneto answer last APPROVED                answer a question, from any terminal
  agneto new mine                            start a workflow of your own
  agneto lint .agneto/workflows/mine.yaml    every mistake in a workflow, at once
  agneto simulate .agneto/workflows/mine.yaml  try it by hand, without an agent
  agneto graph agneto -o agneto.svg          a picture of a workflow

Exit status: 0 complete, 1 failed or abandoned, 2 usage or invalid workflow, 3 suspended,
4 aborted.)");
  add_run(app, context);
  add_resume(app, context);
  add_runs(app, context);
  add_show(app, context);
  add_log(app, context);
  add_diff(app, context);
  add_clean(app, context);
  add_doctor(app, context);
  add_export(app, context);
  add_record(app, context);
  add_answer(app, context);
  add_send(app, context);
  add_suspend(app, context);
  add_abort(app, context);
  add_rewind(app, context);
  add_fork(app, context);
  add_new(app, context);
  add_lint(app, context);
  add_explain(app, context);
  add_lsp(app, context);
  add_simulate(app, context);
  add_graph(app, context);
  add_test(app, context);
  add_replay(app, context);
  add_complete(app, context);
  add_manual(app, context);
}

std::vector<const CLI::App*> commands_for_people(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

void end_with_the_reader() {
  std::signal(SIGPIPE, SIG_DFL);
}

ExitStatus printed(ExitStatus status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  throw Error("cannot write to standard output", "look at where it goes: is that disk full?",
              ExitStatus::failed);
}

std::vector<std::string> without_help_command(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.resize(std::min<std::size_t>(arguments.size(), 1));
  arguments.emplace_back("--help");
  return arguments;
}

namespace {

// "fix the bug", as a shell takes it for one word.
std::string quoted(const std::vector<std::string>& words) {
  std::string text;
  for (char c : join(words, " ")) {
    if (c == '"' || c == '\\' || c == '$' || c == '`') text += '\\';
    text += c;
  }
  return '"' + text + '"';
}

// What a command was given beyond what it takes.
Error too_much(const CLI::App& command) {
  const std::string name = command.get_name();
  std::vector<std::string> extra = command.remaining();
  auto option = std::find_if(extra.begin(), extra.end(),
                             [](const auto& word) { return word.starts_with("-"); });
  if (option != extra.end()) {
    std::vector<std::string> known;
    for (const auto* each : command.get_options()) {
      for (const auto& long_name : each->get_lnames()) known.push_back("--" + long_name);
    }
    const std::string wrong = option->substr(0, option->find('='));
    std::string help = suggestion(wrong, known, "options");
    return Error(name + " has no option '" + wrong + "'",
                 help + "; see 'agneto " + name + " --help'");
  }
  const auto& takes = command.get_options([](const auto* each) { return each->get_positional(); });
  if (takes.empty()) {
    return Error(name + " takes nothing more, but was given '" + extra.front() + "'",
                 "see 'agneto " + name + " --help'");
  }
  const std::string what = takes.front()->get_name();
  std::vector<std::string> words = takes.front()->results();
  words.insert(words.end(), extra.begin(), extra.end());
  if (what != "TASK") {
    return Error(name + " takes one " + what + ", but was given " + join(words, ", "),
                 "see 'agneto " + name + " --help'");
  }
  return Error("run takes one TASK, but was given " + std::to_string(words.size()) + " words",
               "quote it: agneto run " + quoted(words));
}

}  // namespace

Error usage_error(const CLI::App& app, const CLI::ParseError& error,
                  const std::vector<std::string>& arguments) {
  std::vector<std::string> commands;
  for (const auto* command : commands_for_people(app)) commands.push_back(command->get_name());
  if (arguments.empty()) {
    return Error("no command was given",
                 "the commands are " + join(commands, ", ") + "; 'agneto --help' has examples");
  }
  const std::string& first = arguments.front();
  bool known = std::find(commands.begin(), commands.end(), first) != commands.end();
  if (!known && !first.starts_with("-")) {
    return Error("there is no command '" + first + "'", suggestion(first, commands, "commands"));
  }
  if (known && dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const CLI::App& command = *app.get_subcommand(first);
    if (!command.remaining().empty()) return too_much(command);
  }
  const std::string what = error.what();
  if (constexpr std::string_view failed = "Could not convert: "; what.starts_with(failed)) {
    const std::string given = what.substr(failed.size());  // "--to = abc"
    const std::size_t equals = given.find(" = ");
    return Error("'" + given.substr(equals + 3) + "' is no number for " + given.substr(0, equals),
                 "see 'agneto " + (known ? first + " " : std::string()) + "--help'");
  }
  return Error(what, "see 'agneto " + (known ? first + " " : std::string()) + "--help'");
}

}  // namespace agneto::cli
