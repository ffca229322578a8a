#include "chart/events.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace agneto::chart {

EventClasses::EventClasses(std::vector<std::string> descriptors) : names_(std::move(descriptors)) {
  std::ranges::sort(names_);
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  std::erase(names_, "any");
  names_.insert(names_.begin(), "any");

  slots_.resize(std::bit_ceil(names_.size() * 2));
  mask_ = slots_.size() - 1;
  wider_.assign(names_.size(), any_event);
  for (EventClass c = 1; c < names_.size(); ++c) {
    const std::uint64_t print = fingerprint(names_[c]);
    std::size_t slot = print & mask_;
    while (slots_[slot].type != any_event) slot = (slot + 1) & mask_;
    slots_[slot] = {print, static_cast<std::uint32_t>(names_[c].size()), c};
  }
  for (EventClass c = 1; c < names_.size(); ++c) wider_[c] = longest_prefix(names_[c]);
}

namespace {

template <typename Word>
std::uint64_t read(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// Different words stay different.
std::uint64_t scatter(std::uint64_t word) {
  word *= 0x9e3779b97f4a7c15u;
  return word ^ (word >> 32);
}

// Puts all bytes of a name of up to eight into a number.
std::uint64_t pack(std::string_view name) {
  const char* const first = name.data();
  const char* const end = first + name.size();
  if (name.size() >= 4) return read<std::uint32_t>(first) << 32 | read<std::uint32_t>(end - 4);
  if (name.empty()) return 0;
  return read<std::uint8_t>(first) << 16 | read<std::uint8_t>(first + name.size() / 2) << 8 |
         read<std::uint8_t>(end - 1);
}

}  // namespace

// Eight bytes at a time: this runs for every event.
std::uint64_t EventClasses::fingerprint(std::string_view name) {
  if (name.size() <= exact) return scatter(pack(name));
  std::uint64_t state = name.size();
  for (std::size_t at = 0; at + 8 < name.size(); at += 8) {
    state = scatter(state ^ read<std::uint64_t>(name.data() + at));
  }
  return scatter(state ^ read<std::uint64_t>(name.data() + name.size() - 8));
}

EventClass EventClasses::find(std::string_view name) const {
  const std::uint64_t print = fingerprint(name);
  for (std::size_t i = print & mask_;; i = (i + 1) & mask_) {
    const Slot& slot = slots_[i];
    if (slot.type == any_event) return any_event;
    const bool alike = slot.fingerprint == print && slot.size == name.size();
    if (alike && (name.size() <= exact || names_[slot.type] == name)) return slot.type;
  }
}

// Tries the proper prefixes that end where a token ends.
EventClass EventClasses::longest_prefix(std::string_view name) const {
  for (auto dot = name.rfind('.'); dot != std::string_view::npos; dot = name.rfind('.')) {
    name = name.substr(0, dot);
    if (const EventClass c = find(name); c != any_event) return c;
  }
  return any_event;
}

}  // namespace agneto::chart
