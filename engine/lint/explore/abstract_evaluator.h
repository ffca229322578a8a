// The language of guards and actions, as far as it can be worked out without running it. What
// cannot be worked out is a choice point, and goes either way.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "chart/snapshot.h"
#include "chart/state_set.h"
#include "lint/explore/abstract_lua.h"

namespace agneto::lint {

class AbstractEvaluator : public chart::Evaluator, public chart::Packer {
 public:
  // `machine` is `system.main()` of the chart that uses this. All must outlive it.
  AbstractEvaluator(const LintContext& context, const Machine& machine, Following& following)
      : context_(context), machine_(machine), following_(following) {}

  // Forgets names that do not matter with these states active.
  void forget(chart::Data& data, const chart::StateSet& active) const;
  // Does the expression hold? Nothing where that is not known.
  std::optional<bool> holds(chart::Data& data, CodeId code, chart::Scope& scope);
  std::optional<bool> holds(chart::Data& data, const Node& expression, chart::Scope& scope);

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
  // Is this where it fails? Then notes so.
  bool fails(CodeId code, std::optional<chart::Fault>& fault);
  Value value_of(CodeId code, AbstractData& data, chart::Scope& scope);

  const LintContext& context_;
  const Machine& machine_;
  Following& following_;
};

}  // namespace agneto::lint
