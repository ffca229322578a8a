// What is wrong in a file, said so that nobody needs the manual: where, what, what to do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace agneto {

enum class Severity { error, warning };

struct Diagnostic {
  Severity severity = Severity::error;
  std::string rule;     // "undefined-target"; names the rule, for suppressions and documentation
  std::string message;  // one line, no full stop
  Span span;
  std::string help;  // "did you mean 'PLAN_REVIEW'?"; may be empty

  struct Related {
    Span span;
    std::string message;  // "first defined here"
  };
  std::vector<Related> related;
};

// Collects findings; the loader and the lint rules add to one and never stop at the first.
class Diagnostics {
 public:
  // Returns the diagnostic, to add help or related places to; good until the next one is added.
  Diagnostic& error(std::string_view rule, Span span, std::string message);
  Diagnostic& warning(std::string_view rule, Span span, std::string message);

  bool has_errors() const { return errors_ > 0; }
  std::size_t error_count() const { return errors_; }
  bool empty() const { return all_.empty(); }

  // By file, then place; equal places in order of arrival.
  std::vector<Diagnostic> sorted() const;

 private:
  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

// `file:line:col: error: message`, the line, a caret under the span, help and related places, each
// on lines of their own, ending in a newline. A diagnostic with no place shows `error: message`.
std::string render(const Diagnostic& diagnostic);
std::string render(const Diagnostics& diagnostics);

}  // namespace agneto
