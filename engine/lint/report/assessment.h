// What was explored of a workflow, and the worst that a run of it can come to: `agneto lint
// --report`.
#pragma once

#include <string>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "lint/explore/worst_case.h"
#include "model/machine.h"

namespace agneto::lint {

// Whether an invariant holds, and what that rests on.
struct Proof {
  enum class Result { proved, broken, open };
  int line = 0;  // of the invariant
  Result result = Result::proved;
  bool fair = false;         // on fair runs alone
  Json inputs;               // those that are numbers, with the defaults that they have there
  std::vector<int> but_for;  // lines of Lua in which an error might change that
};

struct Assessment {
  struct Machine {
    std::string name;
    std::string file;
    std::size_t configurations = 0;
    std::size_t inputs = 0;  // how many different ones it is given
    Exploration::Extent extent = Exploration::Extent::complete;
    WorstCase worst;  // of the inputs that it is given; where it is complete
    std::vector<Proof> invariants;
  };
  std::string file;
  std::vector<Machine> machines;  // the one that is run first
  model::Limits limits;           // its

  std::size_t configurations() const;
  bool complete() const;
};

// Explores the workflow as it is run, with the defaults of inputs that are numbers. `library`: as
// of `lint`.
Assessment assess(const model::System& system, const Files& files, const fs::path& library);

std::string to_text(const Assessment& assessment);
Json to_json(const Assessment& assessment);

}  // namespace agneto::lint
