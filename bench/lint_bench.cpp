// What lint costs: the text of a large machine, and every configuration of the bundled workflow.
// Milliseconds are the process's own time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "lint/lint.h"
#include "lint/report/assessment.h"

namespace {

using namespace agneto;
namespace fs = std::filesystem;

const fs::path library = fs::path(AGNETO_SOURCE) / "scripts" / "lib";

// A program after the other, each tried a few times; the last one ends the machine.
std::string steps(int states) {
  std::string text = "agneto: 1\nname: steps\ncontext: {tries: 0}\ninitial: STEP_1\nstates:\n";
  for (int i = 1; i < states; ++i) {
    const std::string next = i + 1 == states ? "DONE" : fmt::format("STEP_{}", i + 1);
    text += fmt::format("  STEP_{0}:\n    run: {{argv: [make, step-{0}]}}\n    on:\n", i);
    text += fmt::format("      ok: {{target: {}, do: ctx.tries = 0}}\n      failed:\n", next);
    text += fmt::format("        - guard: ctx.tries < 3\n          target: STEP_{}\n", i);
    text += "          do: ctx.tries = ctx.tries + 1\n        - STOPPED\n      error: STOPPED\n";
  }
  return text + "  DONE: {final: true}\n  STOPPED: {final: true, status: failed}\n";
}

void lint_states(benchmark::State& state) {
  MemoryFiles files;
  files.add("/flow.yaml", steps(static_cast<int>(state.range(0))));
  for (auto _ : state) {
    const lint::Findings findings = lint::lint("/flow.yaml", files, library, {.explore = false});
    if (!findings.diagnostics.empty()) state.SkipWithError(render(findings.diagnostics).c_str());
  }
}
BENCHMARK(lint_states)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);

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
