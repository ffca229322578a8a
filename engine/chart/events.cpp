#include "chart/events.h"

#include <algorithm>
#include <bit>
#include <functional>

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
    std::size_t place = std::hash<std::string_view>{}(names_[c]) & mask_;
    while (places_[place] != vacant) place = (place + 1) & mask_;
    places_[place] = c;
  }
  for (EventClass c = 1; c < names_.size(); ++c) wider_[c] = longest_prefix(names_[c]);
}

EventClass EventClasses::find(std::string_view descriptor) const {
  std::size_t place = std::hash<std::string_view>{}(descriptor)&mask_;
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
