// A team's own rules: what the Lua of .agneto/lint/NAME.lua finds in a workflow.
//
//   return {
//     id = "TEAM-1",
//     summary = "an agent that may do everything",
//     help = "give it `access: edit`",
//     parameters = {most = 1},
//     check = function(workflow, report, parameters)
//       local found = 0
//       for _, agent in ipairs(workflow.agents) do
//         if agent.access == "full" then found = found + 1 end
//         if found > parameters.most then report(agent, "too many may do all") end
//       end
//     end,
//   }
//
// The file's name is the rule's, and its findings are warnings. The code comes from strangers as
// the workflow does: it runs in the sandbox of hooks, with their limits.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/files.h"
#include "base/rule.h"
#include "lint/parameters.h"
#include "model/machine.h"

namespace agneto::lint {

class TeamRules {
 public:
  // Reads the files. What is wrong with one is reported, and it is left out. `library`: the hook
  // library of this program, which they may require, as what is beside them.
  TeamRules(const std::vector<fs::path>& paths, const Files& files, fs::path library,
            Diagnostics& diagnostics);

  // In the order of the files. They live as long as the program, and the same texts are the same
  // rule for all who read them.
  std::vector<const Rule*> rules() const;

  // Lets each look at each machine. What went wrong in its Lua is reported, too. Thread-safe.
  // `keep` keeps valid what the findings point into.
  void check(const model::System& system, const Files& files, const Parameters& parameters,
             Diagnostics& diagnostics, std::vector<std::shared_ptr<const void>>& keep) const;

 private:
  const fs::path library_;
  std::map<fs::path, const Rule*> rules_;
  std::vector<std::shared_ptr<const void>> keep_;
};

// The Lua files in a team's folder `.agneto/lint`, sorted; those in folders inside are modules and
// tests.
std::vector<fs::path> team_rule_files(const fs::path& folder);
// The same as rules.
std::shared_ptr<const TeamRules> read_team_rules(const fs::path& folder, const Files& files,
                                                 const fs::path& library, Diagnostics& diagnostics);

// As without `team`, which may be null: a rule of the catalogue, or one of the team's.
const Rule* find_rule(std::string_view code_or_name, const TeamRules* team);
std::string rule_suggestion(std::string_view code_or_name, const TeamRules* team);

}  // namespace agneto::lint
