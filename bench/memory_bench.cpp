// Many runs of the bundled workflow in one process: what one that waits takes, and what an event
// costs when each is for another run.
#include <benchmark/benchmark.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "allocations.h"
#include "base/files.h"
#include "chart/step.h"
#include "model/load.h"
#include "script/evaluator.h"

namespace {

using namespace agneto;

constexpr std::size_t runs = 10'000;

chart::Event outcome(std::string name, Json data = Json::object()) {
  return {chart::Event::Kind::outcome, std::move(name), std::move(data), {}};
}

// From the start to an agent's call in the execution machine.
std::vector<chart::Event> to_waiting() {
  return {outcome("PLAN_CREATED", {{"plan", std::string(500, 'p')}}),
          outcome("CURMUDGEON_APPROVED")};
}

// Then once round the execution machine.
std::vector<chart::Event> one_chunk() {
  return {outcome("CHUNK_READY", {{"title", "first"}, {"description", "the first chunk"}}),
          outcome("PLAN_PROPOSED", {{"proposal", "a new file"}}),
          outcome("PLAN_APPROVED"),
          outcome("CODE_APPLIED", {{"summary", "add a file"}}),
          outcome("CODE_APPROVED"),
          outcome("ok")};
}

struct Run {
  explicit Run(const chart::Chart& chart) : instance(chart, {"run-1", false, false}) {}

  chart::Instance instance;
  std::string waits_for;
};

class Workflow {
 public:
  Workflow() {
    Diagnostics diagnostics;
    loaded_ = model::load(AGNETO_SOURCE "/workflows/agneto.yaml", Disk(), diagnostics);
    if (loaded_.system) evaluator_ = script::make_evaluator(*loaded_.system, diagnostics);
    if (!evaluator_) throw std::runtime_error(render(diagnostics));
    chart_.emplace(*loaded_.system, *evaluator_);
    std::vector<std::string> errors;
    inputs_ = loaded_.system->main().check_inputs({{"task", "Fix the login redirect"}}, errors);
  }

  Run start() {
    Run run(*chart_);
    chart::start(run.instance, inputs_, effects_);
    note_call(run);
    return run;
  }

  // Ends what the run waits for; afterwards it waits for the next.
  void step(Run& run, chart::Event& event) {
    event.path.swap(run.waits_for);
    chart::step(run.instance, event, effects_);
    if (!effects_.handled) throw std::runtime_error(event.name + " was not taken");
    note_call(run);
  }

 private:
  void note_call(Run& run) {
    if (!effects_.problems.empty()) throw std::runtime_error(effects_.problems[0].message);
    run.waits_for = chart::path_of(effects_.effects.at(0));
  }

  model::Loaded loaded_;
  std::unique_ptr<chart::Evaluator> evaluator_;
  std::optional<chart::Chart> chart_;
  chart::Effects effects_;
  Json inputs_;
};

void waiting_runs(benchmark::State& state) {
  Workflow workflow;
  workflow.start();  // what is made once is there
  auto events = to_waiting();
  const auto heap = bench::heap_bytes();
  const auto resident = bench::resident_bytes();
  std::vector<Run> all;
  all.reserve(runs);
  for (std::size_t i = 0; i < runs; ++i) {
    all.push_back(workflow.start());
    for (auto& event : events) workflow.step(all.back(), event);
  }
  const auto each = [](std::uint64_t after, std::uint64_t before) {
    return static_cast<double>(after - before) / runs;
  };
  state.counters["heap_bytes"] = each(bench::heap_bytes(), heap);
  state.counters["resident_bytes"] = each(bench::resident_bytes(), resident);

  events = one_chunk();
  const auto before = bench::allocations();
  for (auto _ : state) {
    for (auto& event : events) {
      for (auto& run : all) workflow.step(run, event);
    }
  }
  const auto count = static_cast<double>(bench::allocations() - before);
  const auto steps = state.iterations() * static_cast<std::int64_t>(events.size() * runs);
  state.SetItemsProcessed(steps);
  state.counters["allocations"] = count / static_cast<double>(steps);
}
BENCHMARK(waiting_runs)->Name("runs/waiting")->Iterations(3)->Unit(benchmark::kMillisecond);

}  // namespace
