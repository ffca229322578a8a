// A run on its way from one journal to another one, whatever they are stored in.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "journal/stored_run.h"

namespace agneto::journal {

struct Parcel {
  RunRecord run;
  std::map<std::string, std::string> sources;
  std::vector<Row> rows;       // all of its entries, in order
  std::vector<Message> inbox;  // oldest first
};

// The last entry. Throws Error where the entries are not tied to each other as they were written,
// or there is none.
Head last_of(const Parcel& parcel);

}  // namespace agneto::journal
