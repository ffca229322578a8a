#include "turns.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>

namespace agneto::bench {

namespace {

using Seconds = std::chrono::duration<double>;

// Until all of them are done, each on a thread of its own.
double seconds_of(const std::vector<Work>& works) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (const auto& work : works) threads.emplace_back(work);
  for (auto& thread : threads) thread.join();
  return Seconds(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void compare(benchmark::State& state, const std::function<Turn()>& next) {
  constexpr int turns = 15;
  std::vector<double> rates, bare_rates, ratios;
  for (auto _ : state) {
    for (int number = 0; number <= turns; ++number) {
      const Turn turn = next();
      const double before = seconds_of({turn.half});
      const double rate = turn.steps / seconds_of(turn.works);
      const double bare_rate = turn.commits / (before + seconds_of({turn.half}));
      if (number == 0) continue;  // files, connections and caches are made
      rates.push_back(rate);
      bare_rates.push_back(bare_rate);
      ratios.push_back(rate / bare_rate);
    }
  }
  state.counters["steps"] = median(rates);
  state.counters["bare"] = median(bare_rates);
  state.counters["of_bare"] = median(ratios);
}

}  // namespace agneto::bench
