#include "play/compare.h"

#include <algorithm>

#include "base/line_diff.h"
#include "chart/path.h"
#include "play/compare_prompt.h"

namespace agneto::play {

namespace {

bool names(const std::string& wanted, const std::string& path) {
  return chart::fit(wanted, path) != chart::Fit::none;
}

// Every key of an expected map is there with that value; anything else is equal.
bool has(const Json& actual, const Json& expected) {
  if (!expected.is_object() || !actual.is_object()) return actual == expected;
  return std::all_of(expected.items().begin(), expected.items().end(), [&](const auto& item) {
    return actual.contains(item.key()) && has(actual.at(item.key()), item.value());
  });
}

std::string to_json(const Json& value, int indent, bool ascii = false) {
  return value.dump(indent, ' ', ascii, Json::error_handler_t::replace);
}

// Would it be seen on paper as it is?
bool is_plain(const std::string& text) {
  if (text.empty() || text.find('\t') != text.npos || printable(text) != text) return false;
  const auto lines = split_lines(text);
  return std::none_of(lines.begin(), lines.end(), [](auto line) { return line.ends_with(' '); });
}

// As JSON has it, with a line of its own for each of the text's.
std::string quoted(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::string whole = to_json(line, -1, printable(line) != line);
    lines.push_back(whole.substr(1, whole.size() - 2));
    begin = end + 1;
  }
  return '"' + join(lines, "\\n\n") + '"';
}

// Two values that differ, line by line; texts as they are where that shows the difference.
std::vector<std::string> value_diff(const Json& wanted, const Json& actual) {
  const auto plain = [](const Json& value) {
    return value.is_string() && is_plain(value.get_ref<const std::string&>());
  };
  const auto to_lines = [](const Json& value) {
    return value.is_string() ? quoted(value.get<std::string>()) : to_json(value, 2);
  };
  if (plain(wanted) && plain(actual)) {
    return line_diff(wanted.get<std::string>(), actual.get<std::string>());
  }
  return line_diff(to_lines(wanted), to_lines(actual));
}

std::string lines_of(const std::vector<std::string>& names) {
  return join(names, "\n");
}

std::vector<std::string> texts_of(const Texts& texts) {
  std::vector<std::string> all;
  for (const Text& text : texts) all.push_back(text.text);
  return all;
}

// "..." is any number of states.
bool matches(const Texts& wanted, std::size_t w, const std::vector<std::string>& path,
             std::size_t p) {
  if (w == wanted.size()) return p == path.size();
  if (wanted[w].text != "...") {
    return p < path.size() && names(wanted[w].text, path[p]) && matches(wanted, w + 1, path, p + 1);
  }
  for (std::size_t next = p; next <= path.size(); ++next) {
    if (matches(wanted, w + 1, path, next)) return true;
  }
  return false;
}

class Comparison {
 public:
  Comparison(const Expectation& expected, const Found& found, Span span, const std::string& when)
      : expected_(expected), found_(found), span_(span), when_(when) {}

  std::vector<Failure> run() {
    states();
    data();
    effects();
    prompts();
    ending();
    problems();
    if (expected_.handled && *expected_.handled != found_.handled) {
      fail(span_, found_.handled ? "something took the event" : "nothing took the event");
    } else if (!expected_.handled && !found_.handled) {
      fail(span_, "nothing took the event").diagnostic.help =
          "where that is meant, say 'expect: {handled: false}'";
    }
    return std::move(failures_);
  }

 private:
  void states() {
    std::vector<std::string> atomic, all;
    for (const auto& state : found_.active) {
      all.push_back(chart::without_entries(state.path));
      if (state.atomic) atomic.push_back(state.path);
    }
    for (const Text& wanted : expected_.in.value_or(Texts{})) {
      const bool active =
          std::any_of(found_.active.begin(), found_.active.end(),
                      [&](const auto& state) { return names(wanted.text, state.path); });
      if (active) continue;
      fail(wanted.span, "'" + wanted.text + "' is not active " + when_).details = {
          "- " + wanted.text, "+ " + (all.empty() ? "nothing" : join(all, ", "))};
    }
    if (expected_.configuration && !matches(*expected_.configuration, 0, atomic, 0)) {
      differ(expected_.configuration_span, "the active states " + when_ + " are others",
             *expected_.configuration, atomic);
    }
    if (expected_.path && !matches(*expected_.path, 0, found_.path, 0)) {
      differ(expected_.path_span, "the path is another", *expected_.path, found_.path);
    }
  }

