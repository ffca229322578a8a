// Machines that start, reach their end, fail or are cancelled.
#include "chart/interpreter.h"

namespace agneto::chart {

using model::StateId;

namespace {

std::size_t count_machines(const MachineInstance& m) {
  std::size_t count = 1;
  for (const auto& child : m.children) count += count_machines(*child);
  return count;
}

}  // namespace

// Machines that start two of their kind each would soon be more than there is memory for.
std::string Interpreter::why_full() const {
  if (count_machines(*tree_.root) < max_machines) return {};
  return "more than " + std::to_string(max_machines) + " machines are at work at the same time";
}

void Interpreter::start_machine(MachineInstance& m, const Json& inputs) {
  begin();
  InstanceScope scope(*this, m);
  std::optional<Fault> fault;
  m.data = evaluator_.create(m.machine().id, inputs, scope, fault);
  if (fault) raise_fault(m, 0, *fault);
  m.entering.states.add(0);
  complete_entry_set(m);
  enter_all(m);
  if (m.reached != model::none) return finish(m);
  Transitions& chosen = tree_.scratch.chosen;
  chosen.clear();
  settle(m, chosen);
  m.event = nullptr;
}

// The outputs are what the machine's data say once its last exit block is done.
void Interpreter::finish(MachineInstance& m) {
  const model::State& final_state = m.machine().state(m.reached);
  exit_all(m);
  Json outputs = outputs_of(m, m.machine().outputs, 0);
  outputs.update(outputs_of(m, final_state.outputs, final_state.id));
  end(m, {final_state.outcome, final_state.status, std::move(outputs), {}});
}

Json Interpreter::outputs_of(MachineInstance& m, const std::vector<model::Binding>& outputs,
                             StateId state) {
  Json all = Json::object();
  for (const model::Binding& output : outputs) {
    std::optional<Fault> fault;
    all[output.name] = value(m, output.value, fault);
    if (fault) raise_fault(m, state, *fault);
  }
  return all;
}

void Interpreter::fail(MachineInstance& m, std::string event, Json data) {
  std::string message = data["message"].get<std::string>();
  out_.problems.push_back({m.path, event, message});
  exit_all(m);
  if (m.parent) {
    end(m, {std::move(event), model::FinalStatus::failed, std::move(data), {}});
  } else {
    end(m, {std::move(event), model::FinalStatus::failed, Json::object(), std::move(message)});
  }
}

// Nothing idles for ever: a state whose activity has ended and that stays would.
void Interpreter::fail_unhandled(MachineInstance& m, StateId owner, const Event& outcome) {
  const std::string& state = m.machine().state(owner).name;
  std::string message = state + " ended in '" + outcome.name + "', which no transition takes";
  const Json& cause = member(outcome.data, "message");
  if (cause.is_string()) message += ": " + cause.get<std::string>();
  fail(m, "error.unhandled",
       {{"event", outcome.name}, {"state", state}, {"message", std::move(message)}});
}

void Interpreter::cancel(MachineInstance& child) {
  commit(child);
  exit_all(child);
  drop_pending(child);
  child.parent->cancelled.push_back(child.parent->release(child));
}

void Interpreter::end(MachineInstance& m, Finish finish) {
  hand_over(m);
  drop_pending(m);
  commit(m);
  m.ended = true;
  if (!m.parent) {
    out_.effects.push_back(std::move(finish));
    tree_.finished = true;
    return;
  }
  if (m.item > 0) {
    end_item(*m.parent, m.owner, m.item, std::move(finish));
  } else {
    queue_outcome(*m.parent, m.owner, m.owner_entry, std::move(finish.outcome),
                  std::move(finish.outputs));
  }
  tree_.scratch.dead.push_back(m.parent->release(m));
}

// The machine is over: drops what was to come, and tells the errors that nobody can take any more.
void Interpreter::drop_pending(MachineInstance& m) {
  Pending& pending = m.change_pending();
  for (const Send& send : pending.sends) out_.effects.push_back(Cancel{m.path_of(send)});
  pending.sends.clear();
  pending.queue.clear();
  pending.addressed = 0;
  for (const Internal& internal : m.internal) {
    if (internal.fault) report_fault(internal.event);
  }
  m.internal.clear();
}

void Interpreter::queue_outcome(MachineInstance& m, StateId owner, std::uint32_t entry,
                                std::string name, Json data) {
  Event event{.kind = Event::Kind::outcome,
              .name = std::move(name),
              .data = std::move(data),
              .path = m.path_of(owner)};
  m.pending.queue.push_back({tree_.arrivals++, std::move(event), owner, entry, {}});
  ++m.pending.addressed;
}

}  // namespace agneto::chart
