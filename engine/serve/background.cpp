#include "serve/background.h"

#include <mutex>
#include <thread>

#include "base/error.h"
#include "base/log.h"
#include "journal/journal.h"
#include "journal/notices.h"
#include "process/process.h"
#include "run/assembly.h"
#include "run/cleaning.h"
#include "serve/notify/couriers.h"
#include "serve/notify/notifier.h"

namespace agneto::serve {

namespace {

constexpr Millis between_background_looks{2'000};
// Whoever tells people has a lease of this name.
constexpr const char* telling_people = "whoever tells people";
constexpr Millis between_looks_for_the_lease{5'000};
constexpr Millis between_rounds{3'600'000};

// Cleans runs that have ended long ago, every hour.
class Keeper {
 public:
  Keeper(fs::path root, journal::Journal& journal, Clock& clock)
      : root_(std::move(root)), journal_(journal), clock_(clock) {}

  // From any thread.
  void set(std::optional<Millis> keep) {
    const std::lock_guard lock(mutex_);
    keep_ = keep;
    due_ = Millis(0);
  }
  void work(const std::stop_token& stop) {
    while (clock_.sleep(between_background_looks, stop)) {
      const std::optional<Millis> keep = due_now();
      if (!keep) continue;
      try {
        run::clean_ended(root_, journal_, clock_.now() - *keep);
      } catch (const std::exception& error) {
        log::error("ended runs cannot be cleaned", {{"error", error.what()}});
      }
    }
  }

 private:
  std::optional<Millis> due_now() {
    const std::lock_guard lock(mutex_);
    if (!keep_ || clock_.elapsed() < due_) return std::nullopt;
    due_ = clock_.elapsed() + between_rounds;
    return keep_;
  }

  const fs::path root_;
  journal::Journal& journal_;
  Clock& clock_;
  std::mutex mutex_;
  std::optional<Millis> keep_;  // nothing: for good
  Millis due_{0};               // by `elapsed`
};

}  // namespace

// Its journal is its own, so that no run waits for what is looked up here.
struct Background::Parts {
  Parts(const fs::path& folder, const fs::path& guard, Clock& clock)
      : clock(clock),
        place(run::journal_place(folder)),
        journal(journal::open_journal(place)),
        notices(journal::open_notices(place)),
        runner(guard),
        couriers(runner, run::checkout_of(folder)),
        notifier({folder, *journal, *notices, couriers, clock}),
        keeper(run::home_of(folder), *journal, clock),
        telling([this](const std::stop_token& stop) { tell(stop); }),
        cleaning([this](const std::stop_token& stop) { keeper.work(stop); }) {}

  // Of several servers that share a journal, one at a time tells people, for as long as its
  // configuration says how and its lease lasts.
  void tell(const std::stop_token& stop) {
    if (!run::is_shared(place)) return notifier.work(stop, [] { return true; });
    do {
      try {
        if (!notifier.has_ways() || journal->is_held(telling_people)) continue;
        const auto hold = journal->hold(telling_people);
        notifier.work(stop, [&] {
          return notifier.has_ways() && hold->lasts().value_or(Millis(1)) > Millis(0);
        });
      } catch (const Error& error) {
        log::warning("nobody is told by this server", {{"error", error.what()}});
      }
    } while (clock.sleep(between_looks_for_the_lease, stop));
  }

  Clock& clock;
  const std::string place;
  const std::unique_ptr<journal::Journal> journal;
  const std::unique_ptr<journal::Notices> notices;
  process::GuardedRunner runner;
  Couriers couriers;
  Notifier notifier;
  Keeper keeper;
  std::jthread telling, cleaning;  // they use what is above
};

Background::Background(std::filesystem::path folder, const std::filesystem::path& guard,
                       Clock& clock)
    : parts_(std::make_unique<Parts>(folder, guard, clock)) {}

Background::~Background() = default;

void Background::set(std::vector<run::Way> ways, std::string url, std::optional<Millis> keep) {
  // What happens from here on is told, also where it does before anybody looks.
  try {
    const auto notices = journal::open_notices(parts_->place);
    if (!ways.empty() && !notices->noticed()) {
      notices->notice(parts_->journal->newest_change(), {}, parts_->clock.now());
    }
  } catch (const Error& error) {
    log::error("notifications cannot be looked for", {{"error", error.what()}});
  }
  parts_->notifier.set(std::move(ways), std::move(url));
  parts_->keeper.set(keep);
}

}  // namespace agneto::serve
