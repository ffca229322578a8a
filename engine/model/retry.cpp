#include "model/retry.h"

#include <algorithm>
#include <chrono>

#include "model/machine.h"

namespace agneto::model {

void RetrySettings::lay(const RetrySettings& stronger) {
  if (stronger.tries) tries = stronger.tries;
  if (stronger.backoff) backoff = stronger.backoff;
  if (stronger.longest) longest = stronger.longest;
  if (stronger.on) on = stronger.on;
}

Retry Retry::with(const RetrySettings& said) const {
  Retry retry = *this;
  retry.tries = said.tries.value_or(tries);
  retry.backoff = said.backoff.value_or(backoff);
  retry.longest = said.longest.value_or(std::max(longest, retry.backoff));
  retry.on = said.on.value_or(on);
  return retry;
}

bool Retry::takes(std::string_view event) const {
  return std::any_of(on.begin(), on.end(),
                     [&](const std::string& descriptor) { return matches(descriptor, event); });
}

Millis Retry::wait(int failed, double random) const {
  const Millis base = std::min(longest, backoff * (1 << std::clamp(failed - 1, 0, 20)));
  return std::chrono::duration_cast<Millis>(base * (0.75 + 0.5 * random));
}

}  // namespace agneto::model
