// Which of the faults that a cassette is played with have struck.
#pragma once

#include <string>
#include <vector>

#include "run/observer.h"

namespace agneto::cli {

// Passes everything on. `next` outlives it.
class StruckFaults : public run::Observer {
 public:
  StruckFaults(run::Observer& next, std::vector<std::string> faults)
      : next_(next), left_(std::move(faults)) {}

  void event(const run::RunEvent& event) override;
  void tick(Time now) override { next_.tick(now); }

  // Those that have not, as they were given.
  const std::vector<std::string>& left() const { return left_; }

 private:
  run::Observer& next_;
  std::vector<std::string> left_;
};

}  // namespace agneto::cli
