#include "run/totals.h"

#include <algorithm>
#include <map>

#include "base/json.h"
#include "run/record.h"
#include "run/state.h"

namespace agneto::run {

Json totals_of(const Json& state, const journal::RunRecord& line,
               const std::vector<journal::Entry>& entries, Time now) {
  const Json& run = state.at("run");
  Totals totals = totals_from(run.at("totals"));
  std::map<std::string, int> left = run.value("counted", std::map<std::string, int>());
  for (const auto& entry : entries) {
    if (entry.kind != "reply" || !entry.stands ||
        !member(run, "outstanding").contains(entry.path)) {
      continue;
    }
    if (left[entry.path]-- > 0) continue;
    ++totals.attempts;
    totals.usage += reply_record(entry.body).usage;
  }
  totals.stop(line.status == "running" ? std::max(now, line.updated) : line.updated);
  return to_json(totals);
}

}  // namespace agneto::run
