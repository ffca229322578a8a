#include "workspace/hub/hub.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/log.h"
#include "base/text.h"
#include "process/git.h"
#include "workspace/hub/clone.h"
#include "workspace/hub/run.h"
#include "workspace/hub/workspace.h"
#include "workspace/refs.h"
#include "workspace/worktree/worktree.h"

namespace agneto::workspace {

namespace {

constexpr int most_tries = 5;  // how often others may take the run while we do
constexpr Millis patience_with_other{5000};

Clock& system_clock() {
  static SystemClock clock;
  return clock;
}

// It stands in names of refs and folders, and in patterns of such names.
void require_name(const std::string& run) {
  const bool is_name = !run.empty() && run.front() != '.' && run.find("..") == std::string::npos &&
                       run.back() != '.' && !run.ends_with(".lock") &&
                       std::ranges::all_of(run, [](unsigned char c) {
                         return std::isalnum(c) || c == '-' || c == '_' || c == '.' || c >= 0x80;
                       });
  if (!is_name) throw Error("'" + printable(run) + "' is no name of a run");
}

TurnRecord open_record(const HubClone& clone, const std::string& run) {
  constexpr Millis pause{50};
  for (const Millis begun = clone.clock().elapsed();;) {
    if (auto record = TurnRecord::try_open(clone, run)) return std::move(*record);
    if (clone.clock().elapsed() - begun >= patience_with_other ||
        !clone.clock().sleep(pause, process::heeded_stop())) {
      throw CutOff(fmt::format("run {} is open in another process of this machine", run),
                   "wait until that has ended", ExitStatus::suspended);
    }
  }
}

// What the hub has of a run.
struct InHub {
  std::string turn;
  RefObjects refs;  // without it
};

InHub there_of(const HubClone& clone, const std::string& run) {
  InHub there{{}, clone.seen(run)};
  const auto turn = there.refs.extract(Refs(run).own + std::string(turn_of_hub));
  if (!turn.empty()) there.turn = turn.mapped();
  return there;
}

// The names that the run and its forks have, of which this clone has something.
std::set<std::string> names_here(const HubClone& clone, const std::string& run) {
  std::set<std::string> names = {run};
  for (const auto& [ref, id] : clone.here(run)) {
    std::string_view name = ref;
    for (const std::string_view place : {"refs/agneto/", "refs/heads/agneto/"}) {
      if (name.starts_with(place)) name.remove_prefix(place.size());
    }
    names.emplace(name.substr(0, name.find('/')));
  }
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(clone.place(run).worktree.parent_path(), none)) {
    std::string name = entry.path().filename();
    if (entry.is_directory(none) && name.starts_with(run + ".")) names.insert(std::move(name));
  }
  return names;
}

// Removes what this clone has of the run.
void forget_run(const HubClone& clone, const std::string& run, Branch branch) {
  for (const std::string& name : names_here(clone, run)) {
    const Create place = clone.place(name);
    take_down(place, branch);
    if (is_there(place.worktree)) {
      throw Error(place.worktree.string() + ": cannot remove this folder, which is out of date",
                  "remove it by hand", ExitStatus::failed);
    }
  }
}

// Makes what this clone has of the run what the hub has: another machine worked on it since.
void adopt(const HubClone& clone, const std::string& run, const InHub& there, TurnRecord& record) {
  forget_run(clone, run, Branch::keep);
  std::string commands;
  const RefObjects here = clone.here(run);
  for (const auto& [ref, id] : here) {
    if (!there.refs.contains(ref)) commands += fmt::format("delete {}\n", ref);
  }
  for (const auto& [ref, id] : there.refs) commands += fmt::format("update {} {}\n", ref, id);
  clone.git().text({"update-ref", "--no-deref", "-m", "agneto", "--stdin"}, commands);
  const auto branch = there.refs.find(Refs(run).full_branch);
  record.note({{there.turn, branch == there.refs.end() ? "" : branch->second}});
}

// Where this clone has the newest: what somebody has put on the run's branch in the hub is kept, as
// what a person commits on it here is.
void keep_foreign(const HubClone& clone, const std::string& run, const InHub& there,
                  const TurnRecord::Turn& ours) {
  const Refs refs(run);
  const auto branch = there.refs.find(refs.full_branch);
  if (branch == there.refs.end() || branch->second == ours.branch) return;
  const RefObjects here = clone.here(run);
  std::string name;
  std::size_t number = 0;
  do {
    name = refs.rescued + std::to_string(++number);
    const auto kept = here.find(name);
    if (kept != here.end() && kept->second == branch->second) return;
  } while (here.contains(name));
  clone.git().text({"update-ref", "-m", "agneto", name, branch->second});
  log::warning("what somebody has put on a run's branch in the hub was put aside",
               {{"run", run}, {"ref", name}});
}

// Why a run cannot begin there: what its files are would not travel with it.
void require_travels(const HubClone& clone, const std::string& base) {
  const Git git = clone.git();
  const std::string commit = commit_of(git, base);
  std::vector<std::string> modules;
  for (const std::string& entry : split(
           git.run({"config", "-z", "--blob", commit + ":.gitmodules", "--get-regexp", "\\.path$"})
               .output,
           '\0')) {
    modules.push_back(entry.substr(entry.find('\n') + 1));
  }
  if (!modules.empty()) {
    throw Error(fmt::format("{}: it has submodules ({}), whose files do not travel through a hub",
                            clone.shown(), printable(listed(modules))),
                "work on this repository on one machine, or put these files into it");
  }
  const process::Captured found = git.run({"grep", "-z", "--name-only", "--fixed-strings", "-e",
                                           "filter=lfs", commit, "--", ":(glob)**/.gitattributes"});
  if (found.status == 0) {
    const std::string file = found.output.substr(0, found.output.find('\0'));
    throw Error(fmt::format("{}: it has files in git LFS ({}), which do not travel through a hub",
                            clone.shown(), printable(file.substr(file.find(':') + 1))),
                "work on this repository on one machine");
  }
}

}  // namespace

