// What an event costs: one call of chart::step, with the real evaluator, as a run makes it.
#include <benchmark/benchmark.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "allocations.h"
#include "base/files.h"
#include "chart/step.h"
#include "charts.h"
#include "model/load.h"
#include "script/evaluator.h"

namespace {

using namespace agneto;

// A chart and one started instance of it.
class Play {
 public:
  explicit Play(const std::string& text) {
    MemoryFiles files;
    files.add("chart.yaml", text);
    Diagnostics diagnostics;
    loaded_ = model::load("chart.yaml", files, diagnostics);
    if (loaded_.system) evaluator_ = script::make_evaluator(*loaded_.system, diagnostics);
    if (!evaluator_) throw std::runtime_error(render(diagnostics));
    chart_.emplace(*loaded_.system, *evaluator_);
    instance_.emplace(*chart_, chart::RunInfo{"run-1"});
    effects_.traced = false;
    chart::start(*instance_, Json::object(), effects_);
  }

  void step(const chart::Event& event) { chart::step(*instance_, event, effects_); }
  bool handled() const { return effects_.handled; }
  std::string active() const { return instance_->active().front(); }

 private:
  model::Loaded loaded_;
  std::unique_ptr<chart::Evaluator> evaluator_;
  std::optional<chart::Chart> chart_;
  std::optional<chart::Instance> instance_;
  chart::Effects effects_;
};

chart::Event event(std::string name, Json data = {}) {
  return {chart::Event::Kind::external, std::move(name), std::move(data), {}};
}

// Steps through the events again and again; each must be taken, or each ignored.
void measure(benchmark::State& state, const std::string& text,
             const std::vector<chart::Event>& events, bool taken = true) {
  Play play(text);
  for (int warm = 0; warm < 2; ++warm) {
    for (const auto& each : events) {
      play.step(each);
      if (play.handled() != taken) return state.SkipWithError("an event did not do what it should");
    }
  }
  const auto before = bench::allocations();
  std::size_t next = 0;
  for (auto _ : state) {
    play.step(events[next]);
    if (++next == events.size()) next = 0;
  }
  const auto count = static_cast<double>(bench::allocations() - before);
  if (play.handled() != taken) return state.SkipWithError("the last event was not taken");
  state.SetItemsProcessed(state.iterations());
  state.counters["allocations"] = count / static_cast<double>(state.iterations());
}

void ping_pong(benchmark::State& state) {
  measure(state, bench::ping_pong(), {event("go")});
}
BENCHMARK(ping_pong);

void counter(benchmark::State& state) {
  measure(state, bench::counter(), {event("go")});
}
BENCHMARK(counter);

void adder(benchmark::State& state) {
  measure(state, bench::adder(), {event("go", {{"by", 1}}), event("go", {{"by", 2}})});
}
BENCHMARK(adder);

void nested(benchmark::State& state) {
  measure(state, bench::nested(), {event("go")});
}
BENCHMARK(nested);

void ring(benchmark::State& state) {
  measure(state, bench::ring(static_cast<int>(state.range(0))), {event("go")});
}
BENCHMARK(ring)->Arg(10)->Arg(10'000);

void tree(benchmark::State& state) {
  measure(state, bench::tree(10, static_cast<int>(state.range(0))), {event("go")});
}
BENCHMARK(tree)->Arg(2)->Arg(4);

void many_events(benchmark::State& state) {
  const int number = static_cast<int>(state.range(0));
  std::vector<chart::Event> events;
  for (int i = 0; i < number; ++i) events.push_back(event("e" + std::to_string(i)));
  measure(state, bench::many_events(number), events);
}
BENCHMARK(many_events)->Arg(10)->Arg(10'000);

void regions(benchmark::State& state) {
  measure(state, bench::regions(static_cast<int>(state.range(0))), {event("go")});
}
BENCHMARK(regions)->Arg(2)->Arg(10);

void untaken(benchmark::State& state) {
  measure(state, bench::ping_pong(), {event("other")}, false);
}
BENCHMARK(untaken);

}  // namespace
