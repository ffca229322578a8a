// An open question of a run, asked at this terminal though the run works elsewhere, or not at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/target.h"
#include "ui/screen.h"

namespace agneto::cli {

class AskHere {
 public:
  // Both outlive it.
  AskHere(const Context& context, const Target& target);

  // Returns the path of the question to answer: the only one, or that which the person chooses.
  // Throws Error where the person chooses none.
  std::string which(const std::vector<chart::AskHuman>& open);
  // Asks as a live run does. Returns nothing where the question is not open any more by then.
  // Throws Error where the person gives no answer.
  std::optional<run::Answer> ask(const chart::AskHuman& question);

 private:
  run::Question look(const chart::AskHuman& question) const;
  bool is_open(const std::string& path) const;

  const Context& context_;
  const Target& target_;
  ui::Screen screen_;
};

}  // namespace agneto::cli
