// The finite part of a machine's data: what its guards can be told without running any Lua.
//
// Known are booleans, choices, numbers and texts that a parse shows to come from literals and from
// each other. Everything else is opaque: a guard on it goes either way, and the explorer tries
// both.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "chart/evaluator.h"
#include "lint/subject.h"

namespace agneto::lint {

// Answers questions that cannot be worked out: each way of answering those of one step is tried in
// its own turn.
class Oracle {
 public:
  bool ask();
  // On to the next way; false: all were tried.
  bool next();
  // To the first way.
  void reset() { answers_.clear(), at_ = 0; }
  bool was_asked() const { return !answers_.empty(); }

 private:
  std::vector<bool> answers_;
  std::size_t at_ = 0;
};

class FiniteEvaluator : public chart::Evaluator {
 public:
  // Of one machine, which is `system.main()` of the chart that uses this. Both must outlive it.
  FiniteEvaluator(const Subject& subject, const model::Machine& machine, Oracle& oracle);

  // Did an action do something that cannot be followed, such as to raise an event whose name is
  // not written out? Then what was explored is not all there is.
  bool lost() const { return lost_; }

  std::unique_ptr<chart::Data> create(model::MachineId machine, const Json& inputs,
                                      chart::Scope& scope,
                                      std::optional<chart::Fault>& fault) override;
  Json save(const chart::Data& data) override;
  std::unique_ptr<chart::Data> restore(model::MachineId machine, const Json& saved) override;
  bool test(chart::Data& data, model::CodeId code, chart::Scope& scope,
            std::optional<chart::Fault>& fault) override;
  void run(chart::Data& data, model::CodeId code, chart::Scope& scope,
           std::optional<chart::Fault>& fault) override;
  Json value(chart::Data& data, model::CodeId code, chart::Scope& scope,
             std::optional<chart::Fault>& fault) override;
  void mark(chart::Data& data) override;
  void rollback(chart::Data& data) override;

 private:
  const Subject& subject_;
  const model::Machine& machine_;
  Oracle& oracle_;
  std::set<std::string> relevant_;  // context entries that guards depend on
  bool lost_;
};

}  // namespace agneto::lint
