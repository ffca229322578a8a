// Working on a run until it ends, for commands that start it or go on with it: who watches, who
// answers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "run/rewind.h"

namespace agneto::cli {

struct Manner {
  bool json = false;                     // events as JSON lines on standard output
  bool interactive = true;               // false: nobody is asked, whatever the terminal
  Json answers = {};                     // a cassette's answers; null: none
  std::vector<std::string> faults = {};  // that it is played with; those that never strike are told
};

// Makes observer and person, calls `assemble` with them, works.
ExitStatus work(
    const Context& context, const Manner& manner,
    const std::function<std::unique_ptr<run::Assembly>(run::Human&, record::Observer&)>& assemble);

// Goes on with a run, as 'agneto resume' does.
ExitStatus resume(const Context& context, const run::Reopen& request, const Manner& manner = {});

// Takes a run back and says so; on standard error where `json` has standard output for itself.
run::Restored rewind(const Context& context, const run::Moment& moment, bool json = false);

// Is there a person at this terminal?
bool somebody_there();

}  // namespace agneto::cli
