#include "record/pending.h"

namespace agneto::record {
namespace {

bool is_activity(const chart::NamedEffect& effect) {
  return !std::holds_alternative<chart::StartTimer>(effect) &&
         !std::holds_alternative<chart::Cancel>(effect) &&
         !std::holds_alternative<chart::Finish>(effect) &&
         !std::holds_alternative<chart::Suspend>(effect);
}

}  // namespace

void PendingActivities::add(const Entry& entry) {
  if (const auto* rewound = entry.get<Rewound>()) {
    while (!changes_.empty() && changes_.back().seq > rewound->to) changes_.pop_back();
    open_.clear();
    for (auto& each : std::exchange(changes_, {})) change(std::move(each));
  }
  const auto* step = entry.get<Macrostep>();
  if (!step) return;
  if (const auto* outcome = step->outcome()) change({entry.seq, outcome->path, false});
  for (const auto& effect : step->effects) {
    const std::string& path = chart::path_of(effect);
    if (std::holds_alternative<chart::Cancel>(effect)) change({entry.seq, path, false});
    if (!is_activity(effect)) continue;
    effects_.insert_or_assign(path, effect);
    change({entry.seq, path, true});
  }
}

const chart::NamedEffect* PendingActivities::find(const std::string& path) const {
  const auto found = effects_.find(path);
  return found == effects_.end() ? nullptr : &found->second;
}

void PendingActivities::change(Change change) {
  if (change.opens) {
    open_[change.path] = change.seq;
  } else {
    open_.erase(change.path);
  }
  changes_.push_back(std::move(change));
}

}  // namespace agneto::record
