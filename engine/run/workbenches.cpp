#include "run/workbenches.h"

#include "chart/effect.h"

namespace agneto::run {

std::string Workbenches::place_of(const std::string& path) const {
  return chart::workspace_of(system_, path);
}

std::string Workbenches::label_of(const std::string& item) const {
  const std::string place = place_of(item);
  return place.empty() ? item : item.substr(place.size() + 1);
}

Workbench& Workbenches::at(const std::string& place) {
  if (place.empty()) return own_;
  std::unique_ptr<Fork>& fork = forks_[place];
  if (!fork) fork = std::make_unique<Fork>(of(place).fork(label_of(place)));
  return fork->bench;
}

}  // namespace agneto::run
