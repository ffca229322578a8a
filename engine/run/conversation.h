// What was said in a conversation, put together from the journal when somebody needs it.
#pragma once

#include <string>
#include <vector>

#include "agents/caller.h"
#include "journal/journal.h"
#include "run/state.h"

namespace agneto::run {

// All of it, in order. Takes as long as the conversation is: only for a provider that does not know
// it.
std::vector<agents::Exchange> recall(journal::Entries& journal, const std::string& run_id,
                                     const Conversation& conversation);

}  // namespace agneto::run
