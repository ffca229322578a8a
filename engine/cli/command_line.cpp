// The only file that knows CLI11, which takes long to compile.
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.h"

namespace agneto::cli {
namespace {

CLI::Option* add(CLI::App& app, const Option& option) {
  const std::string names = option.letter.empty() ? option.name : option.letter + "," + option.name;
  CLI::Option* added = std::visit(
      [&](auto* variable) {
        if constexpr (std::is_same_v<decltype(variable), bool*>) {
          return app.add_flag(names, *variable, option.description);
        } else {
          return app.add_option(names, *variable, option.description);
        }
      },
      option.variable);
  const Details& details = option.details;
  if (option.takes_many() && !option.is_word()) added->allow_extra_args(false);
  if (option.takes_many() && !details.choices.empty()) added->delimiter(',');
  if (!details.choices.empty()) added->check(CLI::IsMember(details.choices));
  if (details.range) added->check(CLI::Range(details.range->first, details.range->second));
  return added->required(details.required)
      ->default_str(details.shown_default)
      ->option_text(details.shown_as);
}

void add_all(CLI::App& app, const CommandLine& command) {
  app.footer(command.footer);
  for (const Option& option : command.options) {
    if (option.name == "--help") {
      app.set_help_flag(option.letter + "," + option.name, option.description);
    } else if (option.name == "--version") {
      app.set_version_flag(option.name, "agneto " AGNETO_VERSION, option.description);
    } else {
      CLI::Option* added = add(app, option);
      if (!option.details.needs.empty()) added->needs(option.details.needs);
      for (const std::string& other : option.details.excludes) added->excludes(other);
    }
  }
}

// "fix the bug", as a shell takes it for one word.
std::string quoted(const std::vector<std::string>& words) {
  std::string text;
  for (char c : join(words, " ")) {
    if (c == '"' || c == '\\' || c == '$' || c == '`') text += '\\';
    text += c;
  }
  return '"' + text + '"';
}

// The error of a command line that has more words or options than the command takes.
Error too_much(const CLI::App& command) {
  const std::string& name = command.get_name();
  const std::string see = "see 'agneto " + name + " --help'";
  const std::vector<std::string> extra = command.remaining();
  const auto option =
      std::ranges::find_if(extra, [](const auto& word) { return word.starts_with("-"); });
  if (option != extra.end()) {
    std::vector<std::string> known;
    for (const auto* each : command.get_options()) {
      for (const auto& long_name : each->get_lnames()) known.push_back("--" + long_name);
    }
    const std::string wrong = option->substr(0, option->find('='));
    if (wrong == "--server" || wrong == "--token-file") {
      return Error("'agneto " + name + "' works on files here", "leave " + wrong + " out");
    }
    return Error(name + " has no option '" + wrong + "'",
                 suggestion(wrong, known, "options") + "; " + see);
  }
  const auto& takes = command.get_options([](const auto* each) { return each->get_positional(); });
  if (takes.empty()) {
    return Error(name + " takes nothing more, but was given '" + extra.front() + "'", see);
  }
  const std::string what = takes.front()->get_name();
  std::vector<std::string> words = takes.front()->results();
  words.insert(words.end(), extra.begin(), extra.end());
  if (what != "TASK") {
    return Error(name + " takes one " + what + ", but was given " + join(words, ", "), see);
  }
  return Error("run takes one TASK, but was given " + std::to_string(words.size()) + " words",
               "quote it: agneto run " + quoted(words));
}

// Translates what CLI11 says into what is wrong with the command line, and what to do about it.
Error usage_error(const Program& program, const CLI::App& app, const CLI::ParseError& error,
                  const std::vector<std::string>& arguments) {
  std::vector<std::string> commands;
  for (const auto* command : commands_for_people(program)) commands.push_back(command->name);
  const std::string all =
      "the commands are " + join(commands, ", ") + "; 'agneto --help' has examples";
  if (arguments.empty()) return Error("no command was given", all);
  const std::string& first = arguments.front();
  bool known = std::ranges::find(commands, first) != commands.end();
  if (!known && !first.starts_with("-")) {
    const std::string near = closest(first, commands);
    return Error("there is no command '" + first + "'",
                 near.empty() ? all : "did you mean '" + near + "'?");
  }
  if (known && dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const CLI::App& command = *app.get_subcommand(first);
    if (!command.remaining().empty()) return too_much(command);
  }
  std::string what = error.what();
  if (constexpr std::string_view failed = "Could not convert: "; what.starts_with(failed)) {
    const std::string given = what.substr(failed.size());  // "--to = abc"
    const std::size_t equals = given.find(" = ");
    what = "'" + given.substr(equals + 3) + "' is no number for " + given.substr(0, equals);
  }
  return Error(what, "see 'agneto " + (known ? first + " " : std::string()) + "--help'");
}

}  // namespace

std::string Option::type() const {
  CLI::App app;
  return add(app, *this)->get_type_name();
}

CommandLine::CommandLine(std::string name, std::string description)
    : name(std::move(name)), description(std::move(description)) {
  add("-h,--help", {}, "Show this help");
}

void CommandLine::add(const std::string& names, Variable variable, std::string description,
                      Details details) {
  const std::size_t comma = names.find(',');
  const std::string letter = comma == names.npos ? "" : names.substr(0, comma);
  options.push_back(
      {letter, names.substr(comma + 1), variable, std::move(description), std::move(details)});
}

Program::Program()
    : CommandLine(
          "agneto",
          "Runs a team of AI coding agents on your repository, under rules that are data.") {
  options.insert(options.begin(),
                 {"", "--version", {}, "Display program version information and exit", {}});
}

CommandLine& Program::add_command(std::string name, std::string description) {
  CommandLine& command = commands.emplace_back(std::move(name), std::move(description));
  command.footer = footer;
  return command;
}

void Program::add_server_options(CommandLine& command) {
  command.add("--server", &server.url,
              "Of the runs that this server has, instead of those here (default: $AGNETO_SERVER)",
              {.shown_as = "URL"});
  command.add("--token-file", &server.token_file,
              "With a server: the file that holds your token for it (default: $AGNETO_TOKEN)",
              {.shown_as = "FILE"});
}

std::vector<std::string> with_server_behind(std::vector<std::string> arguments) {
  std::size_t end = 0;
  while (end < arguments.size()) {
    const std::string& word = arguments[end];
    if (word == "--server" || word == "--token-file") {
      end += 2;
    } else if (word.starts_with("--server=") || word.starts_with("--token-file=")) {
      end += 1;
    } else {
      break;
    }
  }
  if (end < arguments.size()) {
    const auto begin = arguments.begin();
    std::rotate(begin, begin + static_cast<std::ptrdiff_t>(end),
                begin + static_cast<std::ptrdiff_t>(end) + 1);
  }
  return arguments;
}

std::vector<const CommandLine*> commands_for_people(const Program& program) {
  std::vector<const CommandLine*> all;
  for (const CommandLine& command : program.commands) {
    if (!command.is_for_scripts()) all.push_back(&command);
  }
  return all;
}

std::vector<std::string> without_help_command(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.resize(std::min<std::size_t>(arguments.size(), 1));
  arguments.emplace_back("--help");
  return arguments;
}

Action parse(const Program& program, const std::vector<std::string>& arguments) {
  CLI::App app(program.description, program.name);
  app.require_subcommand(1);
  add_all(app, program);
  Action action;
  for (const CommandLine& command : program.commands) {
    CLI::App* added = app.add_subcommand(command.name, command.description);
    add_all(*added, command);
    if (command.is_for_scripts()) added->group("");
    if (command.rest) added->allow_extras();
    added->callback([&action, &command, added] {
      action = command.action;
      if (!command.rest) return;
      const auto rest = added->remaining();
      command.rest->insert(command.rest->end(), rest.begin(), rest.end());
    });
  }
  try {
    const auto words = without_help_command(arguments);
    // It takes them from the end.
    app.parse(std::vector<std::string>{words.rbegin(), words.rend()});
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw usage_error(program, app, error, arguments);
    app.exit(error);  // shows what was asked for
    const auto words = without_help_command(arguments);
    const auto asked = std::ranges::find(program.commands, words.front(), &CommandLine::name);
    return asked == program.commands.end() ? Action() : asked->more_help;
  }
  return action;
}

}  // namespace agneto::cli
