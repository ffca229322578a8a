// A run's events in the operator's log (base/log.h).
#pragma once

#include <map>
#include <string>

#include "base/log.h"
#include "record/event.h"

namespace agneto::cli {

// Passes everything on to `next`, which outlives it.
class RunLog : public record::Observer {
 public:
  explicit RunLog(record::Observer& next) : next_(next) {}

  void event(const record::RunEvent& event) override;
  void tick(Time now) override { next_.tick(now); }

 private:
  record::Observer& next_;
  std::map<std::string, Time> started_;  // agents and programs at work, by their path
};

}  // namespace agneto::cli
