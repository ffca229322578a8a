// Hears, from the database, that somebody has written something, wherever that is.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "journal/journal.h"
#include "journal/postgresql/pool.h"

namespace agneto::journal {

// Thread-safe. Where nothing is heard, such as behind a pgbouncer, it looks now and then.
class Listening : public std::enable_shared_from_this<Listening> {
 public:
  explicit Listening(Address address, Millis between_looks = Millis(5000));
  ~Listening();
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

  // As Journal says.
  std::unique_ptr<Watch> watch(const std::string& run_id, std::function<void()> heard);

 private:
  class Watching;
  struct Listener {
    std::string run;  // as it is told
    std::function<void()> heard;
  };

  void listen(const std::stop_token& stop);
  void listen_until_lost(const std::stop_token& stop);
  void tell_all();
  // Those who listen for that run, and those who listen for any; the empty text: only the latter.
  void tell(const std::string& told);

  const Address address_;
  const Millis between_looks_;
  const int stopped_;  // an event's descriptor
  std::mutex mutex_;   // of all that follows
  int last_ = 0;
  std::map<int, Listener> listeners_;
  std::jthread listening_;  // once there was somebody to tell
};

// Tells all who listen that this run, or the queue for the empty one, is to be looked at. Whoever
// may connect to the database hears it, and is not told the run's name.
Command tell_listeners(const std::string& run_id);

}  // namespace agneto::journal
