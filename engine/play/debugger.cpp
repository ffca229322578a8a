#include "play/debugger.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace agneto::play {

namespace {

using Verb = DebuggerCommand::Verb;

struct Command {
  const char* name;
  Verb verb;
  const char* argument;
  const char* help;
};

constexpr std::array<Command, 8> commands{{
    {"advance", Verb::input, "DURATION", "move the clock and fire what is due"},
    {"undo", Verb::undo, "", "take the last input back"},
    {"show", Verb::show, "", "the active states and what each could receive"},
    {"context", Verb::context, "", "the data of every machine"},
    {"script", Verb::script, "", "the inputs so far"},
    {"save", Verb::save, "FILE", "write them to a file that --events plays"},
    {"help", Verb::help, "", "this list"},
    {"quit", Verb::quit, "", "leave; so does Ctrl+D"},
}};

std::string_view take_word(std::string_view& text) {
  const auto end = std::min(text.find_first_of(" \t"), text.size());
  const auto word = text.substr(0, end);
  text = trim(text.substr(end));
  return word;
}

// "from PATH" at the beginning or end of what follows an event's name.
std::string take_from(std::string_view& rest) {
  if (starts_with_word(rest, "from")) {
    take_word(rest);
    return std::string(take_word(rest));
  }
  const auto last = rest.find_last_of(" \t");
  if (last == rest.npos) return {};
  const std::string_view before = trim(rest.substr(0, last));
  if (!before.ends_with(" from")) return {};
  const std::string path(rest.substr(last + 1));
  rest = trim(before.substr(0, before.size() - 5));
  return path;
}

Input parse_event(std::string_view name, std::string_view rest) {
  Input input = *parse_input(name);
  if (rest == "from") throw Error("'from' names no activity", "write EVENT from PATH");
  if (!Json::accept(rest)) input.from = take_from(rest);
  if (!rest.empty()) {
    try {
      input.data = parse_json(rest);
    } catch (const Error& error) {
      throw Error(error.what(), "write EVENT, EVENT {\"field\": …} or EVENT from PATH; see 'help'");
    }
  }
  return input;
}

void add_unique(std::vector<std::string>& words, const std::string& word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

std::vector<std::string> events_of(const Overview& all) {
  std::vector<std::string> names;
  for (const StateView& place : all.places) {
    for (const Offer& offer : place.offers) {
      for (const std::string& event : offer.events) {
        if (event != "any") add_unique(names, event);
      }
    }
    if (!place.activity) continue;
    for (const model::Outcome& outcome : place.activity->outcomes) add_unique(names, outcome.name);
  }
  return names;
}

// Which activities may end in `event`; all where none may.
std::vector<std::string> paths_for(const Overview& all, std::string_view event) {
  std::vector<std::string> fitting, others;
  for (const StateView& place : all.places) {
    if (!place.activity) continue;
    const auto& outcomes = place.activity->outcomes;
    const bool fits = std::any_of(outcomes.begin(), outcomes.end(),
                                  [&](const model::Outcome& o) { return o.name == event; });
    (fits ? fitting : others).push_back(place.activity->path);
  }
  return fitting.empty() ? others : fitting;
}

// {"label":""}: what the verdict's fields would be filled into.
std::vector<std::string> data_for(const Overview& all, std::string_view event) {
  std::vector<std::string> forms;
  for (const StateView& place : all.places) {
    if (!place.activity) continue;
    for (const model::Outcome& outcome : place.activity->outcomes) {
      if (outcome.name != event || outcome.what != "verdict" || outcome.fields.empty()) continue;
      Json data = Json::object();
      for (const model::Field& field : outcome.fields) {
        data[field.name] = model::example(field.type, "");
      }
      add_unique(forms, to_text(data));
    }
  }
  return forms;
}

}  // namespace

DebuggerCommand parse_command(std::string_view line) {
  line = trim(line);
  DebuggerCommand command;
  if (line.empty() || line.starts_with('#')) return command;
  command.verb = Verb::input;
  if (line.starts_with('{')) {
    command.input = *parse_input(line);
    return command;
  }
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  const auto entry = std::find_if(commands.begin(), commands.end(),
                                  [&](const Command& e) { return e.name == word; });
  if (entry == commands.end()) {
    command.input = parse_event(word, rest);
    return command;
  }
  command.verb = entry->verb;
  command.argument = std::string(rest);
  const std::string_view wanted = entry->argument;
  if (wanted.empty() != rest.empty()) {
    const std::string name(word);
    throw Error("'" + name + "' takes " + (wanted.empty() ? "nothing" : "a " + std::string(wanted)),
                "an event of that name is written {\"event\": \"" + name + "\"}");
  }
  if (entry->verb == Verb::input) {
    const bool number = rest.find_first_not_of("0123456789") == rest.npos && rest.size() < 16;
    command.input = *parse_input(
        to_text({{"advance", number ? Json(std::stoll(std::string(rest))) : Json(rest)}}));
  }
  return command;
}

std::vector<std::string> command_help() {
  const auto row = [](std::string what, const char* help) {
    what.resize(std::max<std::size_t>(what.size(), 26), ' ');
    return what + "  " + help;
  };
  std::vector<std::string> lines = {
      row("EVENT [DATA]", "an event for all; DATA is JSON, such as {\"label\": \"bug\"}"),
      row("EVENT [DATA] from PATH", "the end of the activity that runs at PATH"),
  };
  for (const Command& entry : commands) {
    lines.push_back(
        row(std::string(entry.name) + (*entry.argument ? " " : "") + entry.argument, entry.help));
  }
  return lines;
}

Debugger::Debugger(const model::System& system, chart::Evaluator& evaluator, const Options& options,
                   Json inputs, Simulator::Listener listener)
    : system_(system),
      evaluator_(evaluator),
      options_(options),
      inputs_(std::move(inputs)),
      listener_(std::move(listener)) {}

void Debugger::start() {
  simulator_ =
      std::make_unique<Simulator>(system_, evaluator_, options_, [this](const Macrostep& s) {
        last_ = s;
        if (!quiet_) listener_(s);
      });
  simulator_->start(inputs_);
}

void Debugger::play(Input input) {
  script_.push_back(std::move(input));
  simulator_->input(script_.back(), static_cast<int>(script_.size()));
  if (!last_.refused.empty()) script_.pop_back();
}

bool Debugger::undo() {
  if (script_.empty()) return false;
  script_.pop_back();
  quiet_ = true;
  start();
  int number = 0;
  for (const Input& input : script_) simulator_->input(input, ++number);
  quiet_ = false;
  return true;
}

std::vector<std::string> Debugger::script() const {
  std::vector<std::string> lines;
  for (const Input& input : script_) lines.push_back(to_line(input));
  return lines;
}

std::vector<std::string> Debugger::completions(std::string_view line) const {
  const auto start = line.find_last_of(" \t") + 1;  // none: npos + 1 is 0
  const std::string_view last = line.substr(start);
  std::string_view before = trim(line.substr(0, start));
  const Overview all = overview(*simulator_);

  std::vector<std::string> words;
  if (before.empty()) {
    words = events_of(all);
    for (const Command& entry : commands) add_unique(words, entry.name);
  } else if (before == "advance") {
    if (!simulator_->machine().timers().empty()) {
      words = {
          to_duration(simulator_->machine().timers().front().due - simulator_->machine().now())};
    }
  } else {
    const bool after_from = before.ends_with(" from");
    const std::string_view event = take_word(before);
    const bool command = std::any_of(commands.begin(), commands.end(),
                                     [&](const Command& e) { return e.name == event; });
    if (after_from) {
      words = paths_for(all, event);
    } else if (!command && !paths_for(all, event).empty()) {
      words = before.empty() ? data_for(all, event) : std::vector<std::string>();
      words.push_back("from");
    }
  }
  std::erase_if(words, [&](const std::string& word) { return !word.starts_with(last); });
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace agneto::play
