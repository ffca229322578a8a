// What comes in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"

namespace agneto::chart {

// What the machine around is called by those that it delegates to, where they send it an event.
inline constexpr std::string_view to_parent = "parent";

struct Event {
  enum class Kind {
    external,  // from outside (abort, `agneto send`): offered to every leaf instance, then upwards;
               // one with a path (a limit) to that machine instance alone
    outcome,   // an activity's end: addressed to the state that owns it
    timer,     // a timer or delayed send that the chart ordered has come due
    queued,    // no news: take the next event from the instance's own external queues
  };
  Kind kind = Kind::external;
  // A timer's or queued event's is not read: the chart knows what comes. A timer's own is `after`.
  std::string name;
  Json data;  // null where there is none
  // outcome: the activity's path; timer: the timer's id; external: empty, or the path of a machine
  // instance, "." for the root
  std::string path;
  // Which machine has sent the event: the name that `to` has for it (empty: there is none to
  // answer), and the number of the item that it works on (0: it works on none).
  std::string origin = {};
  std::uint32_t item = 0;
};

}  // namespace agneto::chart
