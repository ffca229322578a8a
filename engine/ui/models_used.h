// With what the agents of a run were called, where a model or an effort was chosen.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "record/event.h"

namespace agneto::ui {

// "claude opus, effort high"; what is not said is left out.
std::string readable_provider(const record::AgentStarted& started);

class ModelsUsed {
 public:
  void note(const record::AgentStarted& started);

  // [{"agent", "provider", "model", "effort"?}], each once, in the order of the first calls.
  Json json() const;
  // The same, an agent a line: "coder: claude opus, effort high; claude haiku".
  std::vector<std::string> lines() const;

 private:
  std::vector<record::AgentStarted> used_;
};

}  // namespace agneto::ui
