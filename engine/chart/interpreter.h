// The work of one step on an instance tree. Each .cpp holds one part of it, named after the part
// of SCXML's appendix D that it is.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chart/machine_instance.h"
#include "chart/step.h"

namespace agneto::chart {

// A transition with targets that is being taken.
struct Move {
  model::StateId domain;
  model::TransitionId transition;
};

// Buffers that outlive a step so that a step need not allocate them.
struct Scratch {
  std::vector<model::TransitionId> chosen;
  std::vector<model::TransitionId> enabled;
  std::vector<model::StateId> domains;  // of `chosen`, while conflicts are removed
  std::vector<Move> moves;
  std::vector<model::StateId> targets;
  // What follows is for the whole step:
  std::vector<std::unique_ptr<MachineInstance>> dead;  // ended in it
  std::vector<std::string> changed;                    // states whose batches go on
};

// Most internal events of one macrostep: far more than a chart at work raises, so that code that
// raises events while nothing moves ends too.
inline constexpr std::size_t max_internal_events = 100 * max_microsteps;

// Most events that a machine has sent and that wait: for their turn, and for their time. As many
// wait at most that have come from the machines inside it.
inline constexpr std::size_t max_sent = 1000;

// Most data of the events that a step sends and raises, in bytes: those that wait are in the
// journal.
inline constexpr std::size_t max_sent_size = 16u << 20;

// Most machines delegating to one another at a time, and most machines at a time.
inline constexpr int max_depth = 20;
inline constexpr std::size_t max_machines = 1000;

// Most machines that a step starts for items: those of machines that start machines for items end.
inline constexpr int max_items_started = 10'000;

class Chart::Impl {
 public:
  Impl(const model::System& the_system, Evaluator& the_evaluator, Options the_options)
      : system(the_system),
        evaluator(the_evaluator),
        options(the_options),
        tables(system.machines.begin(), system.machines.end()) {}

  const model::System& system;
  Evaluator& evaluator;
  const Options options;
  const std::vector<MachineTable> tables;  // by machine
};

class Instance::Impl {
 public:
  Impl(const Chart::Impl& the_chart, RunInfo the_run) : chart(the_chart), run(std::move(the_run)) {}

  const Chart::Impl& chart;
  RunInfo run;
  std::unique_ptr<MachineInstance> root;  // null before the start
  std::uint64_t arrivals = 0;             // events queued so far
  bool finished = false;
  std::vector<ActiveState> last;  // once finished: the configuration before the final exits
  Scratch scratch;

  // The machine instance with that path; null if there is none.
  MachineInstance* find(std::string_view path) const;
};

// A path, read: which instance, and what in it.
struct Address {
  MachineInstance* instance = nullptr;
  model::StateId state = model::none;  // none for a send
  std::uint32_t item = 0;              // from 1; 0: no item
  std::optional<std::uint32_t> timer;  // from 0
  std::optional<std::string> send;
};
// Nothing where the path names no instance or state of the tree.
std::optional<Address> locate(const Instance::Impl& tree, std::string_view text);

// More than 25 names: the parts of the algorithm call one another, on one tree and one list of
// effects, and each has a file of its own.
class Interpreter {
 public:
  Interpreter(Instance::Impl& tree, Effects& out)
      : tree_(tree), evaluator_(tree.chart.evaluator), out_(out) {
    out_.clear();
  }

  void start(const Json& inputs);
  void step(const Event& event);
  void abort(std::string reason);

 private:
  friend class InstanceScope;
  friend class Preparation;
  using Transitions = std::vector<model::TransitionId>;

  // routing.cpp: which instance an event is for.
  bool offer(MachineInstance& m, const Event& event);
  bool offer_to_one(const Event& event);
  bool deliver_outcome(const Event& event);
  bool deliver_timer(const Event& event);
  bool deliver_queued();
  void tell_of(const Event& event);
  bool pass_on(MachineInstance& m, Event event, const Recipient& to);
  bool tell_undelivered(MachineInstance& m, const Event& event, const Recipient& to);
  void hand_over(MachineInstance& m);
  void conclude() {
    const Scratch& scratch = tree_.scratch;
    if (!scratch.changed.empty() || !scratch.dead.empty() || tree_.finished) follow_ends();
  }
  void follow_ends();

