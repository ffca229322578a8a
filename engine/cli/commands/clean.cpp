// agneto clean

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "cli/commands.h"
#include "run/cleaning.h"
#include "run/hub.h"
#include "run/leftovers.h"

namespace agneto::cli {
namespace {

struct CleanOptions {
  std::vector<std::string> runs;
  bool ended = false;
  std::string older_than;
  bool records = false;
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
std::vector<journal::RunRecord> chosen(journal::Journal& journal, const CleanOptions& options,
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
  const auto& ended = journal::ended_statuses;
  journal::each_run(journal, {.status = {ended.begin(), ended.end()}}, [&](auto run) {
    if (!age || now - run.updated >= *age) runs.push_back(std::move(run));
    return true;
  });
  if (!age) {
    for (const auto& each : left) runs.push_back(record_of(each));
  }
  return runs;
}

class Cleaner {
 public:
  Cleaner(const Context& context, const CleanOptions& options, journal::Journal& journal)
      : options_(options),
        journal_(journal),
        resources_(context.resources),
        root_(run::home_of(context.folder)),
        left_(run::leftovers(root_, root_ / ".agneto", journal)) {}

  // False: something of those that were named, or chosen, is kept.
  bool all() {
    bool whole = true;
    for (const auto& run : chosen(journal_, options_, left_)) whole = attempt(run) && whole;
    return whole;
  }
  bool said_nothing() const { return !said_; }
  bool has_failed() const { return failed_; }

 private:
  // Where there are several, what is wrong with one keeps nobody from cleaning the others.
  bool attempt(const journal::RunRecord& run) {
    try {
      return clean(run);
    } catch (const CutOff&) {
      throw;
    } catch (const Error& error) {
      if (options_.runs.size() == 1) throw;
      std::fflush(stdout);
      print(error, stderr);
      said_ = failed_ = true;
      return false;
    }
  }

  // False: something of it is kept.
  bool clean(const journal::RunRecord& run) {
    const auto left = std::ranges::find(left_, run.id, &run::Leftover::run);
    if (left != left_.end() && left->never_began) {
      if (!options_.dry_run) run::clear_failed_start(root_, root_ / ".agneto", journal_, run.id);
      report(run, {{"what is left of its start, which was cut off"}, {}});
      return true;
    }
    auto hub = run::hub_of(run, resources_);
    // Where the hub is away, nothing is done.
    if (hub && run.branch.empty() && !options_.dry_run) hub->bring_up();
    run::CleanedRun cleaned;
    try {
      fs::path root = root_;
      if (hub && !run.branch.empty()) root = run::place_of(run, root_, resources_).repository;
      cleaned = run::clean(root, journal_, run, {options_.force, options_.dry_run});
    } catch (const workspace::UnknownRun&) {
      if (!journal::has_ended(run)) throw;  // else it was cleaned before
    }
    if (hub && !options_.dry_run && cleaned.done.kept.empty()) hub->remove(run.id);
    if (options_.records && cleaned.done.kept.empty() && journal_.find(run.id)) {
      cleaned.done.removed.push_back("its record");
      if (!options_.dry_run) run::forget(journal_, run.id);
    }
    for (const auto& note : cleaned.notes) fmt::print("{}\n", printable(note));
    report(run, cleaned.done);
    return cleaned.done.kept.empty();
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

  const CleanOptions& options_;
  journal::Journal& journal_;
  const run::Resources& resources_;
  fs::path root_;
  std::vector<run::Leftover> left_;
  bool said_ = false, failed_ = false;
};

ExitStatus clean_runs(const Context& context, const CleanOptions& options) {
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
  const bool is_well = !cleaner.has_failed() && (all || chooses);
  return printed(is_well ? ExitStatus::complete : ExitStatus::failed);
}

}  // namespace

void add_clean(Program& program) {
  auto options = std::make_shared<CleanOptions>();
  CommandLine& command = program.add_command(
      "clean", "Remove the worktrees, merged branches and private refs of runs");
  command.add("RUN", &options->runs, "Ids, starts of ids, or 'last'");
  command.add("--ended", &options->ended,
              "All runs that have ended, and what is left of unknown ones");
  command.add("--older-than", &options->older_than, "Those that ended that long ago: 12h, 7d, …");
  command.add("--records", &options->records,
              "Also the record of each that has ended and of which nothing else is left, for good");
  command.add("--force", &options->force,
              "Also what is not merged or not committed, and of runs that have not ended");
  command.add("-n,--dry-run", &options->dry_run, "Only say what would be done");
  command.footer = R"(Examples:
  agneto clean last
  agneto clean --ended --dry-run
  agneto clean --older-than 7d
  agneto clean --older-than 365d --records

The record of a run stays but with --records: 'agneto show', 'log' and 'export' go on working. The
program's log stays, too: .agneto/log, which never has more than 20 MB.
Exit status: 1 where something of a run that was named is kept.)";
  command.action = [options](const Context& context) { return clean_runs(context, *options); };
}

}  // namespace agneto::cli