HubAway::HubAway(const std::string& shown, std::string why)
    : CutOff(fmt::format("cannot reach {}: {}", shown, why),
             "try it by hand: git ls-remote " + shown, ExitStatus::suspended),
      why_(std::move(why)) {}

Hub::Hub(const fs::path& cache, const std::string& address) : Hub(cache, address, system_clock()) {}

Hub::Hub(const fs::path& cache, const std::string& address, Clock& clock)
    : clone_(std::make_shared<HubClone>(cache, address, clock)) {}

const fs::path& Hub::clone() const {
  return clone_->folder();
}

void Hub::bring_up() {
  clone_->bring_up();
}

std::unique_ptr<Workspace> Hub::create(const std::string& run, const std::string& base) {
  require_name(run);
  clone_->bring_up();
  clone_->look_at({run});
  InHub there = there_of(*clone_, run);
  if (!there.refs.empty()) return open(run);
  const std::string from = base.empty() ? clone_->default_branch() : base;
  require_travels(*clone_, require_base(clone_->folder(), from));
  TurnRecord record = open_record(*clone_, run);
  forget_run(*clone_, run,
             Branch::remove);  // of one that was cut off, or that is removed from the hub
  auto taken = std::make_shared<HubRun>(clone_, run, std::move(record), there.turn, RefObjects{});
  auto files = workspace::create(clone_->place(run, from));
  taken->follow();
  return through_hub(std::move(files), std::move(taken));
}

std::unique_ptr<Workspace> Hub::open(const std::string& run) {
  require_name(run);
  clone_->bring_up();
  for (int i = 0; i < most_tries; ++i) {
    TurnRecord record = open_record(*clone_, run);
    clone_->look_at({run});
    InHub there = there_of(*clone_, run);
    if (there.refs.empty()) throw UnknownRun(clone_->shown(), run);
    if (const auto ours = record.find(there.turn)) {
      keep_foreign(*clone_, run, there, *ours);
    } else {
      adopt(*clone_, run, there, record);
    }
    auto taken = std::make_shared<HubRun>(clone_, run, std::move(record), there.turn, there.refs);
    if (!taken->take()) continue;
    auto files = workspace::open(clone_->place(run));
    taken->follow();
    return through_hub(std::move(files), std::move(taken));
  }
  throw CutOff(fmt::format("run {} is being taken by other machines", run), "",
               ExitStatus::suspended);
}

std::unique_ptr<Workspace> Hub::copy(const std::string& from, const std::string& to) {
  require_name(to);
  look(from);
  clone_->look_at({to});
  InHub there = there_of(*clone_, to);
  if (!there.refs.empty()) {
    throw Error(fmt::format("{}: this hub has a run '{}' already", clone_->shown(), to));
  }
  TurnRecord record = open_record(*clone_, to);
  forget_run(*clone_, to, Branch::remove);
  auto taken = std::make_shared<HubRun>(clone_, to, std::move(record), there.turn, RefObjects{});
  auto files = workspace::copy(clone_->place(from), clone_->place(to));
  taken->follow();
  return through_hub(std::move(files), std::move(taken));
}

void Hub::look(const std::string& run) {
  require_name(run);
  if (!is_there(clone_->folder())) clone_->bring_up();
  const std::string before = TurnRecord::look(*clone_, run);
  if (!TurnRecord::try_open(*clone_, run)) return;
  clone_->look_at({run});
  auto record = TurnRecord::try_open(*clone_, run);
  // Who has opened it since has brought the clone further.
  if (!record || TurnRecord::look(*clone_, run) != before) return;
  const InHub there = there_of(*clone_, run);
  if (there.refs.empty()) {
    record->remove();
    throw UnknownRun(clone_->shown(), run);
  }
  if (!record->find(there.turn)) adopt(*clone_, run, there, *record);
}

void Hub::forget(const std::string& run) {
  require_name(run);
  if (!is_there(clone_->folder())) return;
  auto record = TurnRecord::try_open(*clone_, run);
  if (!record) return;
  forget_run(*clone_, run, Branch::remove);
  record->remove();
}

void Hub::pack() {
  if (!is_there(clone_->folder())) return;
  constexpr const char* many_objects = "gc.auto=6700";  // as git has it by itself
  clone_->git().setting(many_objects).run({"gc", "--auto", "--quiet"});
}

void Hub::remove(const std::string& run) {
  require_name(run);
  if (!is_there(clone_->folder())) clone_->bring_up();
  for (int i = 0; i < most_tries; ++i) {
    TurnRecord record = open_record(*clone_, run);
    clone_->look_at({run});
    InHub there = there_of(*clone_, run);
    HubRun taken(clone_, run, std::move(record), there.turn, there.refs);
    const bool is_known = !there.refs.empty() || !there.turn.empty();
    if (is_known && (!taken.take() || !taken.remove())) continue;
    forget_run(*clone_, run, Branch::remove);
    taken.record().remove();
    return;
  }
  throw CutOff(fmt::format("run {} is being taken by other machines", run), "",
               ExitStatus::suspended);
}

}  // namespace agneto::workspace
