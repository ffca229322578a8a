#include "process/leave.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "process/streams.h"

namespace agneto::process {

namespace {

// A guard that is so late is killed, and its tree with it: its program can stop it.
constexpr Millis too_late = GuardedRunner::reserve / 2;

// Milliseconds: two answers about the same time differ by less.
constexpr std::int64_t least_news = 10;

}  // namespace

void write_order(int control, guard::Order order) {
  write_quietly(control, {reinterpret_cast<const char*>(&order), sizeof order});
}

Leave::Leave(int control, pid_t guard, Millis grace, const Lasts& lasts, Millis first)
    : control_(control), guard_(guard), grace_(grace), lasts_(lasts) {
  tell(first);
  telling_ = std::jthread([this](const std::stop_token& stop) { go_on(stop); });
}

std::chrono::steady_clock::time_point Leave::end() {
  telling_.request_stop();
  telling_.join();
  return std::chrono::steady_clock::now() + Millis(left()) + too_late;
}

void Leave::tell(Millis lasts) {
  const std::int64_t until =
      guard::now() + std::max(lasts - GuardedRunner::reserve, Millis(0)).count();
  if (std::abs(until - until_) < least_news) return;
  until_ = until;
  write_order(control_, {until_});
}

void Leave::go_on(const std::stop_token& stop) {
  for (;;) {
    const Millis to_term = Millis(left()) - grace_;
    const Millis pause = to_term > Millis(0) ? std::max(to_term / 2, Millis(20))
                                             : std::max(Millis(left()) + too_late, Millis(0));
    {
      std::unique_lock lock(mutex_);
      ended_.wait_for(lock, stop, pause, [] { return false; });
    }
    if (stop.stop_requested()) return;
    if (Millis(left()) > grace_) {
      tell(lasts_().value_or(Millis(0)));
    } else if (Millis(left()) <= -too_late) {
      kill(guard_, SIGKILL);
      return;
    }
  }
}

}  // namespace agneto::process
