// A set of states of one machine, kept in document order.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "model/machine.h"

namespace agneto::chart {

// Iterating with `next` and `previous` allows adding and removing members on the way.
class StateSet {
 public:
  StateSet() = default;
  // For states 0 … count-1.
  explicit StateSet(std::size_t count) : words_((count + 63) / 64) {}

  bool has(model::StateId s) const { return (words_[s / 64] >> (s % 64)) & 1; }
  void add(model::StateId s) { words_[s / 64] |= std::uint64_t{1} << (s % 64); }
  void remove(model::StateId s) { words_[s / 64] &= ~(std::uint64_t{1} << (s % 64)); }
  void clear() { words_.assign(words_.size(), 0); }

  // The first member at or after `from`, or `none`.
  model::StateId next(model::StateId from) const {
    std::size_t i = from / 64;
    if (i >= words_.size()) return model::none;
    std::uint64_t word = words_[i] & (~std::uint64_t{0} << (from % 64));
    while (word == 0) {
      if (++i == words_.size()) return model::none;
      word = words_[i];
    }
    return static_cast<model::StateId>(i * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }

  // The last member before `end`, or `none`.
  model::StateId previous(model::StateId end) const {
    if (end == 0) return model::none;
    std::size_t i = (end - 1) / 64;
    std::uint64_t word = words_[i] & (~std::uint64_t{0} >> (63 - (end - 1) % 64));
    while (word == 0) {
      if (i-- == 0) return model::none;
      word = words_[i];
    }
    return static_cast<model::StateId>(i * 64 + 63 -
                                       static_cast<std::size_t>(std::countl_zero(word)));
  }

  // Has it a member in (above, last]?
  bool any_below(model::StateId above, model::StateId last) const {
    const model::StateId s = next(above + 1);
    return s != model::none && s <= last;
  }
  bool empty() const { return next(0) == model::none; }

  friend bool operator==(const StateSet&, const StateSet&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace agneto::chart
