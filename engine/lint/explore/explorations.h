// The explorations of a workflow's machines, one for each set of inputs that a machine is given.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lint/explore/explore.h"

namespace agneto::lint {

class Explorations {
 public:
  // The context must outlive it. `budget`: of all that is explored together. `faults`: as of
  // `explore`.
  Explorations(const LintContext& context, Numbers numbers, std::size_t budget,
               bool faults = false);

  // The machine as one that is run.
  const Exploration& of(const Machine& machine) { return about(machine, nullptr); }
  // So, but that these names of its context alone are followed; null: all that matter.
  const Exploration& about(const Machine& machine, const std::set<std::string>* only);

  // The machine that another one delegates to, given these inputs. Null where it is not known
  // completely, for one that is being explored, as it delegates to itself, and for one behind too
  // long a chain of delegations. Lives as long as this.
  const Exploration* given(model::MachineId machine, const Json& inputs, const chart::RunInfo& run);

  // Those of `of`, and those that machines delegate to: every one that was explored so far.
  struct Explored {
    const Machine* machine = nullptr;
    Exploration exploration;
  };
  const std::deque<Explored>& all() const { return all_; }

 private:
  const Exploration& explored(const Machine& machine, const std::string& key,
                              std::vector<Beginning> beginnings,
                              const std::set<std::string>* only = nullptr);
  Json value_of(const Machine& machine, const model::Variable& input) const;

  const LintContext& context_;
  const Numbers numbers_;
  std::size_t budget_;
  const bool faults_;
  // By MachineId: what it reads of `run`, with those that it delegates to.
  std::vector<std::set<std::string>> reads_;
  std::deque<Explored> all_;
  std::map<std::string, const Exploration*> known_;  // null: under way
  int depth_ = 0;                                    // how many are
};

}  // namespace agneto::lint
