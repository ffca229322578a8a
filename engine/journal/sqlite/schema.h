// The tables of the journal's file; docs/journal.md explains them.
#pragma once

#include <cstdint>

#include "journal/sqlite/sqlite.h"

namespace agneto::journal {

// Where the entry `seq` of the run `number` is: the entries of a run are next to each other, in
// order, and a new one is the only row that an append writes.
constexpr std::int64_t place_of(std::int64_t number, std::int64_t seq) {
  return number << 32 | seq;
}

// Makes the tables in a new file, brings an older one up to this format, and throws Error where the
// file is another program's or a newer one's.
void prepare(Database& database);

}  // namespace agneto::journal
