// Who is connected to a server: how many of one network there may be, and how long each may take to
// say what it wants, however slowly it says it.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "base/clock.h"

namespace agneto::serve {

// Thread-safe. A connection is known by its socket's descriptor.
class Connections {
 public:
  struct Limits {
    unsigned of_one = 500;         // of one network (address.h)
    unsigned of_trusted = 10'000;  // of this machine, and of a proxy that is trusted
    Millis head{30'000};           // until a request's head is there
    Millis body{60'000};           // from there on until its body is
  };
  // `trusted`: addresses, plain ones. The clock outlives it.
  Connections(Limits limits, std::set<std::string> trusted, Clock& clock)
      : limits_(limits), trusted_(std::move(trusted)), clock_(clock) {}

  // May one more come from that address, which is a plain one? Where it may not, the log says so.
  bool may_come(const std::string& address);
  // There is a new one, of which a request's head is awaited.
  void came(int descriptor, const std::string& address);
  void awaits_head(int descriptor);
  void awaits_body(int descriptor);
  // It has said all, and is answered.
  void awaits_nothing(int descriptor);
  // To be called before its descriptor is closed.
  void left(int descriptor);

  // Calls `end` with each whose time is over, as long as its descriptor is open.
  void end_overdue(const std::function<void(int descriptor)>& end);

 private:
  struct One {
    std::string network;
    std::optional<Millis> until = {};  // by `elapsed`
  };
  struct Network {
    unsigned connections = 0;
    bool was_refused = false;
  };
  void await(int descriptor, std::optional<Millis> longest);

  const Limits limits_;
  const std::set<std::string> trusted_;
  Clock& clock_;
  std::mutex mutex_;  // of what follows
  std::map<int, One> all_;
  std::map<std::string, Network> networks_;  // of all_
};

}  // namespace agneto::serve
