// The command line: commands and their options as data, from which help, manual and completion are
// made, and by which what was typed is taken apart.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"

namespace agneto::cli {

struct Context;

// Does the command's work; it is called once the whole command line is known to be right.
using Action = std::function<ExitStatus(const Context&)>;

// The variable that gets an option's value. A bool becomes true if the option is given. A list gets
// one value each time the option is given, or several with commas if the option has choices; if it
// belongs to a word, it gets all words that are left.
using Variable = std::variant<bool*, std::string*, std::vector<std::string>*, int*,
                              std::optional<int>*, std::int64_t*, std::size_t*, double*>;

// What is known about an option besides its name. It names other options as "--file", and only
// those that were added before it.
struct Details {
  bool required = false;
  std::vector<std::string> choices = {};  // empty: any value
  std::optional<std::pair<int, int>> range = {};
  std::string shown_default = {};
  std::string shown_as = {};  // in the help, instead of the value's type and of all the above
  std::string needs = {};     // the option that must be there too
  std::vector<std::string> excludes = {};
};

// An option, or a word that is known by its position.
struct Option {
  std::string letter;  // "-f"; may be empty
  std::string name;    // "--file" or "FILE"
  Variable variable;
  std::string description;
  Details details;

  bool is_word() const { return !name.starts_with('-'); }
  bool takes_value() const { return !std::holds_alternative<bool*>(variable); }
  bool takes_many() const { return std::holds_alternative<std::vector<std::string>*>(variable); }
  // The type as the help shows it: "INT", "TEXT:{json,markdown}".
  std::string type() const;
};

// How a command is typed, and what it does.
struct CommandLine {
  // The new command has the option --help.
  CommandLine(std::string name, std::string description);

  // `names`: "-f,--file", "--file", or "FILE" for a word. The variable must live as long as the
  // command; what `action` captures does.
  void add(const std::string& names, Variable variable, std::string description,
           Details details = {});
  // Is it called by scripts only, as __complete is? No help, manual or completion shows it then.
  bool is_for_scripts() const { return name.starts_with("__"); }

  std::string name, description, footer;
  std::vector<Option> options;
  std::vector<std::string>* rest = nullptr;  // gets unknown words; null: they are errors
  Action action;
  Action more_help;  // shows what its help has besides, behind it; may be empty
};

// Where the runs are that a command is about; empty: here.
struct ServerOptions {
  std::string url;
  std::string token_file;
};

// All commands, and the help that is common to them.
struct Program : CommandLine {
  // The new program has the option --version, too.
  Program();
  Program(const Program&) = delete;  // commands refer to it
  Program& operator=(const Program&) = delete;

  // The new command has the program's footer until it sets its own. The reference stays valid.
  CommandLine& add_command(std::string name, std::string description);
  // The command works on a server's runs, too: it gets the options that say so.
  void add_server_options(CommandLine& command);

  std::deque<CommandLine> commands;
  std::string log_level;  // each command's --log-level; empty: not given
  std::string journal;    // each command's --journal; empty: not given
  ServerOptions server;   // of those commands that have it
};

std::vector<const CommandLine*> commands_for_people(const Program& program);

// Moves --server and --token-file, where they stand before the command, behind it.
std::vector<std::string> with_server_behind(std::vector<std::string> arguments);

// Turns 'agneto help COMMAND' into 'agneto COMMAND --help'.
std::vector<std::string> without_help_command(std::vector<std::string> arguments);

// Fills the variables and returns the command's action; where help or the version was asked for it
// has shown that, and returns what else there is to show, if anything. Throws Error with what is
// wrong with the command line, and what to do.
Action parse(const Program& program, const std::vector<std::string>& arguments);

}  // namespace agneto::cli
