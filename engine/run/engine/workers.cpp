#include "run/engine/workers.h"

#include <algorithm>

namespace agneto::run {

void Workers::start(const std::string& path, const std::string& item, bool writes, Work work) {
  workers_[path] = {item, writes, false, std::jthread(std::move(work))};
}

void Workers::cancel(const std::string& path) {
  const auto found = workers_.find(path);
  if (found == workers_.end()) return;
  found->second.cancelled = true;
  found->second.thread.request_stop();
}

bool Workers::finish(const std::string& path) {
  const auto found = workers_.find(path);
  const bool wanted = !found->second.cancelled;
  workers_.erase(found);  // joins
  return wanted;
}

std::set<std::string> Workers::stop() {
  std::set<std::string> wanted;
  for (auto& [path, worker] : workers_) {
    if (!worker.cancelled) wanted.insert(path);
    worker.thread.request_stop();
  }
  workers_.clear();  // joins
  return wanted;
}

bool Workers::is_busy(const std::string& item, bool to_write) const {
  return std::any_of(workers_.begin(), workers_.end(), [&](const auto& entry) {
    return entry.second.item == item && (to_write || entry.second.writes);
  });
}

bool Workers::is_wanted(const std::string& path) const {
  const auto found = workers_.find(path);
  return found != workers_.end() && !found->second.cancelled;
}

bool Workers::any(const std::string& beginning) const {
  const auto next = workers_.lower_bound(beginning);
  return next != workers_.end() && next->first.starts_with(beginning);
}

}  // namespace agneto::run
