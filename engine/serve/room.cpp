#include "serve/room.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "record/options.h"

namespace agneto::serve {

namespace {

std::set<std::string> providers_of(const journal::RunRecord& run) {
  std::set<std::string> providers;
  try {
    for (const auto& [agent, provider] : record::options_of(run).providers) {
      providers.insert(provider);
    }
  } catch (const Error&) {
    // What cannot be read is said once the run is worked on.
  }
  return providers;
}

// Is there a limit of that name, and has it been reached?
bool is_full(const std::map<std::string, int>& limits, const std::string& name, std::ptrdiff_t n) {
  const auto limit = limits.find(name);
  return limit != limits.end() && n >= limit->second;
}

}  // namespace

bool Room::has(const journal::RunRecord& run) const {
  if (!any()) return false;
  const auto of_workflow = std::ranges::count_if(
      busy_, [&](const auto& each) { return each.second.workflow == run.workflow; });
  if (is_full(most_.workflows, run.workflow, of_workflow)) return false;
  return std::ranges::none_of(providers_of(run), [&](const std::string& provider) {
    const auto with_it = std::ranges::count_if(
        busy_, [&](const auto& each) { return providers_of(each.second).contains(provider); });
    return is_full(most_.providers, provider, with_it);
  });
}

}  // namespace agneto::serve
