// How often something is tried that the world may make fail, and how long is waited in between.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace agneto::model {

// As it is written: what is not said is not there.
struct RetrySettings {
  std::optional<int> tries;
  std::optional<Millis> backoff;
  std::optional<Millis> longest;
  std::optional<std::vector<std::string>> on;

  // Lays those over these.
  void lay(const RetrySettings& stronger);
};

struct Retry {
  int tries = 1;           // the first included
  Millis backoff{1000};    // before the second; doubles with each
  Millis longest{30'000};  // and is never longer
  std::vector<std::string> on = {"error.timeout", "error.exit"};  // what is tried again

  // With what is said. Who waits long before the second try does not wait less before the third.
  Retry with(const RetrySettings& said) const;
  bool takes(std::string_view event) const;
  // Before the try after so many that have failed. `random` is in [0, 1): a quarter of jitter
  // either way keeps many who try apart.
  Millis wait(int failed, double random) const;
  bool operator==(const Retry&) const = default;
};

// Where nothing is said, and where no more is said of a program than that it is tried again.
inline const Retry usual_of_agent{.tries = 3};
inline const Retry usual_of_program{.tries = 3, .on = {"failed", "error.timeout", "error.exit"}};

}  // namespace agneto::model
