// What lint costs: the text of large machines of several shapes, and every configuration of the
// bundled workflow. Milliseconds are the process's own time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "lint/lint.h"
#include "lint/report/assessment.h"

namespace {

using namespace agneto;
namespace fs = std::filesystem;

const fs::path library = fs::path(AGNETO_SOURCE) / "scripts" / "lib";

const std::string ends = "  DONE: {final: true}\n  STOPPED: {final: true, status: failed}\n";

std::string next(int i, int states) {
  return i + 1 < states ? fmt::format("STEP_{}", i + 1) : "DONE";
}

// A program after the other, each tried a few times; the last one ends the machine.
std::string chain(int states) {
  std::string text = "agneto: 1\nname: chain\ncontext: {tries: 0}\ninitial: STEP_0\nstates:\n";
  for (int i = 0; i < states; ++i) {
    text += fmt::format("  STEP_{0}:\n    run: {{argv: [make, step-{0}]}}\n    on:\n", i);
    text += fmt::format("      ok: {{target: {}, do: ctx.tries = 0}}\n      failed:\n",
                        next(i, states));
    text += fmt::format("        - guard: ctx.tries < 3\n          target: STEP_{}\n", i);
    text += "          do: ctx.tries = ctx.tries + 1\n        - STOPPED\n      error: STOPPED\n";
  }
  return text + ends;
}

// Agents that edit, each of which may send the work back to the one before it, and a merge behind
// the last one.
std::string back(int states) {
  std::string text =
      "agneto: 1\nname: back\nagents: {coder: {hooks: hooks.lua, access: edit}}\n"
      "limits: {calls: 100000}\ninitial: STEP_0\nstates:\n";
  for (int i = 0; i < states; ++i) {
    text += fmt::format(
        "  STEP_{}:\n    agent: {{name: coder, verdicts: {{DONE: {{}}, BACK: {{}}}}}}\n"
        "    on: {{DONE: {}, BACK: STEP_{}, error: STOPPED}}\n",
        i, i + 1 < states ? next(i, states) : "COMMITTING", i > 0 ? i - 1 : 0);
  }
  return text +
         "  COMMITTING: {workspace: {commit: {message: Done}}, on: {ok: CHECKING, failed: "
         "STOPPED}}\n"
         "  CHECKING:\n    run: {argv: [make, check]}\n"
         "    on: {ok: MERGING, failed: STOPPED, error: STOPPED}\n"
         "  MERGING:\n    workspace: {merge: {}}\n"
         "    on: {ok: DONE, conflict: STOPPED, failed: STOPPED}\n" +
         ends;
}

// A question with a thousand options, and behind each a chain of programs.
std::string wide(int states) {
  constexpr int options = 1'000;
  std::string asked, taken, text;
  for (int i = 0; i < options; ++i) {
    asked += fmt::format("        TAKE_{0}: Take number {0}\n", i);
    taken += fmt::format("      TAKE_{0}: STEP_{0}\n", i);
  }
  for (int i = 0; i < states; ++i) {
    text += fmt::format(
        "  STEP_{}:\n    run: {{argv: [make]}}\n"
        "    on: {{ok: {}, failed: STOPPED, error: STOPPED}}\n",
        i, i + options < states ? fmt::format("STEP_{}", i + options) : "DONE");
  }
  return "agneto: 1\nname: wide\ninitial: ASKING\nstates:\n  ASKING:\n    ask:\n"
         "      question: Which one\n      options:\n" +
         asked + "    on:\n" + taken + text + ends;
}

// Groups of states one inside of the other, a hundred deep.
std::string nested(int states) {
  constexpr int depth = 100;
  std::string text = "agneto: 1\nname: nested\ninitial: STEP_0\nstates:\n";
  for (int group = 0; group < states / depth; ++group) {
    std::string indent = "  ";
    std::string name = fmt::format("STEP_{}", group);
    for (int level = 1; level < depth; ++level) {
      const std::string inner = fmt::format("INNER_{}_{}", group, level);
      text += fmt::format("{0}{1}:\n{0} initial: {2}\n{0} states:\n", indent, name, inner);
      name = inner;
      indent += "  ";
    }
    text += fmt::format("{0}{1}:\n{0} run: {{argv: [make]}}\n", indent, name);
    text += fmt::format("{} on: {{ok: {}, failed: STOPPED, error: STOPPED}}\n", indent,
                        next(group, states / depth));
  }
  return text + ends;
}

// Programs that run at once, a region each.
std::string regions(int states) {
  std::string text =
      "agneto: 1\nname: regions\ncontext: {failures: 0}\ninitial: WORKING\nstates:\n  WORKING:\n"
      "    parallel: true\n    on: {done.state.WORKING: DONE}\n    states:\n";
  for (int i = 0; i < states / 3; ++i) {
    text += fmt::format(
        "      PART_{0}:\n        initial: STEP_{0}\n        states:\n          STEP_{0}:\n"
        "            run: {{argv: [make, step-{0}]}}\n            on:\n              ok: END_{0}\n"
        "              failed: {{target: END_{0}, do: ctx.failures = ctx.failures + 1}}\n"
        "              error: END_{0}\n          END_{0}: {{final: true}}\n",
        i);
  }
  return text + "  DONE: {final: true}\noutputs: {failures: ctx.failures}\n";
}

void lint_shape(benchmark::State& state, std::string (*shape)(int states)) {
  MemoryFiles files;
  files.add("/flow.yaml", shape(static_cast<int>(state.range(0))));
  files.add("/hooks.lua", "return {prompt = function(m) return 'End with DONE or BACK' end}");
  for (auto _ : state) {
    const lint::Findings findings = lint::lint("/flow.yaml", files, library, {.explore = false});
    if (!findings.diagnostics.empty()) state.SkipWithError(render(findings.diagnostics).c_str());
  }
}
// Ten times the states take ten times the time.
#define SHAPE(name) \
  BENCHMARK_CAPTURE(lint_shape, name, name)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond)
SHAPE(chain);
SHAPE(back);
SHAPE(wide);
SHAPE(nested);
SHAPE(regions);
#undef SHAPE

void lint_bundled(benchmark::State& state) {
  const fs::path file = fs::path(AGNETO_SOURCE) / "workflows" / "agneto.yaml";
  for (auto _ : state) {
    const lint::Findings findings =
        lint::lint(file, Disk(), library, {.explore = state.range(0) != 0});
    if (!findings.diagnostics.empty()) state.SkipWithError(render(findings.diagnostics).c_str());
  }
}
BENCHMARK(lint_bundled)->ArgName("explore")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// As `agneto lint --report`: with the defaults of its inputs, which bound its loops.
void explore_bundled(benchmark::State& state) {
  const fs::path file = fs::path(AGNETO_SOURCE) / "workflows" / "agneto.yaml";
  const lint::Findings findings = lint::lint(file, Disk(), library);
  for (auto _ : state) {
    const lint::Assessment found = lint::assess(*findings.system, Disk(), library);
    if (!found.complete()) state.SkipWithError("not all configurations were looked at");
    state.counters["configurations"] = static_cast<double>(found.configurations());
  }
}
BENCHMARK(explore_bundled)->Unit(benchmark::kMillisecond);

}  // namespace
