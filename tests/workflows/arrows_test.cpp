// Every arrow of the two diagrams and every row of their tables, by name; and the proof that no
// transition of the two machines is without a case.
#include <gmock/gmock.h>

#include "execution_cases.h"
#include "task_cases.h"

namespace agneto::workflows {
namespace {

class TaskArrow : public testing::TestWithParam<Case> {};
TEST_P(TaskArrow, Leads) {
  check(task_workflow(), GetParam());
}
TEST_P(TaskArrow, CanBeAbortedAnywhere) {
  check_aborts(task_workflow(), GetParam());
}
INSTANTIATE_TEST_SUITE_P(TaskMachine, TaskArrow, testing::ValuesIn(task_cases()), case_name);

class ExecutionArrow : public testing::TestWithParam<Case> {};
TEST_P(ExecutionArrow, Leads) {
  check(execution_workflow(), GetParam());
}
TEST_P(ExecutionArrow, CanBeAbortedAnywhere) {
  check_aborts(execution_workflow(), GetParam());
}
INSTANTIATE_TEST_SUITE_P(ExecutionMachine, ExecutionArrow, testing::ValuesIn(execution_cases()),
                         case_name);

void take(const Workflow& workflow, const std::vector<Case>& cases, Play::Taken& taken) {
  for (const auto& row : cases) {
    Play play = start(workflow, row);
    play.steps(row.steps);
    taken.insert(play.taken().begin(), play.taken().end());
  }
}

TEST(Arrows, NoTransitionIsWithoutACase) {
  Play::Taken taken;
  take(task_workflow(), task_cases(), taken);
  take(execution_workflow(), execution_cases(), taken);

  std::vector<std::string> untaken;
  for (const auto& machine : task_workflow().system->machines) {
    for (model::TransitionId id = 0; id < machine.transitions.size(); ++id) {
      if (taken.contains({machine.name, id})) continue;
      const auto& transition = machine.transitions[id];
      untaken.push_back(machine.file.filename().string() + ":" +
                        std::to_string(transition.span.line()) + ": from " +
                        machine.state(transition.source).name);
    }
  }
  EXPECT_THAT(untaken, testing::IsEmpty());
}

// Everything that an activity can end in. A question ends in its options only.
std::vector<std::string> outcomes(const model::System& system, const model::Activity& activity) {
  std::vector<std::string> all;
  if (const auto* ask = std::get_if<model::Ask>(&activity)) {
    for (const auto& option : ask->options) all.push_back(option.name);
    if (all.empty()) all.push_back("answered");
    return all;
  }
  if (const auto* call = std::get_if<model::AgentCall>(&activity)) {
    for (const auto& verdict : call->verdicts) all.push_back(verdict.name);
  } else if (const auto* delegate = std::get_if<model::Delegate>(&activity)) {
    for (const auto& state : system.machine(delegate->machine).states) {
      if (state.kind == model::StateKind::final) all.push_back(state.outcome);
    }
  } else if (std::holds_alternative<model::Program>(activity)) {
    all = {"ok", "failed", "error.timeout"};
  } else {
    all = {"ok", "failed", "conflict"};
  }
  all.push_back("error.exit");
  return all;
}

bool takes(const model::Machine& machine, model::StateId id, const std::string& event) {
  for (; id != model::none; id = machine.state(id).parent) {
    for (auto transition : machine.state(id).on) {
      if (machine.transitions[transition].guard != model::none) continue;
      for (const auto& descriptor : machine.transitions[transition].events) {
        if (model::matches(descriptor, event)) return true;
      }
    }
  }
  return false;
}

TEST(Arrows, NoOutcomeIsUnhandled) {
  const auto& system = *task_workflow().system;
  for (const auto& machine : system.machines) {
    for (const auto& state : machine.states) {
      if (!state.has_activity()) continue;
      for (const auto& outcome : outcomes(system, state.activity)) {
        EXPECT_TRUE(takes(machine, state.id, outcome)) << state.name << " ends in " << outcome;
      }
    }
  }
}

TEST(Arrows, NoFinalStateIsWithoutACase) {
  std::set<std::string> reached;
  for (const auto& row : task_cases()) reached.insert(row.leads);
  for (const auto& row : execution_cases()) reached.insert(row.leads);
  for (const auto& machine : task_workflow().system->machines) {
    for (const auto& state : machine.states) {
      if (state.kind != model::StateKind::final) continue;
      EXPECT_TRUE(reached.contains(state.outcome)) << state.name;
    }
  }
}

}  // namespace
}  // namespace agneto::workflows
