// A run that this machine has taken from a hub: what of it the hub has, and how the rest gets
// there.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "process/fd.h"
#include "workspace/hub/clone.h"

namespace agneto::workspace {

// The last turns that this clone has, or may have, left in the hub: while the hub's turn is one of
// them, no other machine has worked on the run, and what the clone has of it is the newest. One
// process has the record at a time, and with it the run.
class TurnRecord {
 public:
  struct Turn {
    std::string id;      // empty: none
    std::string branch;  // the commit of the run's branch that was pushed with it; empty: none
  };

  // Nothing: another process has it, or another thread of this one.
  static std::optional<TurnRecord> try_open(const HubClone& clone, const std::string& run);
  // As it is at the moment, whoever has it.
  static std::string look(const HubClone& clone, const std::string& run);

  std::optional<Turn> find(const std::string& id) const;
  void note(const std::vector<Turn>& turns);
  void remove();

 private:
  TurnRecord(fs::path file, process::Fd held) : file_(std::move(file)), held_(std::move(held)) {}

  fs::path file_;
  process::Fd held_;
};

// Thread-safe: a run's forks push by it, too.
class HubRun {
 public:
  // `turn`: the one that the hub has; empty: none. `known`: the refs it has of the run, but for it.
  HubRun(std::shared_ptr<HubClone> clone, std::string run, TurnRecord record, std::string turn,
         RefObjects known);

  // Leaves a turn of this machine's in the hub. False: somebody has left another meanwhile.
  bool take();
  // Brings what the run's refs have become into the hub. Does nothing where the hub has all of it.
  // Throws HubTaken, HubAway, and CutOff where the hub refuses it.
  void follow();
  // Throws HubTaken where it is known that another machine has the run.
  void require_held();

  // Moves a branch of the hub's forward, if the run is still this machine's.
  struct Pushed {
    bool done = false;
    bool outdated = false;  // the branch was moved by somebody else
    std::string why;        // what the hub said
  };
  Pushed move(const std::string& branch, const std::string& to);
  // Takes all that the hub has of the run out of it, the turn as well. False as for `take`.
  bool remove();

  HubClone& clone() { return *clone_; }
  const std::string& run() const { return run_; }
  TurnRecord& record() { return record_; }

 private:
  struct Move {
    std::string from, to;  // empty: there is none
    bool forced = true;    // else only forward
  };
  using Moves = std::map<std::string, Move>;  // by ref
  struct Attempt {
    std::string turn;  // empty: it is taken out
    Moves moves;
  };

  Pushed push(Moves moves, bool removes = false);
  Arguments arguments_of(const Attempt& attempt) const;
  void settle();
  void succeed();
  [[noreturn]] void lose(const std::string& turn);
  Pushed refused(const process::Captured& result, const Moves& moves) const;
  std::string new_turn();

  std::shared_ptr<HubClone> clone_;
  const std::string run_, turn_ref_, branch_ref_;
  std::mutex mutex_;
  TurnRecord record_;
  std::string turn_;                // the hub's, as far as is known
  RefObjects known_;                // what the hub has of the run
  std::optional<Attempt> attempt_;  // a push of which it is not known whether it was done
  std::string lost_;                // why the run is not this machine's any more; empty: it is
  std::size_t count_ = 0;
};

}  // namespace agneto::workspace
