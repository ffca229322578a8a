#include "lint/rule.h"

namespace agneto::lint {

const std::vector<const Rule*>& rules() {
  static const std::vector<const Rule*> all = {
      &unreachable_state, &shadowed_transition, &untaken_outcome, &dead_end,
      &never_ends,        &region_crossing,     &unused_agent,    &bare_word,
  };
  return all;
}

}  // namespace agneto::lint
