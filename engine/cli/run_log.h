// A run's events in the operator's log (base/log.h).
#pragma once

#include <map>
#include <string>

#include "base/log.h"
#include "run/observer.h"

namespace agneto::cli {

// Passes everything on to `next`, which outlives it.
class RunLog : public run::Observer {
 public:
  explicit RunLog(run::Observer& next) : next_(next) {}

  void event(const run::RunEvent& event) override;
  void tick(Time now) override { next_.tick(now); }

 private:
  run::Observer& next_;
  std::map<std::string, Time> started_;  // agents and programs at work, by their path
};

}  // namespace agneto::cli
