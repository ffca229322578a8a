// What a server tells of a run so that a client can show it as it would be shown there: the record
// as JSON, and back.
#pragma once

#include <vector>

#include "journal/journal.h"
#include "record/entry.h"
#include "workspace/branch_work.h"

namespace agneto::run::told {

Json to_json(const journal::RunRecord& run);
Json to_json(const record::Entry& entry);
Json to_json(const journal::Message& message);
Json to_json(const workspace::BranchWork& work);

// Each throws Error where that cannot be read.
journal::RunRecord run_from(const Json& json);
journal::Entry entry_from(const Json& json);
journal::Message message_from(const Json& json);
workspace::BranchWork work_from(const Json& json);

}  // namespace agneto::run::told
