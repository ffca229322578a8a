// Steps of runs beside bare commits. A disk that others use is another one every second, so both go
// by turns, and what is compared is within a turn.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <vector>

namespace agneto::bench {

using Work = std::function<void()>;

// The one in the middle.
double median(std::vector<double> values);

struct Turn {
  double steps = 0;         // that `works` take together
  double commits = 0;       // that `half` makes when it is called twice
  Work half;                // before the works, and once more behind them
  std::vector<Work> works;  // each on a thread of its own
};

// Plays 15 turns that `next` makes, after one that does not count. Sets the counters "steps" and
// "bare", a second, and "of_bare".
void compare(benchmark::State& state, const std::function<Turn()>& next);

}  // namespace agneto::bench
