#include "run/orders.h"

namespace agneto::run {
namespace {

bool is_activity(const std::string& kind) {
  return kind != "timer" && kind != "cancel" && kind != "finish" && kind != "suspend";
}

}  // namespace

void Orders::add(const journal::Entry& entry) {
  if (entry.kind == "rewound") {
    const auto to = entry.body.at("to").get<journal::Seq>();
    while (!changes_.empty() && changes_.back().seq > to) changes_.pop_back();
    const auto stands = std::move(changes_);
    changes_.clear();
    open_.clear();
    for (const auto& each : stands) change(each.seq, each.path, each.opens);
  }
  if (entry.kind != "macrostep") return;
  const Json& event = entry.body.at("event");
  if (event.is_object() && event.at("kind") == "outcome") {
    change(entry.seq, event.at("path"), false);
  }
  for (const auto& effect : entry.body.at("effects")) {
    const std::string kind = effect.at("effect");
    if (kind == "cancel") change(entry.seq, effect.at("path"), false);
    if (!is_activity(kind)) continue;
    const std::string path = effect.at("path");
    effects_[path] = effect;
    change(entry.seq, path, true);
  }
}

const Json* Orders::find(const std::string& path) const {
  const auto found = effects_.find(path);
  return found == effects_.end() ? nullptr : &found->second;
}

void Orders::change(journal::Seq seq, const std::string& path, bool opens) {
  changes_.push_back({seq, path, opens});
  if (opens) {
    open_[path] = seq;
  } else {
    open_.erase(path);
  }
}

}  // namespace agneto::run
