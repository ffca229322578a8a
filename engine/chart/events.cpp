#include "chart/events.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace agneto::chart {

EventClasses::EventClasses(std::vector<std::string> descriptors) : names_(std::move(descriptors)) {
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  std::erase(names_, "any");
  names_.insert(names_.begin(), "any");

  places_.assign(std::bit_ceil(names_.size() * 2), vacant);
  mask_ = places_.size() - 1;
  wider_.assign(names_.size(), any_event);
  for (EventClass c = 1; c < names_.size(); ++c) {
    std::size_t place = hash(names_[c]) & mask_;
    while (places_[place] != vacant) place = (place + 1) & mask_;
    places_[place] = c;
  }
  for (EventClass c = 1; c < names_.size(); ++c) wider_[c] = longest_prefix(names_[c]);
}

// Eight bytes at a time: this runs for every event.
std::size_t EventClasses::hash(std::string_view name) {
  const auto read = [&]<typename Word>(std::size_t at, Word word) -> std::uint64_t {
    std::memcpy(&word, name.data() + at, sizeof word);
    return word;
  };
  const auto mix = [](std::uint64_t state, std::uint64_t word) {
    state = (state ^ word) * 0x9e3779b97f4a7c15u;
    return state ^ (state >> 32);
  };
  const std::size_t size = name.size();
  std::uint64_t state = size;
  if (size >= 8) {
    for (std::size_t at = 0; at + 8 < size; at += 8) state = mix(state, read(at, std::uint64_t{}));
    state = mix(state, read(size - 8, std::uint64_t{}));
  } else if (size >= 4) {
    state = mix(state, read(0, std::uint32_t{}) << 32 | read(size - 4, std::uint32_t{}));
  } else {
    for (const char c : name) state = mix(state, static_cast<unsigned char>(c));
  }
  return static_cast<std::size_t>(state);
}

EventClass EventClasses::find(std::string_view descriptor) const {
  std::size_t place = hash(descriptor) & mask_;
  for (; places_[place] != vacant; place = (place + 1) & mask_) {
    if (names_[places_[place]] == descriptor) return places_[place];
  }
  return any_event;
}

// Of the proper prefixes that end where a token ends.
EventClass EventClasses::longest_prefix(std::string_view name) const {
  for (auto dot = name.rfind('.'); dot != std::string_view::npos; dot = name.rfind('.')) {
    name = name.substr(0, dot);
    if (const EventClass c = find(name); c != any_event) return c;
  }
  return any_event;
}

EventClass EventClasses::of(std::string_view event) const {
  const EventClass c = find(event);
  return c != any_event ? c : longest_prefix(event);
}

}  // namespace agneto::chart
