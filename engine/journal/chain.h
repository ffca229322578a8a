// The hash that ties an entry to all before it, so that a record that was altered is found out.
#pragma once

#include <string>
#include <string_view>

#include "journal/journal.h"

namespace agneto::journal {

// An entry's body and change as they are stored.
struct Texts {
  std::string body;
  std::string change;  // of the state; empty: none
};

// SHA-256 over the hash of the entry before (empty for the first), the entry and its texts;
// docs/journal.md says of which bytes.
std::string chain_hash(std::string_view previous, std::string_view run_id, const Entry& entry,
                       const Texts& texts);

}  // namespace agneto::journal
