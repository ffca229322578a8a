#include "lint/lint.h"

#include <algorithm>

#include "lint/check.h"
#include "lint/hook_checks.h"
#include "model/load.h"
#include "script/evaluator.h"
#include "script/hooks.h"

namespace agneto::lint {

namespace {

// Several tasks of one module share its mistakes, which are worth saying once.
class Unique {
 public:
  explicit Unique(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void add(const Diagnostics& found) {
    for (const Diagnostic& one : found.sorted()) {
      const auto same = [&](const Diagnostic& other) {
        return other.message == one.message && other.span.source == one.span.source &&
               other.span.begin == one.span.begin;
      };
      if (std::any_of(seen_.begin(), seen_.end(), same)) continue;
      seen_.push_back(one);
      diagnostics_.add(one);
    }
  }

 private:
  Diagnostics& diagnostics_;
  std::vector<Diagnostic> seen_;
};

void check_hooks(const model::System& system, script::Hooks& hooks, Diagnostics& diagnostics) {
  Unique unique(diagnostics);
  for (const model::Machine& machine : system.machines) {
    for (const model::State& state : machine.states) {
      const auto* call = std::get_if<model::AgentCall>(&state.activity);
      if (!call || call->agent == model::none) continue;
      const model::Agent& agent = machine.agents[call->agent];
      if (agent.hooks.empty()) continue;  // reported
      Diagnostics found;
      hooks.check(agent, call->task, call->task.empty() ? agent.hooks_span : call->span, found);
      unique.add(found);
    }
  }
}

}  // namespace

Findings lint(const fs::path& file, const Files& files, const fs::path& library,
              const Options& options) {
  Findings findings;
  model::Loaded loaded = model::load(file, files, findings.diagnostics);
  findings.system = loaded.system;
  findings.draft = loaded.draft;
  findings.sources = std::move(loaded.sources);

  script::make_evaluator(*loaded.draft, findings.diagnostics);
  const auto hooks =
      std::make_shared<script::Hooks>(files, script::ModulePaths{loaded.draft->root, library});
  check_hooks(*loaded.draft, *hooks, findings.diagnostics);
  findings.keep = {hooks};

  if (!findings.diagnostics.has_errors()) {
    const Subject subject(*loaded.system, files, library, options.stop);
    for (const Check* check : checks()) {
      if (options.explore || !check->explores) check->run(subject, findings.diagnostics);
    }
    findings.explored_whole = options.explore && subject.explored_whole();
    SharedModules modules;
    for (const Module& module : subject.modules()) {
      findings.modules.push_back(std::make_shared<const Module>(module));
      modules.add(*loaded.system, *findings.modules.back());
    }
    modules.check(findings.diagnostics);
  }
  return findings;
}

}  // namespace agneto::lint
