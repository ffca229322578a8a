#include "workspace/hub/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <random>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/text.h"
#include "workspace/hub/hub.h"
#include "workspace/locks.h"
#include "workspace/refs.h"

namespace agneto::workspace {

namespace {

fs::path record_of(const HubClone& clone, const std::string& run) {
  return clone.folder() / ".git" / "agneto-hub" / run;
}

}  // namespace

std::optional<TurnRecord> TurnRecord::try_open(const HubClone& clone, const std::string& run) {
  const fs::path file = record_of(clone, run);
  std::error_code code;
  fs::create_directories(file.parent_path(), code);
  if (is_disk_full(code.value())) throw DiskFull("cannot make " + file.parent_path().string());
  process::Fd held = try_lock(file);
  if (!held) return std::nullopt;
  return TurnRecord(file, std::move(held));
}

std::string TurnRecord::look(const HubClone& clone, const std::string& run) {
  return Disk().read(record_of(clone, run)).value_or("");
}

std::optional<TurnRecord::Turn> TurnRecord::find(const std::string& id) const {
  if (id.empty()) return std::nullopt;
  for (const std::string& line : split(Disk().read(file_).value_or(""), '\n')) {
    const std::vector<std::string> words = split(line, ' ');
    if (words[0] == id) return Turn{id, words.size() > 1 ? words[1] : ""};
  }
  return std::nullopt;
}

// Where the machine goes off before it is on the disk, the clone only counts as older than it is.
void TurnRecord::note(const std::vector<Turn>& turns) {
  std::string text;
  for (const Turn& turn : turns) {
    if (!turn.id.empty()) text += turn.id + " " + turn.branch + "\n";
  }
  const auto size = static_cast<ssize_t>(text.size());
  if (::pwrite(held_.get(), text.data(), text.size(), 0) == size &&
      ::ftruncate(held_.get(), size) == 0) {
    return;
  }
  const std::string what = fmt::format("cannot write '{}'", file_.string());
  if (is_disk_full(errno)) throw DiskFull(what);
  throw Error(what + ": " + std::strerror(errno), "", ExitStatus::failed);
}

void TurnRecord::remove() {
  std::error_code none;
  fs::remove(file_, none);
}

HubRun::HubRun(std::shared_ptr<HubClone> clone, std::string run, TurnRecord record,
               std::string turn, RefObjects known)
    : clone_(std::move(clone)),
      run_(std::move(run)),
      turn_ref_(Refs(run_).own + std::string(turn_of_hub)),
      branch_ref_(Refs(run_).full_branch),
      record_(std::move(record)),
      turn_(std::move(turn)),
      known_(std::move(known)) {}

bool HubRun::take() try {
  const std::lock_guard lock(mutex_);
  const Pushed pushed = push({});
  if (pushed.done) return true;
  throw Error(
      fmt::format("{}: this hub refuses what a run keeps there: {}", clone_->shown(), pushed.why),
      "refs/agneto/* and refs/heads/agneto/* are to be pushed, moved and deleted there",
      ExitStatus::failed);
} catch (const HubTaken&) {
  return false;
}

bool HubRun::remove() try {
  const std::lock_guard lock(mutex_);
  Moves moves;
  for (const auto& [ref, id] : known_) moves[ref] = {id, ""};
  const Pushed pushed = push(std::move(moves), true);
  if (pushed.done) return true;
  if (pushed.outdated) return false;
  throw Error(fmt::format("{}: this hub does not let run {} be removed: {}", clone_->shown(), run_,
                          pushed.why),
              "", ExitStatus::failed);
} catch (const HubTaken&) {
  return false;
}

void HubRun::follow() {
  const std::lock_guard lock(mutex_);
  settle();
  const RefObjects now = clone_->here(run_);
  Moves moves;
  for (const auto& [ref, id] : now) {
    const auto then = known_.find(ref);
    if (then == known_.end()) {
      moves[ref] = {"", id};
    } else if (then->second != id) {
      moves[ref] = {then->second, id};
    }
  }
  for (const auto& [ref, id] : known_) {
    if (!now.contains(ref)) moves[ref] = {id, ""};
  }
  if (moves.empty()) return;
  const Pushed pushed = push(std::move(moves));
  if (pushed.done) return;
  throw CutOff(pushed.outdated ? fmt::format("{}: somebody else has moved refs of run {}: {}",
                                             clone_->shown(), run_, pushed.why)
                               : fmt::format("{}: this hub refuses the work of run {}: {}",
                                             clone_->shown(), run_, pushed.why),
               pushed.outdated ? "when the run goes on, what they have put there on its branch is "
                                 "kept under refs/agneto/" +
                                     run_ + "/rescued-N"
                               : "",
               ExitStatus::suspended);
}

HubRun::Pushed HubRun::move(const std::string& branch, const std::string& to) {
  const std::lock_guard lock(mutex_);
  settle();
  return push({{branch, {"", to, false}}});
}

void HubRun::require_held() {
  const std::lock_guard lock(mutex_);
  if (!lost_.empty()) lose({});
}

void HubRun::lose(const std::string& turn) {
  if (lost_.empty()) {
    lost_ = turn.empty() ? fmt::format("run {} was removed from {}", run_, clone_->shown())
                         : fmt::format("run {} was taken by another machine", run_);
  }
  throw HubTaken(lost_, "what was done to it here since is not in the hub", ExitStatus::suspended);
}

// The object that says whose turn it is; nobody else ever makes the same.
std::string HubRun::new_turn() {
  std::random_device device;
  const std::string text = fmt::format("{} {} {:08x}{:08x}{:08x}{:08x}\n", run_, ++count_, device(),
                                       device(), device(), device());
  // It is of use for one push alone, and need not be on the disk.
  return clone_->git().setting("core.fsync=none").text({"hash-object", "-w", "--stdin"}, text);
}

Arguments HubRun::arguments_of(const Attempt& attempt) const {
  Arguments arguments = {fmt::format("--force-with-lease={}:{}", turn_ref_, turn_),
                         attempt.turn + ":" + turn_ref_};
  for (const auto& [ref, move] : attempt.moves) {
    if (move.forced) arguments.push_back(fmt::format("--force-with-lease={}:{}", ref, move.from));
    arguments.push_back(move.to + ":" + ref);
  }
  return arguments;
}

void HubRun::succeed() {
  turn_ = attempt_->turn;
  for (const auto& [ref, move] : attempt_->moves) {
    if (!move.forced) continue;
    if (move.to.empty()) {
      known_.erase(ref);
    } else {
      known_[ref] = move.to;
    }
  }
  attempt_.reset();
}

// Finds out whether a push was done whose answer never came.
void HubRun::settle() {
  if (!lost_.empty()) lose({});
  if (!attempt_) return;
  clone_->patiently([&]() -> std::string {
    std::string why;
    const auto turn = clone_->ask(turn_ref_, why);
    if (!turn) return why;
    if (*turn == attempt_->turn) {
      succeed();
    } else if (*turn == turn_) {
      attempt_.reset();
    } else {
      lose(*turn);
    }
    return {};
  });
}

HubRun::Pushed HubRun::push(Moves moves, bool removes) {
  settle();
  const auto branch = [&](const Moves& of) {
    const auto moved = of.find(branch_ref_);
    if (moved != of.end()) return moved->second.to;
    const auto known = known_.find(branch_ref_);
    return known == known_.end() ? std::string() : known->second;
  };
  Attempt attempt{removes ? "" : new_turn(), std::move(moves)};
  if (!removes) record_.note({{attempt.turn, branch(attempt.moves)}, {turn_, branch({})}});
  const Arguments arguments = arguments_of(attempt);
  attempt_ = std::move(attempt);
  Pushed result;
  clone_->patiently([&]() -> std::string {
    process::Captured answer;
    std::string cut_off;
    try {
      answer = clone_->push(arguments);
    } catch (const CutOff& error) {  // a signal ended git
      if (process::heeded_stop().stop_requested()) throw;
      cut_off = error.what();
    }
    if (cut_off.empty() && answer.status == 0) {
      succeed();
      result.done = true;
      return {};
    }
    std::string why;
    const auto turn = clone_->ask(turn_ref_, why);
    if (!turn) return why;
    if (*turn == attempt_->turn) {
      log::warning("a push was done without an answer", {{"run", run_}});
      succeed();
      result.done = true;
      return {};
    }
    if (*turn != turn_) lose(*turn);
    if (!cut_off.empty()) return cut_off;
    result = refused(answer, attempt_->moves);
    if (result.why.empty()) return clone_->told(answer);
    attempt_.reset();
    return {};
  });
  return result;
}

// What the hub says of each ref: "!\tSOURCE:REF\t[remote rejected] (why)". No `why`: it did not
// refuse anything, or what it said will not be so a moment later.
HubRun::Pushed HubRun::refused(const process::Captured& result, const Moves& moves) const {
  Pushed pushed;
  std::vector<std::string> reasons;
  const auto is_any = [](std::string_view text, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts,
                               [&](std::string_view part) { return text.find(part) != text.npos; });
  };
  bool is_for_now = false;
  for (const std::string& line : split(result.output, '\n')) {
    if (!line.starts_with("!\t")) continue;
    const std::size_t tab = line.find('\t', 2);
    if (tab == std::string::npos || line.find("rejected]", tab) == std::string::npos) continue;
    const std::size_t colon = line.find(':');
    const std::string ref = line.substr(colon + 1, tab - colon - 1), said = line.substr(tab + 1);
    if (is_any(said, {"(atomic "})) continue;
    const auto move = moves.find(ref);
    const bool is_locked = is_any(said, {"cannot lock ref", "failed to update ref"});
    if (is_any(said, {"stale info"}) ||
        (move != moves.end() && !move->second.forced &&
         (is_locked || is_any(said, {"fetch first", "non-fast-forward", "incorrect old value"})))) {
      pushed.outdated = true;
    } else if (is_locked) {
      is_for_now = true;
    }
    reasons.push_back(ref + " " + said);
  }
  // A hub that found the branch moved only when it locked it says the same of all refs of the push.
  for (const auto& [ref, move] : moves) {
    if (move.forced || reasons.empty()) continue;
    if (result.error.find("cannot lock ref '" + ref + "': is at ") == std::string::npos) continue;
    pushed.outdated = true;
    is_for_now = false;
  }
  if (reasons.empty() || is_for_now) return pushed;
  // What its hooks have printed says more than that they declined.
  std::vector<std::string> words;
  for (std::string_view line : split_lines(result.error)) {
    if (!line.starts_with("remote: ")) continue;
    line = trim(line.substr(8));
    if (!line.empty()) words.emplace_back(line);
  }
  process::Captured told;
  told.error = join(words.empty() ? reasons : words, "\n");
  pushed.why = clone_->told(told);
  return pushed;
}

}  // namespace agneto::workspace