  // selection.cpp: which transitions are enabled, and may be taken together.
  void select(MachineInstance& m, EventClass event, Transitions& chosen);
  void select_from(MachineInstance& m, model::StateId owner, EventClass event, Transitions& chosen);
  model::TransitionId first_enabled(MachineInstance& m, model::StateId state, EventClass event);
  model::TransitionId first_upwards(MachineInstance& m, model::StateId from, EventClass event);
  model::TransitionId walk_up(MachineInstance& m, model::StateId leaf, EventClass event);
  bool guard_holds(MachineInstance& m, model::TransitionId transition);
  bool test_guard(MachineInstance& m, model::TransitionId transition, model::CodeId guard);
  void remove_conflicts(MachineInstance& m, const Transitions& enabled, Transitions& chosen);

  // targets.cpp: history, domains and entry sets.
  void resolve(MachineInstance& m, const std::vector<model::StateId>& targets,
               std::vector<model::StateId>& resolved, std::vector<model::StateId>* defaults) const;
  model::StateId domain(MachineInstance& m, model::TransitionId transition);
  void add_targets(MachineInstance& m, const std::vector<model::StateId>& targets,
                   model::StateId below);
  void complete_entry_set(MachineInstance& m);

  // microstep.cpp: leaving, acting, entering.
  void microstep(MachineInstance& m, const Transitions& chosen);
  void move(MachineInstance& m, const Transitions& chosen);
  void enter_fixed(MachineInstance& m, const MachineTable::Transition& transition);
  void act(MachineInstance& m, model::TransitionId transition);
  void note_taken(const MachineInstance& m, model::TransitionId transition);
  void note_moved(const MachineInstance& m, model::StateId state, bool entered);
  void remember(MachineInstance& m, const std::vector<Move>& moves);
  void exit_below(MachineInstance& m, model::StateId domain);
  void exit_state(MachineInstance& m, model::StateId state);
  void stop(MachineInstance& m, model::StateId state);
  void exit_all(MachineInstance& m);
  void enter_all(MachineInstance& m);
  void enter_state(MachineInstance& m, model::StateId state, bool by_default);
  void reach_final(MachineInstance& m, model::StateId final_state);
  Json outputs_of(MachineInstance& m, const std::vector<model::Binding>& outputs,
                  model::StateId state);
  bool is_done(const MachineInstance& m, model::StateId state) const;

  // macrostep.cpp: one event until the machine is at rest.
  // `owner`: the state that the event is addressed to, or none. Was the event taken?
  bool process(MachineInstance& m, const Event& event, model::StateId owner);
  bool fire(MachineInstance& m, const PendingTimer& timer, const Event& event);
  bool hop(MachineInstance& m, const Transitions& chosen);
  void settle(MachineInstance& m, Transitions& chosen);
  void begin() {
    mark_ = {out_.effects.size(), out_.transitions.size(), out_.moved.size(), out_.problems.size(),
             out_.caught.size()};
  }
  void commit(MachineInstance& m);
  void roll_back(MachineInstance& m);
  void livelock(MachineInstance& m, model::TransitionId last);

  // lifecycle.cpp: machines that start and end.
  void start_machine(MachineInstance& m, const Json& inputs);
  void finish(MachineInstance& m);
  void fail(MachineInstance& m, std::string event, Json data);
  void fail_unhandled(MachineInstance& m, model::StateId owner, const Event& outcome);
  void cancel(MachineInstance& child);
  std::string why_full() const;  // no machine can start; empty: one can
  void end(MachineInstance& m, Finish finish);
  void drop_pending(MachineInstance& m);
  void queue_outcome(MachineInstance& m, model::StateId owner, std::uint32_t entry,
                     std::string name, Json data);

