#include "run/cleaning.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "base/error.h"
#include "base/log.h"
#include "journal/holds.h"
#include "record/run_summary.h"
#include "run/assembly.h"
#include "run/leftovers.h"
#include "run/live.h"
#include "run/queue.h"
#include "run/sandbox/private_home.h"
#include "workspace/workspace.h"

namespace agneto::run {

namespace {

workspace::Cleaning cleaning_of(const fs::path& root, journal::Journal& journal,
                                const journal::RunRecord& run, const HowToClean& how) {
  workspace::Cleaning cleaning{
      .repository = root,
      .worktrees = root / ".agneto" / "worktrees",
      .run = run.id,
      .into = {run.base},
      .merges = {},
      // A workflow that is complete did not want what it has not committed.
      .discard_uncommitted = run.status == "complete",
      .force = how.force,
      .dry_run = how.dry_run};
  if (!journal.find(run.id)) return cleaning;
  for (const auto& operation :
       record::summary_of(record::decode(journal.entries(run.id)), {}).operations) {
    if (operation.operation.kind != model::WorkspaceOperation::Kind::merge ||
        operation.outcome != "ok") {
      continue;
    }
    const std::string& into = operation.operation.into;
    const std::string commit = operation.data.at("commit");
    if (!commit.empty()) cleaning.merges.push_back(commit);
    const bool known = std::ranges::find(cleaning.into, into) != cleaning.into.end();
    if (!into.empty() && !known) cleaning.into.push_back(into);
  }
  return cleaning;
}

// A record that is damaged cannot say so, and the run is removed all the same.
void end(journal::Journal& journal, const journal::RunRecord& run) {
  try {
    set_aside(journal, run.id, "aborted", "removed by " + user_name());
  } catch (const Error& error) {
    log::warning("what is removed stays unended in its record",
                 {{"run", run.id}, {"error", error.what()}});
  }
}

CleanedRun keep(const std::string& why) {
  return {{{}, {"all of it: " + why}}};
}

}  // namespace

CleanedRun clean(const fs::path& root, journal::Journal& journal, const journal::RunRecord& run,
                 const HowToClean& how) {
  const fs::path home = root / ".agneto";
  if (journal.is_held(run.id)) return keep("somebody is working on it; stop it first");
  if (!has_ended(run) && !how.force) {
    return keep("it has not ended (" + status_of(journal, run) + "): go on with 'agneto resume " +
                run.id + "', or remove it for good with --force");
  }
  // Its record stays, in which it waits for nobody any more.
  if (!has_ended(run) && journal.find(run.id) && !how.dry_run) end(journal, run);
  CleanedRun cleaned;
  std::unique_ptr<journal::Hold> hold;
  if (!how.dry_run && fs::exists(home / "worktrees")) {
    hold = journal.hold(run.id);
    cleaned.notes = put_settings_back(home, journal, run.id);
  }
  if (!run.branch.empty()) cleaned.done = workspace::clean(cleaning_of(root, journal, run, how));
  if (!how.dry_run && cleaned.done.kept.empty()) {
    std::error_code ignored;
    fs::remove(home / "worktrees" / (run.id + ".wakeup"), ignored);
    fs::remove(mark_of_start(home, run.id), ignored);
  }
  if (const fs::path own = private_home(home, run.id);
      cleaned.done.kept.empty() && fs::exists(own)) {
    const bool is_gone = how.dry_run || remove_home(own);
    (is_gone ? cleaned.done.removed : cleaned.done.kept).push_back("its HOME " + own.string());
  }
  return cleaned;
}

void forget(journal::Journal& journal, const std::string& run_id) {
  const auto hold = journal.hold(run_id);
  journal.remove(run_id);
}

void clean_ended(const fs::path& root, journal::Journal& journal, Time before) {
  if (!workspace::is_repository(root)) return;
  const fs::path home = root / ".agneto";
  std::set<std::string> runs;
  for (const auto& trace : workspace::traces_of_runs(root, home / "worktrees")) {
    runs.insert(trace.run);
  }
  runs.merge(runs_with_homes(home));
  for (const std::string& id : runs) {
    const auto run = journal.find(id);
    if (!run || !has_ended(*run) || run->updated >= before) continue;
    const log::Scope scope(run->id);
    try {
      const CleanedRun cleaned = clean(root, journal, *run, {});
      if (cleaned.done.removed.empty()) continue;
      log::info("ended run cleaned", {{"removed", cleaned.done.removed},
                                      {"kept", cleaned.done.kept},
                                      {"notes", cleaned.notes}});
    } catch (const Error& error) {
      log::warning("ended run cannot be cleaned", {{"error", error.what()}});
    }
  }
}

}  // namespace agneto::run
