// An open question of a run, asked at this terminal though the run works elsewhere, or not at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/runs.h"
#include "ui/screen.h"

namespace agneto::cli {

class AskHere {
 public:
  // Both outlive it.
  AskHere(Runs& runs, const run::Reader& run);

  // Returns the path of the question to answer: the only one, or that which the person chooses.
  // Throws Error where the person chooses none.
  std::string which(const std::vector<chart::AskHuman>& open);
  // Asks as a live run does. Returns nothing where the question is not open any more by then.
  // Throws Error where the person gives no answer.
  std::optional<run::Answer> ask(const chart::AskHuman& question);

 private:
  run::Question look(const chart::AskHuman& question) const;
  bool is_open(const std::string& path) const;

  Runs& runs_;
  const run::Reader& run_;
  ui::Screen screen_;
};

}  // namespace agneto::cli
