// Event names resolved to dense numbers.
//
// What an event enables depends only on the longest descriptor that matches its name: all others
// that match are prefixes of it. So that descriptor's number is all that selection needs to know.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agneto::chart {

// The longest descriptor that matches an event. 0 is `any`, which matches all.
using EventClass = std::uint32_t;
inline constexpr EventClass any_event = 0;
// What eventless transitions are taken for: none has this class.
inline constexpr EventClass no_event = static_cast<EventClass>(-1);

// The descriptors of one machine. Immutable once made; thread-safe.
class EventClasses {
 public:
  // In any order, with or without repetitions.
  explicit EventClasses(std::vector<std::string> descriptors);

  EventClass of(std::string_view event) const {
    const EventClass c = find(event);
    return c != any_event ? c : longest_prefix(event);
  }
  // The next shorter descriptor that matches too; not of `any_event`.
  EventClass wider(EventClass c) const { return wider_[c]; }

 private:
  struct Slot {
    std::uint64_t fingerprint = 0;
    std::uint32_t size = 0;       // of the name
    EventClass type = any_event;  // which is nowhere: the slot is vacant
  };
  // Names of one size up to this have fingerprints of their own.
  static constexpr std::size_t exact = 8;
  static std::uint64_t fingerprint(std::string_view name);
  // The class of exactly that descriptor, or `any_event`.
  EventClass find(std::string_view descriptor) const;
  EventClass longest_prefix(std::string_view name) const;

  std::vector<std::string> names_;  // by class; sorted, so that a prefix comes first
  std::vector<EventClass> wider_;   // by class
  std::vector<Slot> slots_;         // by fingerprint
  std::size_t mask_ = 0;
};

}  // namespace agneto::chart
