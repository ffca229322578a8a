// The machines that are measured, as text. Where a number is given, it is of atomic states.
#pragma once

#include <string>

namespace agneto::bench {

// A <-> B on `go`.
std::string ping_pong();
// The same with a guard and a counter in Lua on either way.
std::string counter();
// The same with a field of the event's data added up.
std::string adder();
// A{A1{A11}} <-> B{B1{B11}} on `go`: three states are left and three entered.
std::string nested();
// A ring: `go` leads from each state to the next.
std::string ring(int states);
// The same ring through the leaves of a tree: each inner state holds `width` others.
std::string tree(int width, int depth);
// A <-> B on every one of the events e0, e1, ….
std::string many_events(int events);
// A ping-pong in each region, both on `go`.
std::string regions(int number);

}  // namespace agneto::bench
