// What people are told of a run as it stands.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "base/redact.h"
#include "journal/journal.h"

namespace agneto::serve {

struct Happening {
  std::string key;       // the same for the same thing, also after a restart
  std::string occasion;  // one of run/notify.h: occasions
  // {"id", "event", "run", "workflow", "task", "status", "time", "text", "url"?}. Its texts are
  // single lines without control characters and secrets.
  Json told;
};

// Returns nothing for a run at which somebody sits in a terminal. `url` is where people reach the
// server, and may be empty. Throws Error where the record cannot be read.
std::vector<Happening> happenings(journal::Journal& journal, const journal::RunRecord& run,
                                  const Redactor& redactor, const std::string& url);

}  // namespace agneto::serve
