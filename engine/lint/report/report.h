// What is wrong in several files, as people and programs are told: each finding once, also where
// several workflows delegate to the machine that it is in; in a stable order; with the severity
// that the team wants, and with what the files' authors suppressed marked as such.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "lint/lint.h"
#include "lint/report/assessment.h"
#include "lint/report/policy.h"
#include "lint/shell/shell_check.h"

namespace agneto::lint {

struct Finding {
  Diagnostic diagnostic;
  std::optional<std::string> suppressed;  // why
};

struct Report {
  std::vector<std::string> files;  // every machine's that was read, and the configuration; sorted
  std::vector<Finding> findings;   // by file and place, as many of a file as are told
  std::size_t errors = 0;          // of all those that are not suppressed
  std::size_t warnings = 0;
  std::size_t suppressed = 0;

  // Machines that were not explored as a whole, so that not all that exploring finds is found.
  std::vector<CutShort> cut_short;

  std::vector<const Rule*> team_rules;  // the team's own, that were checked beside the catalogue's

  std::vector<Assessment> assessments;  // of the workflows without errors, where they are asked for

  std::vector<Findings> keep;  // what the findings point into

  // Is there a finding of this severity or a worse one?
  bool reaches(Severity bar) const { return errors > 0 || (bar == Severity::warning && warnings); }
};

// Lints the workflows, several at a time. `library`: the hook library of this program.
// `assesses`: says what was explored, too. `configuration`: what was found in the team's.
// `check_shell` checks the workflows' shell text, and `check_place` what they ask of where they
// run; without them nobody does. The latter is called in several threads at once.
Report report(const std::vector<fs::path>& workflows, const Files& files, const fs::path& library,
              const Policy& policy, bool assesses = false, Findings configuration = {},
              const ShellChecker& check_shell = {}, const PlaceCheck& check_place = {});
// The same for workflows that were linted already; what has no draft is a configuration.
Report report(std::vector<Findings> linted, const Policy& policy);

}  // namespace agneto::lint
