#include "serve/room.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "record/options.h"
#include "run/prepare.h"
#include "serve/server.h"

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

// What is said where there are as many runs as there may be of that name; empty: there is no such
// limit, or there are fewer.
std::string reached(const std::map<std::string, int>& limits, const char* key,
                    const std::string& name, std::ptrdiff_t n) {
  const auto limit = limits.find(name);
  if (limit == limits.end() || n < limit->second) return "";
  return fmt::format("as many runs with {} {} are worked on as may be at a time ({}, by serve.{}s)",
                     key, printable(name), limit->second, key);
}

}  // namespace

std::string Room::obstacle(const journal::RunRecord& run) const {
  if (!any()) {
    return fmt::format("as many runs are worked on as may be at a time ({}, by serve.runs)",
                       most_.runs);
  }
  const auto of_workflow = std::ranges::count_if(
      busy_, [&](const auto& each) { return each.second.workflow == run.workflow; });
  std::string why = reached(most_.workflows, "workflow", run.workflow, of_workflow);
  for (const std::string& provider : providers_of(run)) {
    if (!why.empty()) break;
    const auto with_it = std::ranges::count_if(
        busy_, [&](const auto& each) { return providers_of(each.second).contains(provider); });
    why = reached(most_.providers, "provider", provider, with_it);
  }
  return why;
}

std::string why_queued(journal::Journal& journal, const fs::path& folder,
                       const run::Resources& resources, const journal::RunRecord& run) {
  if (run.status != "queued") return "";
  if (!is_served(folder)) return "nobody serves this folder: agneto serve";
  Room room;
  try {
    room.set(run::current_config(folder, resources).concurrency);
  } catch (const Error& error) {
    return std::string("the configuration cannot be read: ") + error.what();
  }
  for (const auto& each : journal.list({.status = {"running"}})) room.take(each);
  return room.obstacle(run);
}

}  // namespace agneto::serve
