#include "serve/lookout.h"

#include "base/error.h"

namespace agneto::serve {

namespace {

constexpr Millis longest{5'000};

// Somebody who was found at work is taken to be so for this long.
constexpr Millis after_work{2'000};

// What was queued is taken up within this time where there is somebody who can.
constexpr Millis after_news{300};

}  // namespace

void Lookout::hear() {
  const std::lock_guard lock(mutex_);
  is_news_ = true;
  sleep_.request_stop();
}

// True: there is news, which is taken.
bool Lookout::sleep(Millis time) {
  std::stop_token token;
  {
    const std::lock_guard lock(mutex_);
    if (is_news_ || time <= Millis(0)) return std::exchange(is_news_, false);
    sleep_ = std::stop_source();
    token = sleep_.get_token();
  }
  clock_.sleep(time, token);
  const std::lock_guard lock(mutex_);
  return std::exchange(is_news_, false);
}

bool Lookout::wait(const std::stop_token& stop) {
  if (clock_.elapsed() < busy_until_) return clock_.sleep(pauses_.while_at_work, stop);
  const std::stop_callback stopped(stop, [this] { hear(); });
  for (const Millis begun = clock_.elapsed(); !stop.stop_requested();) {
    const Millis now = clock_.elapsed();
    if (now - begun >= longest) return true;
    const Millis until_asked = asked_ ? *asked_ + pauses_.between_asks - now : Millis(0);
    if (sleep(until_asked)) {
      busy_until_ = clock_.elapsed() + after_news;
      return !stop.stop_requested();
    }
    if (until_asked > Millis(0)) continue;
    asked_ = now;
    if (!is_at_work_()) continue;
    busy_until_ = now + after_work;
    return true;
  }
  return false;
}

JournalLookout::JournalLookout(Lookout::Pauses pauses, journal::Journal& journal, Clock& clock)
    : lookout_(
          pauses,
          [this, &journal] {
            try {
              return !watch_ || !journal.worked_on().empty();
            } catch (const Error&) {
              return true;  // who looks meets it, too, and says so
            }
          },
          clock),
      watch_(journal.watch("", [this] { lookout_.hear(); })) {}

}  // namespace agneto::serve
