// A rule that lint checks: its entry in the catalogue and its check, in one file of rules/FAMILY/.
//
// To add one, write that file, with `extern const LintRule NAME = {...};` at its end, and an
// example in tests/lint/rules/FAMILY/NAME/. AGNETO_UPDATE=1 lint_tests writes its page in
// docs/rules.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "lint/context.h"
#include "lint/parameters.h"
#include "lint/typed.h"

namespace agneto::lint {

// A finding, to which more is added; good until the next is reported.
//
// Here and in Reporter a text with more behind it is written as fmt::format does.
class Reported {
 public:
  explicit Reported(Diagnostic& diagnostic) : diagnostic_(diagnostic) {}
  operator Diagnostic&() const { return diagnostic_; }

  // What to do.
  Reported& help(std::string text) {
    diagnostic_.help = std::move(text);
    return *this;
  }
  template <typename First, typename... Rest>
  Reported& help(fmt::format_string<First, Rest...> text, First&& first, Rest&&... rest) {
    return help(fmt::format(text, std::forward<First>(first), std::forward<Rest>(rest)...));
  }
  // Another place, if there is one, and what it has to do with it.
  Reported& related(Span place, std::string message) {
    if (place) diagnostic_.related.push_back({place, std::move(message)});
    return *this;
  }
  // What shows it.
  void trace(std::vector<std::string> lines) { diagnostic_.trace = std::move(lines); }

 private:
  Diagnostic& diagnostic_;
};

// Adds findings of one rule.
class Reporter {
 public:
  // All must outlive it.
  Reporter(const Rule& rule, const Parameters& parameters, Diagnostics& diagnostics)
      : rule_(rule), parameters_(parameters), diagnostics_(diagnostics) {}

  // What a parameter of the rule is set to.
  double value(const Parameter& parameter) const { return parameters_.of(parameter); }

  // What is wrong, and where.
  Reported operator()(Span place, std::string message) const {
    return Reported(diagnostics_.report(rule_, place, std::move(message)));
  }
  template <typename First, typename... Rest>
  Reported operator()(Span place, fmt::format_string<First, Rest...> message, First&& first,
                      Rest&&... rest) const {
    return (*this)(place,
                   fmt::format(message, std::forward<First>(first), std::forward<Rest>(rest)...));
  }

 private:
  const Rule& rule_;
  const Parameters& parameters_;
  Diagnostics& diagnostics_;
};

// What a check looks at: a workflow without errors; or each machine of one, each state, each node
// of the Lua in it, each hook module of the workflows that are linted together, or each piece of
// Lua, wherever it stands.
using WorkflowCheck = void (*)(const LintContext&, const Reporter&);
using MachineCheck = void (*)(const LintContext&, const Machine&, const Reporter&);
using StateCheck = void (*)(const LintContext&, const Machine&, const State&, const Reporter&);
using NodeCheck = void (*)(const Piece&, const Node&, const Reporter&);
using ModuleCheck = void (*)(const Module&, const Users&, const Reporter&);
using TypedCheck = void (*)(const Typed&, const Reporter&);

struct LintRule {
  Rule rule;
  std::variant<WorkflowCheck, MachineCheck, StateCheck, NodeCheck, ModuleCheck, TypedCheck> check;
  bool explores = false;  // does the check look at all configurations? Then it can be left out
};

}  // namespace agneto::lint
