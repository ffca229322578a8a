// Everything that can be said about a workflow without running it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/diagnostic.h"
#include "base/files.h"
#include "lint/context.h"
#include "lint/parameters.h"
#include "lint/team/team_rules.h"
#include "model/machine.h"
#include "yaml/tree.h"

namespace agneto::lint {

// Errors: the workflow cannot be run. Warnings: it can, and does not do what it seems to.
struct Findings {
  Diagnostics diagnostics;
  std::shared_ptr<const model::System> system;  // null when there were errors in the YAML
  std::shared_ptr<const model::System> draft;   // what could be read in spite of them

  // What the diagnostics point into: machines' files, and their agents' Lua.
  std::vector<SourcePtr> sources;
  std::vector<std::shared_ptr<const yaml::Node>> trees = {};  // as of model::Loaded
  std::vector<std::shared_ptr<const Module>> modules;         // read where there were no errors
  std::vector<std::shared_ptr<const void>> keep;

  // Did exploring come to its end, so that what it did not find is not there?
  bool explored_whole = false;
  std::vector<CutShort> cut_short = {};
  // Was the shell text in it checked (shell/shell_check.h), so that what was not found is not
  // there?
  bool shell_checked = false;
};

// Checks what a workflow without errors asks of where it is to run, such as of its providers.
// Returns what its findings point into, besides the workflow's files.
using PlaceCheck = std::function<std::shared_ptr<const void>(const model::System& system,
                                                             Diagnostics& diagnostics)>;

struct Options {
  bool explore = true;        // else rules that rest on exploring find nothing
  std::stop_token stop = {};  // exploring ends soon, and what is found then is not all there is
  std::optional<std::size_t> configurations = {};  // how many are explored at most; none: as usual
  std::shared_ptr<const TeamRules> team = {};      // that are checked, too
  Parameters parameters = {};
  PlaceCheck check_place = {};
};

// Loads the workflow and the machines it delegates to, compiles their Lua, checks their hooks, and
// where no error was found checks the rules (rule.h). `library`: the hook library of this program.
Findings lint(const fs::path& file, const Files& files, const fs::path& library,
              const Options& options = {});

// Checks the rules about hook modules, which hang on all workflows that use them.
void check_modules(std::span<const Findings> linted, const Parameters& parameters,
                   Diagnostics& diagnostics);

}  // namespace agneto::lint
