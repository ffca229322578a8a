#include "lint/check.h"

namespace agneto::lint {

const std::vector<const Check*>& checks() {
  static const std::vector<const Check*> all = {
      &unreachable_state, &shadowed_transition, &untaken_outcome, &dead_end,
      &never_ends,        &region_crossing,     &unused_agent,    &bare_word,
  };
  return all;
}

}  // namespace agneto::lint
