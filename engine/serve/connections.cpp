#include "serve/connections.h"

#include <utility>

#include "base/log.h"
#include "serve/address.h"

namespace agneto::serve {

bool Connections::may_come(const std::string& address) {
  const bool is_trusted = is_loopback(address) || trusted_.contains(address);
  const unsigned most = is_trusted ? limits_.of_trusted : limits_.of_one;
  const std::lock_guard lock(mutex_);
  const auto network = networks_.find(network_of(address));
  if (network == networks_.end() || network->second.connections < most) return true;
  if (!std::exchange(network->second.was_refused, true)) {
    log::warning("too many connections at a time", {{"from", network->first}});
  }
  return false;
}

void Connections::came(int descriptor, const std::string& address) {
  const std::lock_guard lock(mutex_);
  const std::string network = network_of(address);
  ++networks_[network].connections;
  all_[descriptor] = {network, clock_.elapsed() + limits_.head};
}

void Connections::await(int descriptor, std::optional<Millis> longest) {
  const std::lock_guard lock(mutex_);
  const auto found = all_.find(descriptor);
  if (found == all_.end()) return;
  found->second.until = longest ? std::optional(clock_.elapsed() + *longest) : std::nullopt;
}

void Connections::awaits_head(int descriptor) {
  await(descriptor, limits_.head);
}

void Connections::awaits_body(int descriptor) {
  await(descriptor, limits_.body);
}

void Connections::awaits_nothing(int descriptor) {
  await(descriptor, std::nullopt);
}

void Connections::left(int descriptor) {
  const std::lock_guard lock(mutex_);
  const auto gone = all_.extract(descriptor);
  if (gone.empty()) return;
  const auto network = networks_.find(gone.mapped().network);
  if (--network->second.connections == 0) networks_.erase(network);
}

void Connections::end_overdue(const std::function<void(int)>& end) {
  const std::lock_guard lock(mutex_);
  const Millis now = clock_.elapsed();
  for (auto& [descriptor, one] : all_) {
    if (!one.until || now < *one.until) continue;
    one.until.reset();
    end(descriptor);
  }
}

}  // namespace agneto::serve
