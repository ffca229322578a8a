#include "ui/models_used.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace agneto::ui {

std::string readable_provider(const record::AgentStarted& started) {
  std::string text = started.provider;
  if (!started.model.empty()) text += " " + started.model;
  if (!started.effort.empty()) text += ", effort " + started.effort;
  return text;
}

void ModelsUsed::note(const record::AgentStarted& started) {
  if (started.model.empty() && started.effort.empty()) return;
  const auto key = [](const record::AgentStarted& one) {
    return std::tie(one.agent, one.provider, one.model, one.effort);
  };
  const bool is_known = std::ranges::any_of(
      used_, [&](const record::AgentStarted& one) { return key(one) == key(started); });
  if (!is_known) used_.push_back(started);
}

Json ModelsUsed::json() const {
  Json list = Json::array();
  for (const auto& one : used_) {
    list.push_back({{"agent", one.agent}, {"provider", one.provider}, {"model", one.model}});
    if (!one.effort.empty()) list.back()["effort"] = one.effort;
  }
  return list;
}

std::vector<std::string> ModelsUsed::lines() const {
  std::vector<std::pair<std::string, std::string>> all;  // agents, and what they were called with
  for (const auto& one : used_) {
    const auto known =
        std::ranges::find(all, one.agent, &std::pair<std::string, std::string>::first);
    if (known == all.end()) {
      all.emplace_back(one.agent, readable_provider(one));
    } else {
      known->second += "; " + readable_provider(one);
    }
  }
  std::vector<std::string> lines;
  for (const auto& [agent, words] : all) lines.push_back(agent + ": " + words);
  return lines;
}

}  // namespace agneto::ui
