// Words to a run from outside the process that works on it.
#pragma once

#include <string>
#include <vector>

#include "chart/effect.h"
#include "journal/journal.h"
#include "model/machine.h"
#include "record/entry.h"
#include "record/message.h"

namespace agneto::run {

// Throws Error where nothing in the workflow takes an event of that name, or where it is one that
// only the engine may raise, or an activity's outcome, which would be forged.
void check_event(const std::string& name, const model::System& system);

struct Delivery {
  enum class Fate {
    taken,    // the owner has acted on it
    refused,  // the owner says why not
    stored,   // nobody works on the run: the next owner takes it
    waiting,  // the owner has not come to it yet
  };
  Fate fate = Fate::stored;
  record::Entry entry;  // what the owner recorded of it, where it did

  // Why it was refused.
  std::string reason() const;
};

// Posts the message, wakes the owner and waits for what becomes of it, `patience` long. `home`: the
// .agneto folder. Throws Error where too many words wait already for an event to join them.
Delivery deliver(journal::Journal& journal, const std::filesystem::path& home,
                 const std::string& run_id, const record::Message& message, Clock& clock,
                 Millis patience = Millis(10'000));

// Who sits here: the user's name.
std::string user_name();

}  // namespace agneto::run
