#include "run/examination.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "base/text.h"
#include "process/process.h"
#include "record/entry.h"
#include "run/assembly.h"
#include "run/prepare.h"
#include "run/rewind.h"
#include "run/state.h"
#include "workspace/inspect.h"

namespace agneto::run {
namespace {

// Nothing where the entry is damaged, which is said elsewhere.
std::optional<record::Entry> readable(const journal::Entry& entry) {
  try {
    return record::decode(entry);
  } catch (const record::Malformed&) {
    return std::nullopt;
  }
}

class Examiner {
 public:
  Examiner(const fs::path& folder, journal::Journal& journal, const journal::RunRecord& run)
      : home_(home_of(folder)), journal_(journal), run_(run) {
    ended_ = has_ended(run);
    owner_ = journal.holder(run.id);
  }

  std::vector<Finding> all() {
    record();
    workflow();
    owner();
    if (!run_.branch.empty()) as_far_as_recorded([this] { repository(); });
    as_far_as_recorded([this] { processes(); });
    return std::move(findings_);
  }

 private:
  void well(std::string about, std::string what) {
    findings_.push_back({std::move(about), false, std::move(what), ""});
  }
  void wrong(std::string about, std::string what, std::string help) {
    findings_.push_back({std::move(about), true, std::move(what), std::move(help)});
  }
  // A damaged record cannot be read whole; that is the journal's fault, which is said already.
  template <typename Section>
  void as_far_as_recorded(Section section) {
    try {
      section();
    } catch (const Error&) {
      if (sound_) throw;
    } catch (const Json::exception&) {
      if (sound_) throw;
    }
  }

  void record() {
    const journal::Diagnosis found = journal_.diagnose(run_.id);
    if (found.faults.empty()) {
      well("journal", fmt::format("{} entries, all as they were written", found.newest));
    }
    std::string help = "restore the journal from a backup";
    const journal::Seq rest =
        found.usable > 0 && !found.file_damaged ? last_rest(journal_, run_.id, found.usable) : 0;
    if (rest > 0) {
      help += fmt::format(
          "; or go on from entry {}, the last one that can be trusted and gone on from, in a copy: "
          "agneto fork {} --at {}",
          rest, run_.id, rest);
      if (found.sources_damaged) help += "; resume it with --update: its own sources are damaged";
    } else if (!run_.branch.empty()) {
      help +=
          "; or start a new run from what this one committed: agneto run … --base " + run_.branch;
    }
    for (const auto& fault : found.faults) wrong("journal", fault.what, help);
    sound_ = found.faults.empty();
  }

  void workflow() {
    try {
      const MemoryFiles files(journal_.sources(run_.id));
      const auto loaded = load_recorded(run_, files);
      const Json state = journal_.state(run_.id);
      if (state.is_null()) return well("workflow", run_.workflow + ", which has not begun");
      try {
        state_ = RunState::from_json(state.at("run"), *loaded.system);
      } catch (const std::exception& error) {
        return wrong("workflow", std::string("where it stands cannot be read: ") + error.what(),
                     "this was recorded by another version; go on with that one");
      }
      well("workflow", run_.workflow + ", as it was recorded");
    } catch (const Error& error) {
      if (sound_) wrong("workflow", error.what(), error.help());
    }
  }

  void owner() {
    if (owner_) {
      well("owner", owner_->empty() ? "a live process" : *owner_);
    } else if (run_.status == "running") {
      wrong("owner", "nobody works on it, but it was not suspended: it was cut off",
            "agneto resume " + run_.id);
    } else {
      well("owner", "nobody: it is free");
    }
  }

