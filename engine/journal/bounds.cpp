#include "journal/bounds.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "journal/journal.h"

namespace agneto::journal {

namespace {

bool needs(const RunRecord& run, const std::string& label) {
  return std::ranges::find(run.needs, label) != run.needs.end();
}

std::string told(const char* key, const std::string& name, int most) {
  return fmt::format("as many runs with {} {} are worked on as may be at a time ({}, by serve.{}s)",
                     key, printable(name), most, key);
}

}  // namespace

Bounds reached(const Bounds& bounds, const std::vector<RunRecord>& worked_on) {
  Bounds reached;
  for (const auto& [name, most] : bounds.workflows) {
    const auto n = std::ranges::count(worked_on, name, &RunRecord::workflow);
    if (n >= most) reached.workflows.emplace(name, most);
  }
  for (const auto& [name, most] : bounds.providers) {
    const auto n = std::ranges::count_if(
        worked_on, [&label = name](const RunRecord& run) { return needs(run, label); });
    if (n >= most) reached.providers.emplace(name, most);
  }
  return reached;
}

std::string obstacle(const Bounds& bounds, const RunRecord& run,
                     const std::vector<RunRecord>& worked_on) {
  const Bounds full = reached(bounds, worked_on);
  if (const auto found = full.workflows.find(run.workflow); found != full.workflows.end()) {
    return told("workflow", found->first, found->second);
  }
  for (const auto& [provider, most] : full.providers) {
    if (needs(run, provider)) return told("provider", provider, most);
  }
  return "";
}

}  // namespace agneto::journal
