// Some answers depend on everything that a run has recorded, and are asked for again and again
// while the run goes on. It takes seconds to read all entries of a long run. So we keep what we
// have made of them, and read only the new ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "serve/turns.h"

namespace agneto::serve {

// `Made` begins without an argument, and knows itself how far it has come. Its function is called
// on several threads at a time.
template <typename Made>
class Carried {
 public:
  // So many are kept; of more, those that were asked for last. `patience`: as Turns has it.
  explicit Carried(std::size_t most, Millis patience = Millis{2000})
      : most_(most), patience_(patience) {}

  // What `look` returns, which carries on what was made for that key, alone. Where it throws, that
  // begins anew the next time. Throws NotYet where that takes others too long.
  template <typename Look>
  auto look(const std::string& key, const Look& look) {
    const std::shared_ptr<Kept> kept = find(key);
    const auto alone = kept->turns.take();
    try {
      return look(kept->made);
    } catch (...) {
      kept->made = Made();
      throw;
    }
  }

 private:
  struct Kept {
    explicit Kept(Millis patience) : turns(patience) {}

    Turns turns;  // of what follows
    Made made{};
  };
  struct Place {
    std::shared_ptr<Kept> kept;
    std::uint64_t asked = 0;  // which request was the last for it
  };

  std::shared_ptr<Kept> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    if (!places_.contains(key) && places_.size() >= most_) {
      places_.erase(std::ranges::min_element(places_, {},
                                             [](const auto& place) { return place.second.asked; }));
    }
    Place& place = places_[key];
    if (!place.kept) place.kept = std::make_shared<Kept>(patience_);
    place.asked = ++requests_;
    return place.kept;
  }

  const std::size_t most_;
  const Millis patience_;
  std::mutex mutex_;  // of what follows
  std::map<std::string, Place> places_;
  std::uint64_t requests_ = 0;
};

}  // namespace agneto::serve
