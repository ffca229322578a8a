// What `run` and `resume` share: who watches, who answers, and working until the end.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "run/assembly.h"

namespace agneto::cli {

struct Manner {
  fs::path folder;                       // where
  bool json = false;                     // events as JSON lines on standard output
  bool interactive = true;               // false: nobody is asked, whatever the terminal
  Json answers;                          // a cassette's answers; null: none
  std::vector<std::string> faults = {};  // that it is played with; those that never strike are told
};

// Makes observer and person, calls `assemble` with them, works.
ExitStatus work(
    const Manner& manner,
    const std::function<std::unique_ptr<run::Assembly>(run::Human&, record::Observer&)>& assemble);

// Is there a person at this terminal?
bool somebody_there();

}  // namespace agneto::cli
