// Where a file that extends another has an agent reached by another provider: what the other file
// says in the words of the first one.
#pragma once

#include <map>
#include <string>

#include "yaml/tree.h"

namespace agneto::model {

// Made of a machine's tree before other files are laid over it.
class ChangedProviders {
 public:
  explicit ChangedProviders(const yaml::Node& machine);

  // Takes from the agents and calls that have another provider than they had then `model`,
  // `effort`, `tools` and `args`, but for those that are written in that file.
  void forget_words(yaml::Node& machine, const Source* kept) const;

 private:
  std::map<std::string, std::string> of_agents_, of_states_;  // by name, of those that are reached
};

}  // namespace agneto::model
