// The explorations of a workflow's machines, one for each set of inputs that a machine is given.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lint/explore/explore.h"

namespace agneto::lint {

// What inputs that are numbers are taken to be, where the machine is the one that is run.
enum class Numbers : unsigned {
  unknown,   // anything, so that what cannot be here cannot be at all
  small,     // few more than 2, so that bounds are soon reached; the larger the larger
  defaults,  // their defaults
};

class Explorations : public Delegations {
 public:
  // The context must outlive it. `budget`: of all that is explored together.
  Explorations(const LintContext& context, Numbers numbers, std::size_t budget);

  // The machine as one that is run.
  const Exploration& of(const Machine& machine);

  // Null for a machine that is being explored, as it delegates to itself, and for one behind too
  // long a chain of delegations.
  const Exploration* given(model::MachineId machine, const Json& inputs,
                           const chart::RunInfo& run) override;

  // Those of `of`, and those that machines delegate to: every one that was explored so far.
  struct Explored {
    const Machine* machine = nullptr;
    bool run = false;  // as one that is run
    Exploration exploration;
  };
  const std::vector<std::unique_ptr<Explored>>& all() const { return all_; }

 private:
  struct Reads {  // of `run`
    bool interactive = false;
    bool auto_merge = false;
  };

  const Exploration& explored(const Machine& machine, const std::string& key,
                              std::vector<Beginning> beginnings, bool run);
  std::vector<Beginning> starts(const Machine& machine) const;
  Reads reads(const Machine& machine) const;
  Json value_of(const Machine& machine, const model::Variable& input) const;

  const LintContext& context_;
  const Numbers numbers_;
  Budget budget_;
  std::vector<Reads> reads_;  // by MachineId, with those that it delegates to
  std::vector<std::unique_ptr<Explored>> all_;
  std::map<std::string, Explored*> known_;  // null: under way
  int depth_ = 0;                           // how many are
};

}  // namespace agneto::lint
