// A rule that lint checks: its entry in the catalogue and its check, in one file of rules/FAMILY/.
//
// To add one, write that file, with `extern const LintRule NAME = {...};` at its end, and an
// example in tests/lint/rules/FAMILY/NAME/. AGNETO_UPDATE=1 lint_tests writes its page in
// docs/rules.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "lint/context.h"

namespace agneto::lint {

// Adds findings of one rule.
class Reporter {
 public:
  // Both must outlive it.
  Reporter(const Rule& rule, Diagnostics& diagnostics) : rule_(rule), diagnostics_(diagnostics) {}

  // Returns the finding, to add related places or a trace to; good until the next is added.
  Diagnostic& operator()(Span place, std::string message, std::string_view help = {}) const {
    return diagnostics_.report(rule_, place, std::move(message), help);
  }

 private:
  const Rule& rule_;
  Diagnostics& diagnostics_;
};

// The machines that use a hook module. It may serve machines of several workflows: what it says is
// right where it is right for one of them.
using Users = std::vector<const Machine*>;

// What a check looks at: a workflow without errors; or each machine of one, each state, each node
// of the Lua in it, or each hook module of the workflows that are linted together.
using WorkflowCheck = void (*)(const LintContext&, const Reporter&);
using MachineCheck = void (*)(const LintContext&, const Machine&, const Reporter&);
using StateCheck = void (*)(const LintContext&, const Machine&, const State&, const Reporter&);
using NodeCheck = void (*)(const Piece&, const Node&, const Reporter&);
using ModuleCheck = void (*)(const Module&, const Users&, const Reporter&);

struct LintRule {
  Rule rule;
  std::variant<WorkflowCheck, MachineCheck, StateCheck, NodeCheck, ModuleCheck> check;
  bool explores = false;  // does the check look at all configurations? Then it can be left out
};

}  // namespace agneto::lint
