// agneto clean

#include "workspace/clean.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/commands.h"
#include "journal/lock.h"
#include "record/run_summary.h"
#include "run/leftovers.h"
#include "run/live.h"
#include "run/queue.h"
#include "workspace/workspace.h"

namespace agneto::cli {
namespace {

struct Options {
  std::vector<std::string> runs;
  bool ended = false;
  std::string older_than;
  bool force = false;
  bool dry_run = false;
};

// Makes a record of a run that the journal does not know.
journal::RunRecord record_of(const run::Leftover& left) {
  journal::RunRecord run;
  run.id = left.run;
  run.branch = "agneto/" + left.run;
  run.base = left.base;
  run.status = "failed";
  return run;
}

// The runs that were named, or else all that the options choose.
std::vector<journal::RunRecord> chosen(journal::Journal& journal, const Options& options,
                                       const std::vector<run::Leftover>& left) {
  std::vector<journal::RunRecord> runs;
  for (const auto& name : options.runs) {
    const auto found = std::ranges::find(left, name, &run::Leftover::run);
    runs.push_back(found == left.end() ? run::find_run(journal, name) : record_of(*found));
  }
  if (!runs.empty()) return runs;
  std::optional<Millis> age;
  if (!options.older_than.empty()) {
    age = parse_duration(options.older_than);
    if (!age) {
      throw Error("--older-than '" + options.older_than + "' is no duration",
                  "write one such as 12h, 7d or 30d");
    }
  }
  const Time now = SystemClock().now();
  for (auto& run : journal.list()) {
    if (run::has_ended(run) && (!age || now - run.updated >= *age)) runs.push_back(std::move(run));
  }
  if (!age) {
    for (const auto& each : left) runs.push_back(record_of(each));
  }
  return runs;
}

class Cleaner {
 public:
  Cleaner(const Context& context, const Options& options, journal::Journal& journal)
      : options_(options),
        journal_(journal),
        root_(run::home_of(context.folder)),
        worktrees_(root_ / ".agneto" / "worktrees"),
        left_(run::leftovers(root_, root_ / ".agneto", journal)) {}

  // False: something of those that were named, or chosen, is kept.
  bool all() {
    bool whole = true;
    for (const auto& run : chosen(journal_, options_, left_)) whole = clean(run) && whole;
    return whole;
  }
  bool said_nothing() const { return !said_; }

 private:
  // False: something of it is kept.
  bool clean(const journal::RunRecord& run) {
    const auto left = std::ranges::find(left_, run.id, &run::Leftover::run);
    if (left != left_.end() && left->never_began) {
      if (!options_.dry_run) run::clear_failed_start(root_, root_ / ".agneto", journal_, run.id);
      report(run, {{"what is left of its start, which was cut off"}, {}});
      return true;
    }
    const fs::path lock_file = run::lock_of(root_ / ".agneto", run.id);
    if (journal::is_locked(lock_file)) {
      return keep(run, "somebody is working on it; stop it first");
    }
    if (!run::has_ended(run) && !options_.force) {
      return keep(run, "it has not ended (" + run::status_of(root_, run) +
                           "): go on with 'agneto resume " + run.id +
                           "', or remove it for good with --force");
    }
    // Its record stays, in which it waits for nobody any more.
    if (!run::has_ended(run) && journal_.find(run.id) && !options_.dry_run) end(run);
    std::unique_ptr<journal::RunLock> lock;
    if (!options_.dry_run && fs::exists(worktrees_)) {
      lock = std::make_unique<journal::RunLock>(lock_file, run.id);
      for (const auto& note : run::put_settings_back(root_ / ".agneto", run.id)) {
        fmt::print("{}\n", printable(note));
      }
    }
    workspace::Cleaned done;
    if (!run.branch.empty()) done = workspace::clean(cleaning_of(run));
    if (!options_.dry_run && done.kept.empty()) {
      std::error_code ignored;
      fs::remove(worktrees_ / (run.id + ".wakeup"), ignored);
      fs::remove(run::mark_of_start(root_ / ".agneto", run.id), ignored);
    }
    report(run, done);
    return done.kept.empty();
  }

