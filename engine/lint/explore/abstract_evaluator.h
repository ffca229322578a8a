// The language of guards and actions, as far as it can be worked out without running it. What
// cannot be worked out is a choice point, and goes either way.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "chart/snapshot.h"
#include "chart/state_set.h"
#include "lint/explore/abstract_lua.h"

namespace agneto::lint {

class AbstractEvaluator : public chart::Evaluator, public chart::Packer {
 public:
  // `machine` is `system.main()` of the chart that uses this. `known`: the inputs that
  // it begins with. All must outlive it.
  AbstractEvaluator(const LintContext& context, const Machine& machine,
                    const std::set<std::string>& known, ChoicePoints& choices);

  // What was done since `followed` was last cleared.
  Followed& followed() { return followed_; }
  const Comparisons& comparisons() const { return comparisons_; }
  // Forgets names that do not matter with these states active.
  void forget(chart::Data& data, const chart::StateSet& active) const;
  // Does the expression hold? Nothing where that is not known.
  std::optional<bool> holds(const chart::Data& data, CodeId code, const chart::Scope& scope) const;

  std::unique_ptr<chart::Data> create(model::MachineId machine, const Json& inputs,
                                      chart::Scope& scope,
                                      std::optional<chart::Fault>& fault) override;
  // What is explored is packed, and never saved.
  Json save(const chart::Data&) override { return nullptr; }
  std::unique_ptr<chart::Data> restore(model::MachineId, const Json&) override { return nullptr; }
  bool test(chart::Data& data, CodeId code, chart::Scope& scope,
            std::optional<chart::Fault>& fault) override;
  void run(chart::Data& data, CodeId code, chart::Scope& scope,
           std::optional<chart::Fault>& fault) override;
  // Null where it is not known; else of the form that the interpreter wants.
  Json value(chart::Data& data, CodeId code, chart::Scope& scope,
             std::optional<chart::Fault>& fault) override;
  void mark(chart::Data& data) override;
  void rollback(chart::Data& data) override;

  void pack(const chart::Data& data, std::string& out) const override;
  std::unique_ptr<chart::Data> unpack(std::string_view& bytes) const override;

 private:
  AbstractReader reader(const AbstractData& data, const chart::Scope& scope) const;

  const LintContext& context_;
  const Machine& machine_;
  ChoicePoints& choices_;
  const AbstractNames names_;
  mutable Texts texts_;
  std::vector<InputValues> beginnings_;
  Followed followed_;
  mutable Comparisons comparisons_;
};

}  // namespace agneto::lint
