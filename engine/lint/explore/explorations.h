// What was explored of a workflow's machines, each once for what it is given.
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
  // The subject must outlive it. `budget`: of all that is explored together.
  Explorations(const Subject& subject, Numbers numbers, std::size_t budget);

  // The machine as one that is run.
  const Exploration& of(const model::Machine& machine);

  // Of machines that delegate to themselves nothing is known while they are explored, nor of those
  // that too many delegate to before.
  const Exploration* given(model::MachineId machine, const Json& inputs,
                           const chart::RunInfo& run) override;

  // Those of `of`, and those that machines delegate to: every one that was explored so far.
  struct Explored {
    const model::Machine* machine = nullptr;
    bool run = false;  // as one that is run
    Exploration exploration;
  };
  const std::vector<std::unique_ptr<Explored>>& all() const { return all_; }

 private:
  struct Reads {  // of `run`
    bool interactive = false;
    bool auto_merge = false;
  };

  const Exploration& explored(const model::Machine& machine, const std::string& key,
                              std::vector<Beginning> beginnings, bool run);
  std::vector<Beginning> starts(const model::Machine& machine) const;
  Reads reads(const model::Machine& machine) const;
  Json value_of(const model::Machine& machine, const model::Variable& input) const;

  const Subject& subject_;
  const Numbers numbers_;
  Budget budget_;
  std::vector<Reads> reads_;  // by MachineId, with those that it delegates to
  std::vector<std::unique_ptr<Explored>> all_;
  std::map<std::string, Explored*> known_;  // null: under way
  int depth_ = 0;                           // how many are
};

}  // namespace agneto::lint
