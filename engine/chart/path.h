// Where something is in a running machine, as text: "SUB#1/PANEL#2[1]/A#3".
//
// Each part is a state, which entry of it, and of a for_each the item; each but the last delegates
// to the machine that the next is a state of. The path of a machine instance is that of the state
// that delegates to it, and the root's is empty. A state's timer is "A#3/after:1", a machine's own
// "SUB#1/./after:1", a delayed event "SUB#1/send:ID".
//
// Effects and records carry the text, which is their key. This is the one place that reads and
// writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine.h"

namespace agneto::chart {

struct Path {
  struct Part {
    std::string name;         // the state's
    std::uint32_t entry = 0;  // which entry of it, from 1; 0: left out
    std::uint32_t item = 0;   // which item of its for_each, from 1; 0: none

    std::string text() const;
    bool operator==(const Part&) const = default;
  };

  // Entries may be left out, as people do: "SUB/A". Nothing where the text is no path.
  static std::optional<Path> parse(std::string_view text);

  std::string text() const;
  // "SUB/PANEL[1]/A", "A/after:1"; the id of a delayed event only where the workflow gives it one.
  std::string without_entries() const;

  // The last state's name; empty in the root machine.
  std::string name() const { return parts.empty() ? "" : parts.back().name; }
  bool is_timer() const { return timer > 0 || send; }
  // The items that it is inside of, outermost first.
  std::vector<std::uint32_t> items() const;
  bool operator==(const Path&) const = default;

  std::vector<Part> parts;          // outermost first
  std::uint32_t timer = 0;          // the number of an `after` of the last part, from 1; 0: none
  bool of_machine = false;          // the `after` is the machine's own, to which `parts` lead
  std::optional<std::string> send;  // the id of a delayed event
};

// The same for the text of a path. What is no path comes back as it is, or has no name.
std::string without_entries(std::string_view path);
std::string last_name(std::string_view path);
bool is_timer(std::string_view path);

// The state of the root machine that the path begins with; empty for what is the machine's own.
std::string_view first_name(std::string_view path);

// What is in a machine instance: "SUB#1" and "A" make "SUB#1/A"; in the root it is "A".
std::string within(std::string_view instance, std::string_view name);
std::string state_path(std::string_view instance, std::string_view state, std::uint32_t entry);
// "SEARCHING[2]", or "parent": who has sent an event with that origin; empty for none.
std::string sender_of(std::string_view origin, std::uint32_t item);
std::string item_path(std::string_view state, std::uint32_t item);
// What the paths of all items of a for_each begin with, and the for_each of an item.
std::string items_prefix(std::string_view state);
std::string_view for_each_of(std::string_view item);
std::string timer_path(std::string_view state, std::uint32_t number);
std::string machine_timer_path(std::string_view instance, std::uint32_t number);
std::string send_path(std::string_view instance, std::string_view id);
// Does the path lead into the instance?
bool is_inside(std::string_view path, std::string_view instance);

// May a person who writes `wanted` mean `path`? Entries may be left out of each part, and outer
// parts as a whole.
enum class Fit { none, inner, whole };  // inner: outer parts were left out
Fit fit(std::string_view wanted, std::string_view path);

// The state of a system that a part of a path names.
struct Located {
  model::MachineId machine;
  model::StateId state;
};
// One for each part, from the outermost on, as far as the system has them.
std::vector<Located> states_of(const model::System& system, const Path& path);
// The state that the path leads to, or whose timer it is; state 0 for what is a machine's own.
// Nothing where the system has no such state.
std::optional<Located> state_at(const model::System& system, const Path& path);

}  // namespace agneto::chart
