// Which names of a machine are worth following: those on which it depends which way it goes.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lint/context.h"

namespace agneto::lint {

// By name; with the greatest of their values, where they are numbers.
using KnownInputs = std::map<std::string, std::int64_t>;

class AbstractNames {
 public:
  // `known`: the inputs whose values are known. `only`: the names of the context that may be
  // followed; null: any. The context must outlive it.
  AbstractNames(const LintContext& context, const Machine& machine, const KnownInputs& known,
                const std::set<std::string>* only = nullptr);

  // Is it plain which names each piece of Lua assigns, so that the machine can be followed at all?
  bool can_follow() const { return can_follow_; }
  // How many names of the context are followed; they have the slots from 0.
  std::size_t size() const { return slots_.size(); }
  // The slot of a name of the context; -1 where it is not followed.
  int slot(const std::string& name) const {
    const auto found = slots_.find(name);
    return found == slots_.end() ? -1 : found->second;
  }
  // The number that stands for all from it on (saturation.h).
  std::int64_t most(int slot) const { return most_[static_cast<std::size_t>(slot)]; }
  // By slot: the state outside of which the name does not matter, as entering it sets the name anew
  // and nothing else looks at it; none where there is no such state.
  const std::vector<StateId>& scopes() const { return scopes_; }
  // Does the node compare a choice with a text that it never is, or ask for a state that does not
  // exist? Another rule speaks of that, and here it is not known.
  bool is_wrong(const Node& node) const { return wrong_.contains(&node); }
  // Does the expression name nothing, so that it is always the same? Of that, too.
  bool is_constant(CodeId code) const { return constant_.contains(code); }
  // Does the piece change nothing that is followed, and raise nothing?
  bool is_idle(CodeId code) const { return idle_.contains(code); }

 private:
  std::unordered_map<std::string, int> slots_;
  std::vector<std::int64_t> most_;  // by slot
  std::vector<StateId> scopes_;
  std::unordered_set<const Node*> wrong_;
  std::unordered_set<CodeId> constant_;
  std::unordered_set<CodeId> idle_;
  bool can_follow_ = true;
};

}  // namespace agneto::lint
