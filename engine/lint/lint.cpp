#include "lint/lint.h"

#include <map>
#include <set>
#include <tuple>

#include "lint/catalogue.h"
#include "model/load.h"
#include "script/evaluator.h"
#include "script/hooks.h"

namespace agneto::lint {

namespace {

// Several tasks of one module share its mistakes, which are worth saying once.
void check_hooks(const model::System& system, const Files& files, script::Hooks& hooks,
                 Diagnostics& diagnostics) {
  std::set<std::tuple<const Source*, std::uint32_t, std::string>> seen;
  for (const Machine& machine : system.machines) {
    for (const State& state : machine.states) {
      const auto* call = std::get_if<model::AgentCall>(&state.activity);
      if (!call || call->agent == none) continue;
      const model::Agent& agent = machine.agents[call->agent];
      if (agent.hooks.empty() || !model::read_hooks(files, agent.hooks)) continue;  // reported
      Diagnostics found;
      hooks.check(agent, call->task, call->task.empty() ? agent.hooks_span : call->span, found);
      for (const Diagnostic& one : found.sorted()) {
        if (seen.emplace(one.span.source, one.span.begin, one.message).second) diagnostics.add(one);
      }
    }
  }
}

// Checks each rule, but for what it says of hook modules.
struct Check {
  const LintContext& context;
  const Reporter report;

  void operator()(WorkflowCheck check) const { check(context, report); }
  void operator()(MachineCheck check) const {
    for (const Machine& machine : context.system.machines) check(context, machine, report);
  }
  void operator()(StateCheck check) const {
    for (const Machine& machine : context.system.machines) {
      for (const State& state : machine.states) check(context, machine, state, report);
    }
  }
  void operator()(NodeCheck check) const {
    context.each_node([&](const Piece& piece, const Node& node) { check(piece, node, report); });
  }
  void operator()(ModuleCheck) const {}
  void operator()(TypedCheck check) const {
    for (const Machine& machine : context.system.machines) {
      for (CodeId code = 0; code < machine.code.size(); ++code) {
        if (const Typed* typed = context.typed(machine, code)) check(*typed, report);
      }
    }
  }
};

}  // namespace

Findings lint(const fs::path& file, const Files& files, const fs::path& library,
              const Options& options) {
  Findings findings;
  model::Loaded loaded = model::load(file, files, findings.diagnostics, library);
  findings.system = loaded.system;
  findings.draft = loaded.draft;
  findings.sources = std::move(loaded.sources);
  findings.trees = std::move(loaded.trees);

  script::make_evaluator(*loaded.draft, findings.diagnostics);
  const auto hooks =
      std::make_shared<script::Hooks>(files, script::ModulePaths{loaded.draft->roots, library});
  check_hooks(*loaded.draft, files, *hooks, findings.diagnostics);
  findings.keep = {hooks};

  if (!findings.diagnostics.has_errors()) {
    const LintContext context(*loaded.system, files, library, options.stop,
                              options.explore ? options.configurations : 0);
    for (const LintRule* one : lint_rules()) {
      if (one->explores && !options.explore) continue;
      std::visit(Check{context, {one->rule, options.parameters, findings.diagnostics}}, one->check);
    }
    findings.explored_whole = options.explore && context.explored_whole();
    if (options.explore) findings.cut_short = context.cut_short();
    for (const Module& module : context.modules()) {
      findings.modules.push_back(std::make_shared<const Module>(module));
    }
    check_modules({&findings, 1}, options.parameters, findings.diagnostics);
    if (options.team) {
      options.team->check(*loaded.system, files, options.parameters, findings.diagnostics,
                          findings.keep);
    }
    if (options.check_place) {
      findings.keep.push_back(options.check_place(*loaded.system, findings.diagnostics));
    }
  }
  return findings;
}

void check_modules(std::span<const Findings> linted, const Parameters& parameters,
                   Diagnostics& diagnostics) {
  std::map<std::string, std::pair<const Module*, Users>> modules;  // by path
  for (const Findings& findings : linted) {
    for (const auto& module : findings.modules) {
      auto& users =
          modules.try_emplace(module->source->path(), module.get(), Users()).first->second;
      for (const auto id : module->machines) users.second.push_back(&findings.system->machine(id));
    }
  }
  for (const auto& [path, used] : modules) {
    if (!used.first->tree) continue;
    const Typed typed(*used.first, used.second);
    for (const LintRule* one : lint_rules()) {
      const Reporter report(one->rule, parameters, diagnostics);
      const auto* check = std::get_if<ModuleCheck>(&one->check);
      if (check) (*check)(*used.first, used.second, report);
      const auto* of_values = std::get_if<TypedCheck>(&one->check);
      if (of_values) (*of_values)(typed, report);
    }
  }
}

}  // namespace agneto::lint
