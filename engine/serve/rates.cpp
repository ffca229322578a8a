#include "serve/rates.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace agneto::serve {

namespace {

// Of so many it is remembered; beyond that the half that has most left is forgotten.
constexpr std::size_t most_known = 10'000;

}  // namespace

double Rates::left(const Left& left, Millis now) const {
  const double seconds = std::chrono::duration<double>(now - left.at).count();
  return std::min(rate_.at_once, left.times + seconds * rate_.per_second);
}

void Rates::forget(Millis now) {
  std::erase_if(left_, [&](const auto& one) { return left(one.second, now) >= rate_.at_once; });
  if (left_.size() < most_known) return;
  std::vector<double> all;
  for (const auto& [who, each] : left_) all.push_back(left(each, now));
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  std::erase_if(left_, [&](const auto& one) { return left(one.second, now) >= *middle; });
}

std::optional<Millis> Rates::take(const std::string& who) {
  const std::lock_guard lock(mutex_);
  const Millis now = clock_.elapsed();
  if (!left_.contains(who) && left_.size() >= most_known) forget(now);
  Left& own = left_.try_emplace(who, Left{rate_.at_once, now}).first->second;
  own = {left(own, now), now};
  if (own.times >= 1) {
    own.times -= 1;
    return std::nullopt;
  }
  return Millis(static_cast<Millis::rep>(std::ceil((1 - own.times) / rate_.per_second * 1000)));
}

}  // namespace agneto::serve
