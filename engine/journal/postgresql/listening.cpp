#include "journal/postgresql/listening.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <set>

#include "base/log.h"
#include "base/text.h"

namespace agneto::journal {

namespace {

constexpr Millis before_the_next_try{1000};

const Sql listen_to_all("LISTEN agneto");
const Sql notify_all("SELECT pg_notify('agneto', $1)");
const Sql select_commits("SELECT pg_current_snapshot()::text");

std::string told_of(const std::string& run_id) {
  return run_id.empty() ? "" : sha256(run_id);
}

}  // namespace

class Listening::Watching : public Watch {
 public:
  Watching(std::shared_ptr<Listening> listening, int number)
      : listening_(std::move(listening)), number_(number) {}
  ~Watching() override {
    const std::lock_guard lock(listening_->mutex_);
    listening_->listeners_.erase(number_);
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

 private:
  const std::shared_ptr<Listening> listening_;
  const int number_;
};

Command tell_listeners(const std::string& run_id) {
  return {notify_all, Values().text(told_of(run_id))};
}

Listening::Listening(Address address, Millis between_looks)
    : address_(std::move(address)),
      between_looks_(between_looks),
      stopped_(::eventfd(0, EFD_CLOEXEC)) {}

Listening::~Listening() {
  listening_.request_stop();
  ::eventfd_write(stopped_, 1);
  if (listening_.joinable()) listening_.join();
  ::close(stopped_);
}

std::unique_ptr<Watch> Listening::watch(const std::string& run_id, std::function<void()> heard) {
  const std::lock_guard lock(mutex_);
  listeners_[++last_] = {told_of(run_id), std::move(heard)};
  if (!listening_.joinable()) {
    listening_ = std::jthread([this](const std::stop_token& stop) { listen(stop); });
  }
  return std::make_unique<Watching>(shared_from_this(), last_);
}

void Listening::listen(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    try {
      listen_until_lost(stop);
    } catch (const std::exception& error) {
      log::warning("journal is not listened to", {{"error", error.what()}});
      struct pollfd stopped {
        stopped_, POLLIN, 0
      };
      ::poll(&stopped, 1, static_cast<int>(before_the_next_try.count()));
    }
  }
}

void Listening::listen_until_lost(const std::stop_token& stop) {
  Connection connection(address_);
  connection.prepare_nothing();
  connection.run(listen_to_all);
  std::string seen = connection.run(select_commits).text(0, 0);
  tell_all();  // of what was written before
  while (!stop.stop_requested()) {
    const auto heard = connection.heard(between_looks_, stopped_);
    for (const std::string& told : std::set(heard.begin(), heard.end())) tell(told);
    if (!heard.empty() || stop.stop_requested()) continue;
    std::string now = connection.run(select_commits).text(0, 0);
    if (now == seen) continue;
    seen = std::move(now);
    tell_all();
  }
}

void Listening::tell_all() {
  const std::lock_guard lock(mutex_);
  for (const auto& [number, listener] : listeners_) listener.heard();
}

void Listening::tell(const std::string& told) {
  const std::lock_guard lock(mutex_);
  for (const auto& [number, listener] : listeners_) {
    if (listener.run.empty() || listener.run == told) listener.heard();
  }
}

}  // namespace agneto::journal
