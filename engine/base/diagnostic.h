// What is wrong in a file, said so that nobody needs the manual: where, what, what to do.
#pragma once

#include <optional>
#include <string>
#include <string_view>
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
std::string render(const Diagnostics& diagnostics);

}  // namespace agneto