  // activities.cpp: what the states entered ask of the world.
  void start_activities(MachineInstance& m);
  void start_timer(MachineInstance& m, const PendingTimer& timer);
  void start_activity(MachineInstance& m, model::StateId state);
  void refuse(MachineInstance& m, model::StateId state, const char* error, std::string message);
  void delegate(MachineInstance& m, model::StateId state, const model::Delegate& activity);
  std::optional<Json> inputs_for(MachineInstance& m, const model::Delegate& to, const Item* item,
                                 std::string& why);

  // for_each.cpp: one machine for each item of a list.
  void start_batch(MachineInstance& m, model::StateId state, const model::ForEach& loop);
  void advance(MachineInstance& m, model::StateId state);
  std::uint32_t count(MachineInstance& m, const model::Count& of, int least,
                      std::optional<Fault>& fault);
  void start_item(MachineInstance& m, Batch& batch, const model::ForEach& loop);
  void run_item(MachineInstance& m, Batch& batch, std::uint32_t item);
  void refuse_item(MachineInstance& m, Batch& batch, std::uint32_t item, const char* error,
                   Json data);
  void end_item(MachineInstance& m, model::StateId state, std::uint32_t item, Finish finish);
  void cancel_items(MachineInstance& m, Batch& batch);
  void join(MachineInstance& m, Batch& batch, const model::ForEach& loop);
  void finish_batch(MachineInstance& m, Batch& batch);
  void drop_batch(MachineInstance& m, model::StateId state);
  bool deliver_opened(const Address& at, const Event& event);
  bool deliver_joined(MachineInstance& m, Batch& batch, const Event& event);

  // actions.cpp: running code.
  void run_blocks(MachineInstance& m, const std::vector<model::CodeId>& blocks,
                  model::StateId state);
  Json value(MachineInstance& m, model::CodeId code, std::optional<Fault>& fault,
             const Item* item = nullptr);
  void raise(MachineInstance& m, Event event, bool fault = false);
  void raise_fault(MachineInstance& m, model::StateId state, const Fault& fault);
  void report_fault(const Event& error);
  void note_caught(const Event& error);
  // Has the step room for data that code sends or raises?
  bool takes(const Json& data);
  Sent send(MachineInstance& m, Outgoing sent);
  bool is_reserved(const MachineInstance& m, const Outgoing& sent) const;
  void cancel_send(MachineInstance& m, const std::string& id);

  Instance::Impl& tree_;
  Evaluator& evaluator_;
  Effects& out_;
  int items_started_ = 0;      // in this step
  std::size_t sent_size_ = 0;  // the same: of the data that was sent and raised
  struct Sizes {
    std::size_t effects = 0, transitions = 0, moved = 0, problems = 0, caught = 0;
  } mark_;  // of `out_` when the macrostep began
};

// What the code of one machine instance sees and can do.
class InstanceScope final : public Scope {
 public:
  InstanceScope(Interpreter& interpreter, MachineInstance& m, const Item* item = nullptr)
      : interpreter_(interpreter), m_(m), item_(item) {}

  const RunInfo& run() const override { return interpreter_.tree_.run; }
  const Event* event() const override { return m_.event; }
  const Item* item() const override { return item_; }
  bool in(const std::string& state) const override {
    const model::StateId id = m_.machine().find(state);
    return id != model::none && m_.active.has(id);
  }
  // Past the bound the macrostep is lost anyway.
  Sent raise(std::string event, Json data) override {
    if (m_.internal.size() > max_internal_events) return Sent::yes;
    if (!interpreter_.takes(data)) return Sent::too_much;
    interpreter_.raise(m_, {.name = std::move(event), .data = std::move(data), .path = {}});
    return Sent::yes;
  }
  Sent send(Outgoing sent) override { return interpreter_.send(m_, std::move(sent)); }
  void cancel(const std::string& id) override { interpreter_.cancel_send(m_, id); }

 private:
  Interpreter& interpreter_;
  MachineInstance& m_;
  const Item* item_;
};

// The active states of a machine and of those it delegates to.
std::vector<ActiveState> configuration_of(const MachineInstance& m);

// "file:line: message", as far as there is a place.
std::string to_text(const Fault& fault);
// A value where text is wanted: strings as they are, null as nothing, others as JSON.
std::string as_text(const Json& value);

}  // namespace agneto::chart