  void repository() {
    std::set<std::string> checkpoints;
    if (state_ && !ended_) {
      for (const auto& [place, checkpoint] : state_->trees) checkpoints.insert(checkpoint);
      for (const auto& [path, effect] : state_->outstanding) {
        for (const auto& entry : journal_.entries_of(run_.id, path)) {
          const auto read = readable(entry);
          if (!read) continue;
          if (const auto* prompt = read->get<record::Prompt>()) {
            checkpoints.insert(prompt->checkpoint);
          } else if (const auto* command = read->get<record::ProgramCall>()) {
            checkpoints.insert(command->checkpoint);
          }
        }
      }
      checkpoints.erase("");
    }
    workspace::Inspection found;
    try {
      found = workspace::inspect({home_, home_ / ".agneto" / "worktrees" / run_.id, run_.id},
                                 {checkpoints.begin(), checkpoints.end()});
    } catch (const Error& error) {
      wrong("repository", error.what(), "is this still the repository that the run works on?");
      return;
    }
    locks(found);
    if (ended_) {
      well("branch",
           found.tip.empty() ? "removed" : run_.branch + " at " + found.tip.substr(0, 12));
      return;
    }
    if (found.tip.empty() && found.last.empty() && !found.base) {
      wrong("branch", run_.branch + " is gone, and what the engine knew of it",
            "start a new run, and end this one: agneto abort " + run_.id);
      return;
    }
    worktree(found);
    branch(found);
    if (found.missing.empty()) {
      well("checkpoints", fmt::format("{}, all there", checkpoints.size()));
    }
    for (const auto& missing : found.missing) {
      wrong("checkpoints",
            "checkpoint " + missing.substr(0, 12) +
                " is gone, so what was not "
                "committed then cannot be brought back",
            "restore the repository from a backup, or rewind to where nothing was open");
    }
  }

  // While somebody works on it, a git of theirs may hold one.
  void locks(const workspace::Inspection& found) {
    if (owner_ || found.locks.empty()) return;
    std::vector<std::string> files;
    for (const auto& lock : found.locks) files.push_back(lock.string());
    wrong("locks", "a git that was killed has left " + join(files, ", "),
          std::string(ended_ ? "agneto clean " : "agneto resume ") + run_.id + " removes " +
              (files.size() == 1 ? "it" : "them"));
  }

  void worktree(const workspace::Inspection& found) {
    const std::string place = (home_ / ".agneto" / "worktrees" / run_.id).string();
    if (!found.leads_to.empty()) {
      return wrong("worktree",
                   place + ": a link leads from here to " + found.leads_to.string() +
                       ", where the run has not worked",
                   "remove that link, and put the folder back in which the run has worked");
    }
    if (found.folder && found.registered) return well("worktree", place);
    if (found.moved) {
      return wrong("worktree", place + " was moved, and git does not know it",
                   "agneto resume tells git, and keeps what is in it");
    }
    wrong("worktree",
          found.folder ? place + " is there, but git does not know it" : place + " is gone",
          "agneto resume makes it anew, as it was at the last checkpoint");
  }

  void branch(const workspace::Inspection& found) {
    if (found.tip.empty()) {
      wrong("branch", run_.branch + " is gone",
            found.last.empty()
                ? "what it committed is gone too; start a new run"
                : "bring it back: git branch " + run_.branch + " " + found.last.substr(0, 12));
    } else if (!found.checked_out.empty()) {
      wrong("branch", run_.branch + " is checked out in " + found.checked_out,
            "check out another branch there: git -C " + found.checked_out + " switch -");
    } else if (!found.base || found.last.empty()) {
      wrong("branch",
            "refs/agneto/" + run_.id +
                " is not complete: where the run started or "
                "committed last is not known",
            "start a new run from its branch: agneto run … --base " + run_.branch);
    } else {
      well("branch", run_.branch + " at " + found.tip.substr(0, 12));
    }
  }

  // What agents and commands of a dead owner still do.
  void processes() {
    if (owner_) return;
    std::vector<std::string> left;
    std::set<std::pair<int, std::uint64_t>> guards;
    for (const auto& entry : journal_.entries(run_.id)) {
      if (entry.kind != record::Process::kind) continue;
      if (const auto read = readable(entry)) {
        const auto& id = read->get<record::Process>()->id;
        guards.emplace(id.pid, id.start_time);
      }
    }
    for (const auto& [pid, start] : guards) {
      for (const int process : process::left_of({pid, start})) {
        left.push_back(std::to_string(process));
      }
    }
    if (left.empty()) return well("processes", "none is left");
    wrong("processes", "still running: " + join(left, ", "),
          ended_ ? "end them: kill " + join(left, " ")
                 : "agneto resume ends them first; or: kill " + join(left, " "));
  }

  fs::path home_;
  journal::Journal& journal_;
  const journal::RunRecord& run_;
  std::optional<std::string> owner_;  // who works on it
  bool ended_ = false, sound_ = false;
  std::optional<RunState> state_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> examine(const fs::path& folder, journal::Journal& journal,
                             const journal::RunRecord& run) {
  return Examiner(folder, journal, run).all();
}

}  // namespace agneto::run
