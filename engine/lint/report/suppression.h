// `# lint: ignore W405 -- the team is always there`: a finding that a file's author has judged.
//
// It stands at the end of the line that the finding is in, or on lines of its own before that line;
// in a block of Lua it is Lua's comment, `-- lint: ignore …`. It names warnings by code or name,
// several with commas between them, and gives a reason. Errors cannot be suppressed.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "lint/team/team_rules.h"
#include "model/machine.h"

namespace agneto::lint {

struct Suppression {
  std::vector<const Rule*> rules;
  std::string reason;
  Span span;     // the comment
  int line = 0;  // what it is about
};

// Those in a machine's file, or in one that it extends. What is wrong with one is reported, and it
// suppresses nothing. `team`: the rules of its own, which may be null.
std::vector<Suppression> suppressions(const model::Machine& machine, const SourcePtr& file,
                                      const TeamRules* team, Diagnostics& diagnostics);
// Those in a Lua file.
std::vector<Suppression> suppressions(const SourcePtr& module, const TeamRules* team,
                                      Diagnostics& diagnostics);
// Those in the team's configuration, where `# lint:` alone may be a section that is left out.
std::vector<Suppression> suppressions_in_configuration(const SourcePtr& file, const TeamRules* team,
                                                       Diagnostics& diagnostics);

}  // namespace agneto::lint
