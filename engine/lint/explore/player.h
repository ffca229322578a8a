// Plays what an exploration found with the machine's own Lua: where that leads to the same, nothing
// in it was guessed. So a finding can say "can" or "may", and show events that lead there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "chart/step.h"
#include "lint/explore/explore.h"

namespace agneto::lint {

struct Played {
  // Did the machine go the same way, step by step?
  bool confirmed = true;
  // Did it not come to rest?
  bool restless = false;
  // What the expression that was asked for comes to in the end.
  std::optional<bool> holds;
  // The command that shows it, and the events to give it, a line each.
  std::vector<std::string> trace;
};

class Player {
 public:
  // The context must outlive it.
  Player(const LintContext& context, const model::Machine& machine);
  ~Player();

  // To the configuration.
  Played to(const Exploration& found, std::uint32_t at, model::CodeId asked = model::none);
  // Along the edge.
  Played along(const Exploration& found, std::uint32_t edge);

 private:
  class Run;

  Played play(const Exploration& found, std::uint32_t first, const std::vector<std::uint32_t>& way,
              model::CodeId asked);
  std::string command(const Beginning& beginning, const Json& inputs) const;
  Json inputs_of(const Beginning& beginning) const;

  const LintContext& context_;
  const model::Machine& machine_;
  model::System system_;
  std::unique_ptr<chart::Evaluator> evaluator_;
  std::set<std::string> fields_;  // of events, that the machine's Lua names
};

}  // namespace agneto::lint