  // A record that is damaged cannot say so, and the run is removed all the same.
  void end(const journal::RunRecord& run) {
    try {
      run::set_aside(journal_, root_ / ".agneto", run.id, "aborted",
                     "removed by " + run::user_name());
    } catch (const Error& error) {
      log::warning("what is removed stays unended in its record",
                   {{"run", run.id}, {"error", error.what()}});
    }
  }

  workspace::Cleaning cleaning_of(const journal::RunRecord& run) {
    workspace::Cleaning cleaning{
        .repository = root_,
        .worktrees = worktrees_,
        .run = run.id,
        .into = {run.base},
        .merges = {},
        // A workflow that is complete did not want what it has not committed.
        .discard_uncommitted = run.status == "complete",
        .force = options_.force,
        .dry_run = options_.dry_run};
    if (!journal_.find(run.id)) return cleaning;
    for (const auto& operation :
         record::summary_of(record::decode(journal_.entries(run.id)), {}).operations) {
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

  bool keep(const journal::RunRecord& run, const std::string& why) {
    report(run, {{}, {"all of it: " + why}});
    return false;
  }

  void report(const journal::RunRecord& run, const workspace::Cleaned& done) {
    if (done.removed.empty() && done.kept.empty() && options_.runs.empty()) return;
    said_ = true;
    fmt::print("{}\n", run.id);
    const char* removed = options_.dry_run ? "would remove" : "removed";
    for (const auto& what : done.removed) fmt::print("  {} {}\n", removed, printable(what));
    for (const auto& what : done.kept) fmt::print("  kept {}\n", printable(what));
    if (done.removed.empty() && done.kept.empty()) fmt::print("  nothing is left to remove\n");
  }

  const Options& options_;
  journal::Journal& journal_;
  fs::path root_, worktrees_;
  std::vector<run::Leftover> left_;
  bool said_ = false;
};

ExitStatus clean_runs(const Context& context, const Options& options) {
  end_with_the_reader();
  const bool chooses = options.ended || !options.older_than.empty();
  if (options.runs.empty() == !chooses) {
    throw Error(chooses ? "both RUN and --ended or --older-than were given" : "clean what?",
                "give runs, or --ended for all that have ended, or --older-than 7d for those of "
                "them that ended that long ago");
  }
  auto journal = run::journal_to_steer(context.folder);
  Cleaner cleaner(context, options, *journal);
  const bool all = cleaner.all();
  if (cleaner.said_nothing()) fmt::print("Nothing to clean.\n");
  return printed(all || chooses ? ExitStatus::complete : ExitStatus::failed);
}

}  // namespace

void add_clean(Program& program) {
  auto options = std::make_shared<Options>();
  CommandLine& command = program.add_command(
      "clean", "Remove the worktrees, merged branches and private refs of runs");
  command.add("RUN", &options->runs, "Ids, starts of ids, or 'last'");
  command.add("--ended", &options->ended,
              "All runs that have ended, and what is left of unknown ones");
  command.add("--older-than", &options->older_than, "Those that ended that long ago: 12h, 7d, …");
  command.add("--force", &options->force,
              "Also what is not merged or not committed, and of runs that have not ended");
  command.add("-n,--dry-run", &options->dry_run, "Only say what would be done");
  command.footer = R"(Examples:
  agneto clean last
  agneto clean --ended --dry-run
  agneto clean --older-than 7d

The record of a run stays: 'agneto show', 'log' and 'export' go on working. The program's log stays,
too: .agneto/log, which never has more than 20 MB.
Exit status: 1 where something of a run that was named is kept.)";
  command.action = [options](const Context& context) { return clean_runs(context, *options); };
}

}  // namespace agneto::cli
