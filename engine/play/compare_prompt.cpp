#include "play/compare_prompt.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "chart/path.h"
#include "script/pattern.h"

namespace agneto::play {

namespace {

constexpr std::int64_t most_pattern_steps = 10'000'000;  // of a pattern, wherever it begins
constexpr std::size_t most_lines = 8;                    // of the prompt that are shown
constexpr std::size_t most_bytes = 160;                  // of each

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text) {
    if (is_word(c)) {
      word += c;
    } else if (!word.empty()) {
      words.insert(lower(std::exchange(word, {})));
    }
  }
  if (!word.empty()) words.insert(lower(word));
  return words;
}

// A line as it is shown: of a long one the part around a place.
std::string around(std::string_view line, std::size_t place) {
  if (line.size() <= most_bytes) return std::string(line);
  std::size_t begin = place > most_bytes / 2 ? place - most_bytes / 2 : 0;
  while (begin < line.size() && !character_at(line, begin).valid) ++begin;
  return (begin > 0 ? "… " : "") + shortened(line.substr(begin), most_bytes);
}

// Where the longest of the words is in it.
std::size_t place_of(const std::set<std::string>& words, std::string_view line) {
  const std::string small = lower(line);
  std::string_view longest;
  for (const std::string& word : words) {
    if (word.size() > longest.size() && small.find(word) != small.npos) longest = word;
  }
  return small.find(longest);
}

// The lines that have the most of the wanted words in them, as many as are wanted.
std::vector<std::string> nearest(const std::string& prompt, const std::string& wanted) {
  const auto lines = split_lines(prompt);
  const std::set<std::string> words = words_of(wanted);
  const std::size_t height =
      std::clamp<std::size_t>(split_lines(wanted).size(), 1, std::min(most_lines, lines.size()));
  std::size_t best = 0, most = 0;
  for (std::size_t first = 0; first + height <= lines.size(); ++first) {
    std::set<std::string> met;
    for (std::size_t i = first; i < first + height; ++i) {
      for (const std::string& word : words_of(lines[i])) {
        if (words.contains(word)) met.insert(word);
      }
    }
    if (met.size() <= most) continue;
    most = met.size();
    best = first;
  }
  if (most == 0) return {fmt::format("  nothing like it is in its {} lines", lines.size())};
  std::vector<std::string> shown = {
      height == 1 ? fmt::format("  line {} of {}:", best + 1, lines.size())
                  : fmt::format("  lines {} to {} of {}:", best + 1, best + height, lines.size())};
  for (std::size_t i = best; i < best + height; ++i) {
    shown.push_back("+ " + around(lines[i], place_of(words, lines[i])));
  }
  return shown;
}

std::vector<std::string> wanted_lines(const std::string& wanted) {
  std::vector<std::string> shown;
  for (const std::string_view line : split_lines(wanted)) {
    if (shown.size() == most_lines) {
      shown.emplace_back("  …");
      break;
    }
    shown.push_back("- " + shortened(line, most_bytes));
  }
  return shown;
}

bool fits(const PromptExpectation& expected, const FoundPrompt& prompt) {
  return (expected.agent.text.empty() || expected.agent.text == prompt.agent) &&
         (expected.at.text.empty() ||
          chart::fit(expected.at.text, prompt.path) != chart::Fit::none);
}

class PromptComparison {
 public:
  PromptComparison(const PromptExpectation& expected, const std::string& when)
      : expected_(expected), when_(when) {}

  std::vector<Failure> run(const std::vector<FoundPrompt>& prompts) {
    if (const FoundPrompt* prompt = meant(expected_, prompts)) {
      look_at(*prompt);
    } else {
      none_is_meant(prompts);
    }
    return std::move(failures_);
  }

