// One machine of a run while it runs, and the machines it delegates to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "chart/evaluator.h"
#include "chart/event.h"
#include "chart/state_set.h"
#include "chart/tables.h"

namespace agneto::chart {

// An `after` that was started and has not fired: `number` is the place (from 0) of its first
// transition in the state's `after`.
struct PendingTimer {
  model::StateId state = model::none;
  std::uint32_t number = 0;
};

// Whom a machine has sent an event: itself, the machine around, or what a state delegates to.
struct Recipient {
  bool parent = false;
  model::StateId state = model::none;
  std::uint32_t item = 0;  // of the state's for_each, from 1; 0: all

  bool is_other() const { return parent || state != model::none; }
};

// A delayed send that is not due yet.
struct Send {
  std::string id;
  std::string name;
  Json data;
  Recipient to = {};
};

// An event in an instance's external queue.
struct Queued {
  std::uint64_t order = 0;  // of arrival, over the whole tree
  Event event;
  model::StateId owner = model::none;  // the state it is addressed to; none: broadcast
  std::uint32_t entry = 0;             // which entry of that state
  std::string id;                      // of the send, for `cancel`; may be empty
  Recipient to = {};                   // it leaves the machine when its turn comes
};

struct Remembered {
  model::StateId history = model::none;
  std::vector<model::StateId> states;
};

// What is to come: it changes in few steps.
struct Pending {
  std::vector<PendingTimer> timers;
  std::vector<Send> sends;
  std::deque<Queued> queue;
  std::size_t addressed = 0;  // how many in `queue` are for a state
  std::uint32_t sends_made = 0;
};

// One item of a for_each that is under way.
struct BatchItem {
  enum class Phase : std::uint8_t { waiting, opening, running, ended };
  Phase phase = Phase::waiting;
  Json inputs = {};  // of its machine, until that starts
  Json result = {};  // {outcome, status, data} once it has ended
};

// A for_each that is under way. While its workspaces are joined, its state is among the running.
struct Batch {
  model::StateId state = model::none;
  std::vector<BatchItem> items = {};
  std::uint32_t needed = 0;        // how many must complete; 0: all
  std::uint32_t max_parallel = 0;  // how many run at a time; 0: all
  std::uint32_t started = 0;       // items start in order
  std::uint32_t completed = 0;
  std::uint32_t failed = 0;
};

// What takes a macrostep back, but for the data and the children.
struct Undo {
  struct Change {
    enum Kind : std::uint8_t { entered, left, running } kind;  // running: switched
    model::StateId state;
  };
  std::vector<Change> changes;  // in order
  std::optional<Pending> pending;
  std::optional<std::vector<Remembered>> history;
  std::optional<std::vector<Batch>> batches;
};

// The states that a microstep enters.
struct EntrySet {
  StateSet states;
  std::vector<model::StateId> defaults;  // compounds entered by their `initial`, in document order
  std::vector<model::StateId> history;   // history states whose `default` was taken
};

// A walk up from several leaves meets the same ancestors again; what it found there before.
struct Walk {
  StateSet visited;
  std::vector<model::TransitionId> found;  // by state: the first enabled there or above
};

// An event in the internal queue, which is empty between macrosteps.
struct Internal {
  Event event;
  EventClass type = any_event;
  bool fault = false;  // an error.lua of the engine's own: somebody must take it
};

// First in, first out; keeps its memory.
class InternalQueue {
 public:
  bool empty() const { return first_ == events_.size(); }
  std::size_t size() const { return events_.size() - first_; }
  void push(Internal event) { events_.push_back(std::move(event)); }
  Internal pop() {
    Internal event = std::move(events_[first_++]);
    if (empty()) clear();
    return event;
  }
  void clear() {
    events_.clear();
    first_ = 0;
  }
  auto begin() const { return events_.begin() + static_cast<std::ptrdiff_t>(first_); }
  auto end() const { return events_.end(); }

 private:
  std::vector<Internal> events_;
  std::size_t first_ = 0;
};

// More than 25 names: it holds the whole state of a machine, what a macrostep changes of it, and
// what is needed to take that back.
struct MachineInstance {
  MachineInstance(const MachineTable& table, MachineInstance* parent, model::StateId owner,
                  std::uint32_t item = 0);

  const model::Machine& machine() const { return table->machine; }
  // "TASK_EXECUTING#1/CODE_REVIEW#3"; of the machine itself: the instance's path.
  std::string path_of(model::StateId state) const;
  // "TASK_PLANNING#2/after:1"; of the machine's own timer: "./after:1" in the instance.
  std::string path_of(const PendingTimer& timer) const;
  std::string path_of(const Send& send) const;
  // "PANEL#1[2]"
  std::string path_of(model::StateId state, std::uint32_t item) const;
  // Is this entry of the state the current one?
  bool is_current(model::StateId state, std::uint32_t entry) const {
    return active.has(state) && entries[state] == entry;
  }
  // The machines that the state delegates to and that run, in the order of their items.
  std::span<const std::unique_ptr<MachineInstance>> children_of(model::StateId state) const;
  // The item's machine, or the state's where it has no items (0); null where it does not run.
  MachineInstance* child_of(model::StateId state, std::uint32_t item) const;
  MachineInstance& adopt(std::unique_ptr<MachineInstance> child);
  std::unique_ptr<MachineInstance> release(const MachineInstance& child);
  // The state's for_each, if that is under way.
  Batch* batch_of(model::StateId state);

  // All changes of a macrostep go through these, so that `take_back` can undo them.
  void enter(model::StateId state) {
    active.add(state);
    ++entries[state];
    undo.changes.push_back({Undo::Change::entered, state});
  }
  void leave(model::StateId state) {
    active.remove(state);
    undo.changes.push_back({Undo::Change::left, state});
  }
  void set_running(model::StateId state, bool runs);
  Pending& change_pending() { return keep(pending, undo.pending); }
  std::vector<Remembered>& change_history() { return keep(history, undo.history); }
  std::vector<Batch>& change_batches() { return keep(batches, undo.batches); }
  void take_back();
  void forget_changes() {
    undo.changes.clear();
    undo.pending.reset();
    undo.history.reset();
    undo.batches.reset();
  }

  const MachineTable* table;
  MachineInstance* parent;    // null: the root
  model::StateId owner;       // the parent's state that delegates
  std::uint32_t owner_entry;  // which entry of it
  std::uint32_t item;         // which item of its for_each, from 1; 0: it has none
  int depth;
  std::string path;  // empty: the root

  StateSet active;
  StateSet running;  // states whose activity, an effect, was ordered and has not ended
  Pending pending;
  std::vector<Remembered> history;
  std::vector<std::uint32_t> entries;  // how often each state was entered
  std::unique_ptr<Data> data;
  // In document order of their owners, and of the items.
  std::vector<std::unique_ptr<MachineInstance>> children;
  std::vector<Batch> batches;

  // What follows belongs to the macrostep under way.
  Undo undo;
  bool data_marked = false;
  std::vector<model::TransitionId> faulted;  // guards that raised errors since the last microstep
  std::vector<std::unique_ptr<MachineInstance>> cancelled;
  InternalQueue internal;
  Internal current;  // taken from it last
  EntrySet entering;
  Walk walk;
  StateSet unstarted;  // states entered whose timers and activities have not started
  const Event* event = nullptr;
  model::StateId reached = model::none;  // the final state that ends it
  bool ended = false;

 private:
  // Gives what is now, of which the first call in a macrostep keeps a copy.
  template <typename T>
  static T& keep(T& now, std::optional<T>& before) {
    if (!before) before = now;
    return now;
  }
};

}  // namespace agneto::chart
