#include "cli/completion.h"

#include <algorithm>
#include <map>

#include "cli/command_line.h"

namespace agneto::cli {
namespace {

// By the option's longest name, or that of a positional one.
const std::map<std::string, Value, std::less<>> values = {
    {"FILE", Value::file},          {"WORKFLOW", Value::workflow_file},
    {"PATHS", Value::file},         {"RUN", Value::run},
    {"OPTION", Value::runs_option}, {"RULE", Value::rule},
    {"GIT", Value::file},           {"TASK", Value::other},
    {"EVENT", Value::other},        {"NAME", Value::other},
    {"--agent", Value::agent},      {"--workflow", Value::workflow_file},
    {"--file", Value::file},        {"--cassette", Value::file},
    {"--record", Value::file},      {"--fault", Value::other},
    {"--speed", Value::other},      {"--edited", Value::file},
    {"--events", Value::file},      {"--junit", Value::file},
    {"--output", Value::file},      {"--answer", Value::runs_option},
    {"--at", Value::other},         {"--run", Value::run},
    {"--coverage", Value::file},    {"--coverage-file", Value::file},
    {"--base", Value::other},       {"--choose", Value::choice},
    {"--data", Value::other},       {"--depth", Value::other},
    {"--limit", Value::other},      {"--since", Value::other},
    {"--feedback", Value::other},   {"--filter", Value::other},
    {"--from", Value::new_from},    {"--full", Value::other},
    {"--input", Value::input},      {"--min-coverage", Value::other},
    {"--model", Value::other},      {"--older-than", Value::other},
    {"--text", Value::other},       {"--to", Value::other},
};

bool takes_value(const CLI::Option& option) {
  return option.get_expected_max() > 0;
}

// Where the parser knows them: "TEXT:{json,markdown}".
std::vector<Candidate> choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{'), close = type.rfind('}');
  std::vector<Candidate> all;
  if (open == std::string::npos || close == std::string::npos) return all;
  for (const std::string& choice :
       CLI::detail::split(type.substr(open + 1, close - open - 1), ',')) {
    all.push_back({choice, ""});
  }
  return all;
}

// Of `all`, what begins as the word does, up to the next '=' in it: STATE=OUTCOME is typed in two
// steps.
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

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::vector<Candidate> commands(const CLI::App& app) {
  std::vector<Candidate> all;
  for (const CLI::App* command : commands_for_people(app)) {
    all.push_back({command->get_name(), first_line(command->get_description())});
  }
  return all;
}

std::vector<Candidate> options(const CLI::App& command) {
  std::vector<Candidate> all;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) continue;
    for (const std::string& name : option->get_lnames()) {
      all.push_back({"--" + name, first_line(option->get_description())});
    }
  }
  return all;
}

class Command {
 public:
  Command(const CLI::App& command, const Lookup& lookup) : command_(command), lookup_(lookup) {
    typed_.command = command.get_name();
  }

  // A word before the cursor.
  void take(const std::string& word) {
    const CLI::Option* option = only_words_ ? nullptr : option_of(word);
    const auto equals = word.find('=');
    if (waiting_ != nullptr) {
      note(*waiting_, word);
      waiting_ = nullptr;
    } else if (word == "--") {
      only_words_ = true;
    } else if (option != nullptr) {
      if (!takes_value(*option)) return;
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
      const CLI::Option* option = option_of(word);
      if (equals == std::string::npos) {
        add(options(command_), word, completion);
      } else if (option != nullptr && takes_value(*option)) {
        add_values(*option, word.substr(equals + 1), completion, word.substr(0, equals + 1));
      }
    } else if (const CLI::Option* positional = next_positional()) {
      add_values(*positional, word, completion);
    }
    return completion;
  }

 private:
  void note(const CLI::Option& option, const std::string& value) {
    if (!option.get_lnames().empty()) typed_.options["--" + option.get_lnames().front()] = value;
  }

  const CLI::Option* option_of(const std::string& word) const {
    return word.size() < 2 || word[0] != '-'
               ? nullptr
               : command_.get_option_no_throw(word.substr(0, word.find('=')));
  }

  const CLI::Option* next_positional() const {
    std::size_t number = typed_.words.size();
    for (const CLI::Option* option : command_.get_options()) {
      if (!option->get_positional()) continue;
      const auto takes = static_cast<std::size_t>(option->get_items_expected_max());
      if (number < takes) return option;
      number -= takes;
    }
    return nullptr;
  }

  void add_values(const CLI::Option& option, const std::string& word, Completion& completion,
                  const std::string& prefix = {}) const {
    if (auto known = choices(option); !known.empty()) {
      return add(std::move(known), word, completion, prefix);
    }
    const Value value = value_of(option);
    if (value != Value::other && value != Value::file) {
      add(lookup_(value, typed_), word, completion, prefix);
    }
    completion.files = value == Value::file || value == Value::workflow_file;
  }

  const CLI::App& command_;
  const Lookup& lookup_;
  const CLI::Option* waiting_ = nullptr;  // for its value
  bool only_words_ = false;
  Typed typed_;
};

}  // namespace

Value value_of(const CLI::Option& option) {
  if (option.get_positional()) return values.at(option.get_name(true));
  for (const std::string& name : option.get_lnames()) {
    if (const auto known = values.find("--" + name); known != values.end()) return known->second;
  }
  throw std::out_of_range("what are the values of " + option.get_name() + "?");
}

Completion complete(const CLI::App& app, const std::vector<std::string>& words,
                    const Lookup& lookup) {
  Completion completion;
  const bool help = words.size() > 1 && words.front() == "help";
  if (words.size() < 2 || help) {
    const std::string word = words.empty() ? "" : words.back();
    add(word.starts_with('-') ? options(app) : commands(app), word, completion);
    return completion;
  }
  const auto chosen = app.get_subcommands(
      [&](const CLI::App* command) { return command->get_name() == words.front(); });
  if (chosen.empty()) return completion;
  Command command(*chosen.front(), lookup);
  for (std::size_t i = 1; i + 1 < words.size(); ++i) command.take(words[i]);
  return command.at(words.back());
}

}  // namespace agneto::cli