 private:
  void none_is_meant(const std::vector<FoundPrompt>& prompts) {
    const bool any = std::any_of(prompts.begin(), prompts.end(),
                                 [&](const auto& prompt) { return fits(expected_, prompt); });
    std::vector<std::string> all;
    for (const FoundPrompt& prompt : prompts) {
      all.push_back(prompt.agent + " at " + chart::without_entries(prompt.path));
    }
    fail(expected_.span, any ? "the prompt may be any of several"
                             : "no such call is waiting for its agent " + when_)
        .diagnostic.help = (any ? "say which with 'agent' or 'at': " : "waiting: ") +
                           (all.empty() ? "none" : join(all, ", "));
  }

  void look_at(const FoundPrompt& prompt) {
    const std::string whose = "the prompt of '" + prompt.agent + "'";
    if (!prompt.problem.empty()) {
      fail(expected_.span, whose + " cannot be made without a worktree: " + prompt.problem)
          .diagnostic.help = "test what the hook makes of one in Lua; see docs/testing.md";
      return;
    }
    // So that a block of lines is found at the end, too.
    const std::string text = prompt.text.ends_with('\n') ? prompt.text : prompt.text + "\n";
    for (const Text& wanted : expected_.contains) {
      if (text.find(wanted.text) != text.npos) continue;
      differ(wanted, whose + " has no such text in it", text);
    }
    for (const Text& unwanted : expected_.lacks) {
      const std::size_t at = text.find(unwanted.text);
      if (at == text.npos) continue;
      const std::size_t end_before = at == 0 ? text.npos : text.rfind('\n', at - 1);
      const std::size_t begin = end_before == text.npos ? 0 : end_before + 1;
      const std::string_view line =
          std::string_view(text).substr(begin, text.find('\n', begin) - begin);
      fail(unwanted.span, whose + " has this text in it").details = {
          fmt::format("  line {} of {}:", 1 + std::count(text.begin(), text.begin() + begin, '\n'),
                      split_lines(text).size()),
          "+ " + around(line, at - begin)};
    }
    for (const Text& pattern : expected_.matches) {
      std::string problem;
      if (finds(pattern.text, prompt.text, problem)) continue;
      if (problem.empty()) {
        differ(pattern, "nothing in " + whose + " is matched by this", text);
      } else {
        fail(pattern.span, "this pattern cannot be used: " + problem);
      }
    }
  }

  static bool finds(std::string_view pattern, std::string_view text, std::string& problem) {
    const bool anchored = pattern.starts_with('^');
    if (anchored) pattern.remove_prefix(1);
    script::PatternMatcher matcher(text, pattern);
    std::int64_t left = most_pattern_steps;
    for (std::size_t at = 0; at <= text.size(); ++at) {
      if (matcher.match(text.data() + at, left).end) return true;
      left = matcher.steps_left();
      if (matcher.error()) {
        problem = matcher.error();
        return false;
      }
      if (anchored) break;
    }
    return false;
  }

  void differ(const Text& wanted, const std::string& message, const std::string& text) {
    std::vector<std::string> details = wanted_lines(wanted.text);
    for (std::string& line : nearest(text, wanted.text)) details.push_back(std::move(line));
    fail(wanted.span, message).details = std::move(details);
  }

  Failure& fail(Span span, std::string message) {
    return failures_.emplace_back(
        Failure{{nullptr, Severity::error, std::move(message), span, {}, {}}, {}});
  }

  const PromptExpectation& expected_;
  const std::string& when_;
  std::vector<Failure> failures_;
};

}  // namespace

const FoundPrompt* meant(const PromptExpectation& expected,
                         const std::vector<FoundPrompt>& prompts) {
  const FoundPrompt* found = nullptr;
  for (const FoundPrompt& prompt : prompts) {
    if (!fits(expected, prompt)) continue;
    if (found) return nullptr;
    found = &prompt;
  }
  return found;
}

std::vector<Failure> compare_prompt(const PromptExpectation& expected,
                                    const std::vector<FoundPrompt>& prompts,
                                    const std::string& when) {
  return PromptComparison(expected, when).run(prompts);
}

}  // namespace agneto::play
