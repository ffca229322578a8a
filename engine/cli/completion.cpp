#include "cli/completion.h"

#include <algorithm>
#include <map>

namespace agneto::cli {
namespace {

// The kind of each value, by the name of the option or word.
const std::map<std::string, Value, std::less<>> values = {
    {"FILE", Value::file},
    {"WORKFLOW", Value::workflow_file},
    {"PATHS", Value::file},
    {"RUN", Value::run},
    {"OPTION", Value::runs_option},
    {"RULE", Value::rule},
    {"GIT", Value::file},
    {"TASK", Value::other},
    {"ORIGIN", Value::file},
    {"FROM", Value::file},
    {"PACKAGE", Value::package},
    {"--in", Value::file},
    {"EVENT", Value::other},
    {"NAME", Value::other},
    {"--agent", Value::agent},
    {"--workflow", Value::workflow_file},
    {"--file", Value::file},
    {"--cassette", Value::file},
    {"--record", Value::file},
    {"--fault", Value::other},
    {"--speed", Value::other},
    {"--edited", Value::file},
    {"--events", Value::file},
    {"--junit", Value::file},
    {"--output", Value::file},
    {"--answer", Value::runs_option},
    {"--at", Value::other},
    {"--run", Value::run},
    {"--coverage", Value::file},
    {"--coverage-file", Value::file},
    {"--base", Value::other},
    {"--choose", Value::choice},
    {"--data", Value::other},
    {"--depth", Value::other},
    {"--limit", Value::other},
    {"--since", Value::other},
    {"--max-calls", Value::other},
    {"--max-cost", Value::other},
    {"--max-tokens", Value::other},
    {"--max-time", Value::other},
    {"--feedback", Value::other},
    {"--filter", Value::other},
    {"--grace", Value::other},
    {"--labels", Value::other},
    {"--needs", Value::other},
    {"--slots", Value::other},
    {"--cache", Value::file},
    {"--listen", Value::other},
    {"--server", Value::other},
    {"--trusted-proxy", Value::other},
    {"--user-header", Value::other},
    {"--token-file", Value::file},
    {"--journal", Value::other},
    {"--host", Value::other},
    {"ACTION", Value::other},
    {"--priority", Value::other},
    {"--timeout", Value::other},
    {"--from", Value::new_from},
    {"--full", Value::other},
    {"--input", Value::input},
    {"--min-coverage", Value::other},
    {"--model", Value::other},
    {"--older-than", Value::other},
    {"--text", Value::other},
    {"--to", Value::other},
};

// Adds the candidates that begin as the word does, up to their next '=': STATE=OUTCOME is typed in
// two steps.
void add(std::vector<Candidate> all, const std::string& word, Completion& completion,
         const std::string& prefix = {}) {
  for (Candidate& candidate : all) {
    if (!candidate.text.starts_with(word)) continue;
    if (const auto equals = candidate.text.find('=', word.size());
        equals != std::string::npos && equals + 1 < candidate.text.size()) {
      candidate.text.resize(equals + 1);
      candidate.help.clear();
    }
    candidate.text.insert(0, prefix);
    auto& known = completion.candidates;
    if (known.empty() || known.back() != candidate) known.push_back(std::move(candidate));
  }
}

std::vector<Candidate> commands(const Program& program) {
  std::vector<Candidate> all;
  for (const CommandLine* command : commands_for_people(program)) {
    all.push_back({command->name, command->description});
  }
  return all;
}

std::vector<Candidate> options(const CommandLine& command) {
  std::vector<Candidate> all;
  for (const Option& option : command.options) {
    if (!option.is_word()) all.push_back({option.name, option.description});
  }
  return all;
}

// The words that were typed after a command's name.
class Line {
 public:
  Line(const CommandLine& command, const Lookup& lookup) : command_(command), lookup_(lookup) {
    typed_.command = command.name;
  }

  // A word before the cursor.
  void take(const std::string& word) {
    const Option* option = only_words_ ? nullptr : option_of(word);
    const auto equals = word.find('=');
    if (waiting_ != nullptr) {
      note(*waiting_, word);
      waiting_ = nullptr;
    } else if (word == "--") {
      only_words_ = true;
    } else if (option != nullptr) {
      if (!option->takes_value()) return;
      if (equals == std::string::npos) {
        waiting_ = option;
      } else {
        note(*option, word.substr(equals + 1));
      }
    } else {
      typed_.words.push_back(word);
    }
  }

  Completion at(const std::string& word) const {
    Completion completion;
    if (waiting_ != nullptr) {
      add_values(*waiting_, word, completion);
    } else if (!only_words_ && word.starts_with('-')) {
      const auto equals = word.find('=');
      const Option* option = option_of(word);
      if (equals == std::string::npos) {
        add(options(command_), word, completion);
      } else if (option != nullptr && option->takes_value()) {
        add_values(*option, word.substr(equals + 1), completion, word.substr(0, equals + 1));
      }
    } else if (const Option* positional = next_positional()) {
      add_values(*positional, word, completion);
    }
    return completion;
  }

 private:
  void note(const Option& option, const std::string& value) { typed_.options[option.name] = value; }

  const Option* option_of(const std::string& word) const {
    if (!word.starts_with('-')) return nullptr;
    const std::string name = word.substr(0, word.find('='));
    for (const Option& option : command_.options) {
      if (name == option.name || name == option.letter) return &option;
    }
    return nullptr;
  }

  const Option* next_positional() const {
    std::size_t number = typed_.words.size();
    for (const Option& option : command_.options) {
      if (!option.is_word()) continue;
      if (number == 0 || option.takes_many()) return &option;
      --number;
    }
    return nullptr;
  }

  void add_values(const Option& option, const std::string& word, Completion& completion,
                  const std::string& prefix = {}) const {
    const auto& choices = option.details.choices;
    for (const std::string& choice : choices) add({{choice, ""}}, word, completion, prefix);
    if (!choices.empty()) return;
    const Value value = value_of(option);
    if (value != Value::other && value != Value::file) {
      add(lookup_(value, typed_), word, completion, prefix);
    }
    completion.files = value == Value::file || value == Value::workflow_file;
  }

  const CommandLine& command_;
  const Lookup& lookup_;
  const Option* waiting_ = nullptr;  // for its value
  bool only_words_ = false;
  Typed typed_;
};

}  // namespace

Value value_of(const Option& option) {
  return values.at(option.name);
}

Completion complete(const Program& program, const std::vector<std::string>& words,
                    const Lookup& lookup) {
  Completion completion;
  const bool help = words.size() > 1 && words.front() == "help";
  if (words.size() < 2 || help) {
    const std::string word = words.empty() ? "" : words.back();
    add(word.starts_with('-') ? options(program) : commands(program), word, completion);
    return completion;
  }
  const auto chosen = std::ranges::find(program.commands, words.front(), &CommandLine::name);
  if (chosen == program.commands.end()) return completion;
  Line line(*chosen, lookup);
  for (std::size_t i = 1; i + 1 < words.size(); ++i) line.take(words[i]);
  return line.at(words.back());
}

}  // namespace agneto::cli
