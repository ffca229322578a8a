// What is wrong in a file, said so that nobody needs the manual: where, what, what to do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rule.h"
#include "base/source.h"

namespace agneto {

// What to write in the place of some bytes of a file.
struct Edit {
  Span span;
  std::string text;
};

struct Diagnostic {
  const Rule* rule = nullptr;           // null: about no workflow, but about a test of one
  Severity severity = Severity::error;  // the rule's, unless a team wants another
  std::string message;                  // one line, no full stop
  Span span;
  std::string help;  // "did you mean 'PLAN_REVIEW'?"; may be empty

  struct Related {
    Span span;
    std::string message;  // "first defined here"
  };
  std::vector<Related> related;

  // What shows it: a command, and the events to give it, a line each. Empty where nothing is shown.
  std::vector<std::string> trace = {};

  // What puts it right without changing what the author can have meant.
  std::optional<Edit> fix = {};
};

// Collects findings; the loader and the lint rules add to one and never stop at the first.
class Diagnostics {
 public:
  // Adds an instance of the rule, which must outlive it. Returns it, to add a fix or related places
  // to; good until the next is added.
  Diagnostic& report(const Rule& rule, Span span, std::string message, std::string_view help = {});
  Diagnostic& add(Diagnostic diagnostic);

  bool has_errors() const { return errors_ > 0; }
  std::size_t error_count() const { return errors_; }
  bool empty() const { return all_.empty(); }

  // Ordered by file, then by place; equal places stay in order of arrival.
  std::vector<Diagnostic> sorted() const;

 private:
  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

// The order by file, then by place. What has no place comes first.
bool comes_before(const Diagnostic& a, const Diagnostic& b);
bool same_file(const Diagnostic& a, const Diagnostic& b);

// The most findings of one file that are told.
inline constexpr std::size_t most_told = 1000;
// Notes with the last that is told of a file that there are more, the first of them at `next`.
void note_rest(Diagnostic& last, const Span& next, std::size_t rest);
// Keeps the first of each file, which is noted where there are more. `all` is sorted;
// `diagnostic_of` gives the finding in an element.
template <typename Element, typename DiagnosticOf>
void keep_told(std::vector<Element>& all, DiagnosticOf diagnostic_of) {
  std::vector<Element> told;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && same_file(diagnostic_of(all[begin]), diagnostic_of(all[end]))) ++end;
    const std::size_t cut = std::min(end, begin + most_told);
    if (cut < end) {
      note_rest(diagnostic_of(all[cut - 1]), diagnostic_of(all[cut]).span, end - cut);
    }
    for (std::size_t i = begin; i < cut; ++i) told.push_back(std::move(all[i]));
  }
  all = std::move(told);
}

// Gives a finding about a misspelt name its fix, where one candidate alone is near: that one in the
// place of the name, which is the finding's span or one word of it.
void offer(Diagnostic& finding, std::string_view name, const std::vector<std::string>& candidates);
// The same, and the help: "did you mean 'X'?", as agneto::suggestion.
void suggest(Diagnostic& finding, std::string_view name, const std::vector<std::string>& candidates,
             std::string_view kind);

// `file:line:col: error: message [E203/undefined-target]`, its lines with the whole span underlined
// (at most four of them), help, trace and related places, each on lines of their own, ending in a
// newline. A diagnostic with no place shows `error: message [...]`.
std::string render(const Diagnostic& diagnostic);
// Those that are told of each file.
std::string render(const Diagnostics& diagnostics);

}  // namespace agneto
