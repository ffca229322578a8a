// A set of states of one machine, kept in document order.
//
// Looking for the next member skips empty stretches of 4,096 states at a time, so that a step of a
// large chart costs what a step of a small one does.
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
  explicit StateSet(std::size_t count)
      : words_((count + 63) / 64), summary_(words_.size() > 1 ? (words_.size() + 63) / 64 : 0) {}

  bool has(model::StateId s) const { return (words_[s / 64] >> (s % 64)) & 1; }
  void add(model::StateId s) {
    words_[s / 64] |= bit(s);
    if (!summary_.empty()) summary_[s / 4096] |= bit(s / 64);
  }
  void remove(model::StateId s) {
    words_[s / 64] &= ~bit(s);
    if (!summary_.empty() && words_[s / 64] == 0) summary_[s / 4096] &= ~bit(s / 64);
  }
  void toggle(model::StateId s) { has(s) ? remove(s) : add(s); }
  void clear() {
    for (model::StateId s = next(0); s != model::none; s = next(s + 1)) {
      words_[s / 64] = 0;
      if (!summary_.empty()) summary_[s / 4096] &= ~bit(s / 64);
    }
  }

  // The first member at or after `from`, or `none`.
  model::StateId next(model::StateId from) const {
    std::size_t i = from / 64;
    if (i >= words_.size()) return model::none;
    std::uint64_t word = words_[i] & from_bit(from);
    if (word == 0) {
      i = next_word(i + 1);
      if (i >= words_.size()) return model::none;
      word = words_[i];
    }
    return static_cast<model::StateId>(i * 64 + lowest(word));
  }

  // The last member before `end`, or `none`.
  model::StateId previous(model::StateId end) const {
    if (end == 0) return model::none;
    std::size_t i = (end - 1) / 64;
    std::uint64_t word = words_[i] & to_bit(end - 1);
    if (word == 0) {
      i = previous_word(i);
      if (i == words_.size()) return model::none;
      word = words_[i];
    }
    return static_cast<model::StateId>(i * 64 + highest(word));
  }

  // Has it a member in (above, last]?
  bool any_below(model::StateId above, model::StateId last) const {
    const model::StateId s = next(above + 1);
    return s != model::none && s <= last;
  }
  bool empty() const { return next(0) == model::none; }

  friend bool operator==(const StateSet&, const StateSet&) = default;

 private:
  static std::uint64_t bit(std::size_t n) { return std::uint64_t{1} << (n % 64); }
  static std::uint64_t from_bit(std::size_t n) { return ~std::uint64_t{0} << (n % 64); }
  static std::uint64_t to_bit(std::size_t n) { return ~std::uint64_t{0} >> (63 - n % 64); }
  static std::size_t lowest(std::uint64_t word) {
    return static_cast<std::size_t>(std::countr_zero(word));
  }
  static std::size_t highest(std::uint64_t word) {
    return static_cast<std::size_t>(63 - std::countl_zero(word));
  }

  // The first word with members at or after `i`; words_.size() where there is none.
  std::size_t next_word(std::size_t i) const {
    if (i >= words_.size()) return words_.size();
    std::size_t k = i / 64;
    std::uint64_t word = summary_[k] & from_bit(i);
    while (word == 0) {
      if (++k == summary_.size()) return words_.size();
      word = summary_[k];
    }
    return k * 64 + lowest(word);
  }
  // The last word with members before `i`; words_.size() where there is none.
  std::size_t previous_word(std::size_t i) const {
    if (i == 0) return words_.size();
    std::size_t k = (i - 1) / 64;
    std::uint64_t word = summary_[k] & to_bit(i - 1);
    while (word == 0) {
      if (k-- == 0) return words_.size();
      word = summary_[k];
    }
    return k * 64 + highest(word);
  }

  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> summary_;  // which words have members; none for a single word
};

}  // namespace agneto::chart
