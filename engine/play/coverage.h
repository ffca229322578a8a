// What of the machines tests have come by: states, transitions, guards both ways, verdicts.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "chart/evaluator.h"
#include "play/macrostep.h"

namespace agneto::play {

// What was come by of one machine. Everything by its id.
struct MachineCoverage {
  std::shared_ptr<const model::System> system;  // keeps the machine
  const model::Machine* machine = nullptr;
  std::vector<int> states;                  // how often entered; the machine itself: 0
  std::vector<int> transitions;             // how often taken
  std::vector<std::pair<int, int>> guards;  // by transition: how often false, and true
  std::map<std::pair<model::StateId, std::string>, int> verdicts;  // how often given

  struct Share {
    int covered = 0, total = 0;
    // Rounded down, so that 100 is all of it; 100 where there is nothing.
    int percent() const { return total == 0 ? 100 : covered * 100 / total; }
  };
  Share of_states() const;  // without histories, which are never entered
  Share of_transitions() const;
  Share of_guards() const;  // each counts twice: once true, once false
  Share of_verdicts() const;
};

// What was come by of all machines that are played, by their files. Not thread-safe.
class Coverage {
 public:
  // Makes the machines of a system known.
  void add(const std::shared_ptr<const model::System>& system);

  void note(const Macrostep& step, const model::System& system);
  void verdict(const model::Machine& machine, model::StateId state, const std::string& name);
  void guard(const model::Machine& machine, model::CodeId code, bool result);

  const std::map<std::string, MachineCoverage>& machines() const { return machines_; }

 private:
  MachineCoverage& of(const model::Machine& machine) { return machines_.at(machine.file.string()); }

  std::map<std::string, MachineCoverage> machines_;
};

// The same evaluator, whose guards are noted. All outlive it.
class WatchedEvaluator : public chart::Evaluator {
 public:
  WatchedEvaluator(chart::Evaluator& evaluator, const model::System& system, Coverage& coverage)
      : evaluator_(evaluator), system_(system), coverage_(coverage) {}

  std::unique_ptr<chart::Data> create(model::MachineId machine, const Json& inputs,
                                      chart::Scope& scope,
                                      std::optional<chart::Fault>& fault) override;
  Json save(const chart::Data& data) override { return evaluator_.save(data); }
  std::unique_ptr<chart::Data> restore(model::MachineId machine, const Json& saved) override;
  bool test(chart::Data& data, model::CodeId code, chart::Scope& scope,
            std::optional<chart::Fault>& fault) override;
  void run(chart::Data& data, model::CodeId code, chart::Scope& scope,
           std::optional<chart::Fault>& fault) override {
    evaluator_.run(data, code, scope, fault);
  }
  Json value(chart::Data& data, model::CodeId code, chart::Scope& scope,
             std::optional<chart::Fault>& fault) override {
    return evaluator_.value(data, code, scope, fault);
  }
  void mark(chart::Data& data) override { evaluator_.mark(data); }
  void rollback(chart::Data& data) override { evaluator_.rollback(data); }

 private:
  chart::Evaluator& evaluator_;
  const model::System& system_;
  Coverage& coverage_;
  std::map<const chart::Data*, model::MachineId> machines_;  // whose data; the last one's there
};

// "flow.yaml:4: never taken: A, go [ctx.n < 3] -> B": what is left out, a line each, in document
// order; what is in a file that is extended comes last.
std::vector<std::string> missing(const MachineCoverage& coverage);

// As `agneto test --coverage-file` writes it; docs/testing.md describes it.
Json to_json(const Coverage& coverage);

// Does this, one of the `machines` in there, fit the machine as it is now: has each transition the
// same place, trigger, guard and targets? Throws Json::exception where it is no such part.
bool is_of(const Json& part, const model::Machine& machine);

}  // namespace agneto::play