  void data() {
    for (const auto& [name, value] : expected_.context) {
      equal(value, found_.context.at(name.text), "'" + name.text + "'");
    }
    for (const auto& [owner, values] : expected_.machines) {
      std::vector<std::string> paths, fitting;
      for (const auto& [path, context] : found_.machines.items()) {
        paths.push_back(path);
        if (names(owner.text, path)) fitting.push_back(path);
      }
      if (fitting.size() != 1) {
        fail(owner.span, fitting.empty()
                             ? "no machine runs at '" + owner.text + "' " + when_
                             : "'" + owner.text + "' may be any of " + join(fitting, ", "))
            .diagnostic.help = "running: " + (paths.empty() ? "none" : join(paths, ", "));
        continue;
      }
      const Json& context = found_.machines.at(fitting.front());
      for (const auto& [name, value] : values) {
        if (!context.contains(name.text)) {
          fail(name.span, "the context of " + fitting.front() + " has no '" + name.text + "'");
        } else {
          equal(value, context.at(name.text), "'" + name.text + "' of " + fitting.front());
        }
      }
    }
  }

  void equal(const Value& wanted, const Json& actual, const std::string& what) {
    if (wanted.json == actual) return;
    fail(wanted.span, what + " has another value " + when_).details =
        value_diff(wanted.json, actual);
  }

  void effects() {
    auto next = found_.effects.begin();
    for (const Value& wanted : expected_.effects) {
      const auto at = std::find_if(next, found_.effects.end(),
                                   [&](const Json& effect) { return has(effect, wanted.json); });
      if (at == found_.effects.end()) {
        std::vector<std::string> details = {"- " + to_text(wanted.json)};
        for (; next != found_.effects.end(); ++next) details.push_back("+ " + to_text(*next));
        fail(wanted.span, "no such effect was ordered").details = std::move(details);
        return;
      }
      next = std::next(at);
    }
  }

  void prompts() {
    for (const PromptExpectation& wanted : expected_.prompts) {
      for (Failure& failure : compare_prompt(wanted, found_.prompts, when_)) {
        failures_.push_back(std::move(failure));
      }
    }
  }

  void ending() {
    const std::string outcome = found_.finish ? found_.finish->outcome : "";
    if (expected_.outcome && expected_.outcome->text != outcome) {
      const auto words = [](const std::string& name) {
        return name.empty() ? "(it has not ended)" : name;
      };
      Failure& failure = fail(expected_.outcome->span, "the outcome is another");
      failure.details = {"- " + words(expected_.outcome->text), "+ " + words(outcome)};
      if (found_.finish && !found_.finish->reason.empty()) {
        failure.details.push_back("  " + found_.finish->reason);
      }
    }
    if (!expected_.status && expected_.outputs.empty()) return;
    if (!found_.finish) {
      fail(expected_.status ? expected_.status->span : expected_.outputs.front().first.span,
           "the machine has not ended " + when_);
      return;
    }
    const std::string status(model::to_text(found_.finish->status));
    if (expected_.status && expected_.status->text != status) {
      fail(expected_.status->span, "the status is another").details = {
          "- " + expected_.status->text, "+ " + status};
    }
    for (const auto& [name, value] : expected_.outputs) {
      equal(value, found_.finish->outputs.value(name.text, Json()),
            "the output '" + name.text + "'");
    }
  }

  // Each that happened is expected, and each that is expected happened.
  void problems() {
    std::vector<bool> met(expected_.problems ? expected_.problems->size() : 0);
    for (const auto& [path, event, message] : found_.problems) {
      bool wanted = false;
      for (std::size_t i = 0; i < met.size(); ++i) {
        if ((*expected_.problems)[i].text != event) continue;
        met[i] = wanted = true;
      }
      if (!wanted) fail(span_, event + ": " + message);
    }
    for (std::size_t i = 0; i < met.size(); ++i) {
      const Text& wanted = (*expected_.problems)[i];
      if (!met[i]) fail(wanted.span, "there was no '" + wanted.text + "'");
    }
  }

  void differ(Span span, const std::string& message, const Texts& wanted,
              const std::vector<std::string>& actual) {
    // A state that is meant stands as it was written, so that it is no difference.
    std::vector<std::string> shown;
    for (const std::string& path : actual) {
      const auto meant = std::find_if(wanted.begin(), wanted.end(),
                                      [&](const Text& text) { return names(text.text, path); });
      shown.push_back(meant == wanted.end() ? chart::without_entries(path) : meant->text);
    }
    fail(span, message).details = line_diff(lines_of(texts_of(wanted)), lines_of(shown));
  }

  Failure& fail(Span span, std::string message) {
    return failures_.emplace_back(
        Failure{{nullptr, Severity::error, std::move(message), span, {}, {}}, {}});
  }

  const Expectation& expected_;
  const Found& found_;
  Span span_;
  const std::string& when_;
  std::vector<Failure> failures_;
};

}  // namespace

std::vector<Failure> compare(const Expectation& expected, const Found& found, Span span,
                             const std::string& when) {
  return Comparison(expected, found, span, when).run();
}

}  // namespace agneto::play
