// Plays the scenario tests of a workflow for people who look at its page. `agneto test` does that
// in a process of its own, since it calls the hooks, which are strangers' code and may take long.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "serve/recent.h"
#include "serve/turns.h"

namespace agneto::serve {

// How the cases of a test file went.
struct Played {
  std::size_t cases = 0;
  std::vector<std::string> failed;  // their names
  Json coverage;                    // as `agneto test --coverage-file` writes it (docs/testing.md)
};

// Its function is called on several threads at a time.
class Scenarios {
 public:
  // `program`: agneto; `guard`: the agneto-guard program, which ends it after `patience`; `folder`:
  // in which it plays.
  Scenarios(std::filesystem::path program, std::filesystem::path guard,
            std::filesystem::path folder, Millis patience = Millis{20'000})
      : program_(std::move(program)),
        guard_(std::move(guard)),
        folder_(std::move(folder)),
        patience_(patience) {}

  // Plays the test file of a workflow, once for all who ask within a while. `of` says all that the
  // answer depends on. Throws Error where that cannot be played or takes too long, and NotYet where
  // others keep it busy.
  Played play(const std::string& workflow, const std::filesystem::path& test,
              const std::string& of) const;

 private:
  Json played(const std::string& workflow, const std::filesystem::path& test) const;

  const std::filesystem::path program_;
  const std::filesystem::path guard_;
  const std::filesystem::path folder_;
  const Millis patience_;
  SystemClock clock_;
  mutable Turns playing_;
  mutable Recent played_{clock_, std::chrono::seconds(10), 50};
};

}  // namespace agneto::serve
