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
    chart::start(*instance_, Json::object(), effects_);
  }

  void step(const chart::Event& event) { chart::step(*instance_, event, effects_); }
  bool handled() const { return effects_.handled; }

 private:
  model::Loaded loaded_;
  std::unique_ptr<chart::Evaluator> evaluator_;
  std::optional<chart::Chart> chart_;
  std::optional<chart::Instance> instance_;
  chart::Effects effects_;
};

chart::Event named(std::string name, Json data = {}) {
  return {chart::Event::Kind::external, std::move(name), std::move(data), {}};
}

using Events = std::vector<chart::Event>;

Events go() {
  return {named("go")};
}

Events numbered(int count) {
  Events events;
  for (int i = 0; i < count; ++i) events.push_back(named("e" + std::to_string(i)));
  return events;
}

// Steps through the events again and again; each must be taken, or each ignored.
void event(benchmark::State& state, std::string (*text)(), Events (*events_of)() = go,
           bool taken = true) {
  Play play(text());
  const Events events = events_of();
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
BENCHMARK_CAPTURE(event, ping_pong, bench::ping_pong);
BENCHMARK_CAPTURE(
    event, untaken, bench::ping_pong, [] { return Events{named("other")}; }, false);
BENCHMARK_CAPTURE(event, nested, bench::nested);
BENCHMARK_CAPTURE(event, regions_2, [] { return bench::regions(2); });
BENCHMARK_CAPTURE(event, regions_10, [] { return bench::regions(10); });
BENCHMARK_CAPTURE(event, counter, bench::counter);
BENCHMARK_CAPTURE(event, data, bench::adder, [] {
  return Events{named("go", {{"by", 1}}), named("go", {{"by", 2}})};
});
BENCHMARK_CAPTURE(event, ring_10, [] { return bench::ring(10); });
BENCHMARK_CAPTURE(event, ring_10000, [] { return bench::ring(10'000); });
BENCHMARK_CAPTURE(event, tree_100, [] { return bench::tree(10, 2); });
BENCHMARK_CAPTURE(event, tree_10000, [] { return bench::tree(10, 4); });
BENCHMARK_CAPTURE(
    event, names_10, [] { return bench::many_events(10); }, [] { return numbered(10); });
BENCHMARK_CAPTURE(
    event, names_10000, [] { return bench::many_events(10'000); }, [] { return numbered(10'000); });

}  // namespace
