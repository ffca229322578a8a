#include "chart/state_set.h"

#include <gtest/gtest.h>

#include <set>

#include "support/property.h"

namespace agneto::chart {
namespace {

using model::StateId;

StateId next_in(const std::set<StateId>& set, StateId from) {
  const auto found = set.lower_bound(from);
  return found == set.end() ? model::none : *found;
}
StateId previous_in(const std::set<StateId>& set, StateId end) {
  const auto found = set.lower_bound(end);
  return found == set.begin() ? model::none : *std::prev(found);
}

void expect_same(const StateSet& set, const std::set<StateId>& expected, StateId count) {
  std::vector<StateId> forwards, backwards;
  for (StateId s = set.next(0); s != model::none; s = set.next(s + 1)) forwards.push_back(s);
  for (StateId s = count; (s = set.previous(s)) != model::none;) backwards.push_back(s);
  RC_ASSERT(forwards == std::vector(expected.begin(), expected.end()));
  RC_ASSERT(backwards == std::vector(expected.rbegin(), expected.rend()));
  RC_ASSERT(set.empty() == expected.empty());
}

// Mostly at the edges of words (64) and of what a word of the summary covers (4,096).
rc::Gen<StateId> states(StateId count) {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(0, 6), rc::gen::inRange(0, 320), rc::gen::inRange(-2, 3)),
      [count](const std::tuple<int, int, int>& place) {
        const auto [stretch, word, offset] = place;
        const int s = stretch * 4096 + (word % 3 == 0 ? 0 : word * 64) + offset;
        return static_cast<StateId>(std::clamp(s, 0, static_cast<int>(count) - 1));
      });
}

TEST(StateSet, IsASortedSet) {
  check_property(300, [] {
    const auto count =
        *rc::gen::element<StateId>(1, 63, 64, 65, 128, 4095, 4096, 4097, 8192, 20000);
    const auto sized = rc::gen::resize(rc::kNominalSize, states(count));
    const auto steps = *rc::gen::container<std::vector<std::pair<int, StateId>>>(
        rc::gen::pair(rc::gen::inRange(0, 20), sized));
    StateSet set(count);
    std::set<StateId> expected;
    for (const auto& [what, s] : steps) {
      if (what < 10) {
        set.add(s);
        expected.insert(s);
      } else if (what < 15) {
        set.remove(s);
        expected.erase(s);
      } else if (what < 19) {
        set.toggle(s);
        if (!expected.erase(s)) expected.insert(s);
      } else {
        set.clear();
        expected.clear();
      }
      RC_ASSERT(set.has(s) == expected.contains(s));
      RC_ASSERT(set.next(s) == next_in(expected, s));
      RC_ASSERT(set.next(s + 1) == next_in(expected, s + 1));
      RC_ASSERT(set.previous(s) == previous_in(expected, s));
      RC_ASSERT(set.previous(s + 1) == previous_in(expected, s + 1));
      const StateId last = *sized;
      const StateId below = next_in(expected, s + 1);
      RC_ASSERT(set.any_below(s, last) == (below != model::none && below <= last));
    }
    expect_same(set, expected, count);
    set.clear();
    RC_ASSERT(set == StateSet(count));
  });
}

}  // namespace
}  // namespace agneto::chart
