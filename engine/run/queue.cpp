#include "run/queue.h"

#include <algorithm>
#include <functional>

#include "base/clock.h"
#include "record/cut_off.h"
#include "record/entry.h"
#include "record/options.h"
#include "record/surroundings.h"
#include "run/assembly.h"
#include "run/wakeup.h"

namespace agneto::run {

bool has_begun(journal::Reader& journal, const std::string& run_id) {
  return !journal.state(run_id).is_null();
}

namespace {

// Says so in the run's record, whatever its machines are.
void mark(journal::Journal& journal, const journal::Hold& hold, const std::string& run_id,
          const std::function<record::Body(journal::RunRecord&)>& change) {
  journal.own(run_id, hold.owner());
  journal::RunRecord run = *journal.find(run_id);
  require_unended(run);
  const Time now = std::max(run.updated, SystemClock().now());
  std::vector<record::Entry> entries;
  if (run.status == "running") {  // who worked on it was killed
    const auto costs = [](const auto&, const auto&) { return false; };
    entries = record::cut_off(record::decode(journal.entries(run_id)), costs);
  }
  run.updated = now;
  run.wake.reset();
  entries.push_back({0, now, "", change(run)});
  Json state = journal.state(run_id);
  if (!state.is_null()) record::hold_timers(state, now);
  journal.append(run_id, record::encode(entries), std::move(state), &run);
  journal.release(run_id);
}

}  // namespace

void set_aside(journal::Journal& journal, const journal::Hold& hold, const std::string& run_id,
               const std::string& status, const std::string& reason) {
  mark(journal, hold, run_id, [&](journal::RunRecord& run) -> record::Body {
    run.status = status;
    run.outcome = reason;
    if (status != "aborted") return record::Suspended{reason};
    run.questions = 0;
    return record::AbortAsked{reason};
  });
}

void set_aside(journal::Journal& journal, const std::string& run_id, const std::string& status,
               const std::string& reason) {
  set_aside(journal, *journal.hold(run_id), run_id, status, reason);
}

void enqueue_again(journal::Journal& journal, const fs::path& home, const std::string& run_id,
                   const std::string& by) {
  const auto hold = journal.hold(run_id);
  mark(journal, *hold, run_id, [&](journal::RunRecord& run) -> record::Body {
    record::RunOptions options = record::options_of(run);
    options.served = true;
    run.options = record::to_json(options);
    run.status = "queued";
    run.outcome = "";
    return record::Queued{by};
  });
  wake_up(server_wakeup_of(home));
}

}  // namespace agneto::run
