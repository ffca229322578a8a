// Reports which of the faults that a cassette is played with were injected.
#pragma once

#include <string>
#include <vector>

#include "record/event.h"

namespace agneto::cli {

// Passes everything on. `next` outlives it.
class FaultReport : public record::Observer {
 public:
  FaultReport(record::Observer& next, std::vector<std::string> faults)
      : next_(next), left_(std::move(faults)) {}

  void event(const record::RunEvent& event) override;
  void tick(Time now) override { next_.tick(now); }

  // Those that were not injected, as they were given.
  const std::vector<std::string>& left() const { return left_; }

 private:
  record::Observer& next_;
  std::vector<std::string> left_;
};

}  // namespace agneto::cli
