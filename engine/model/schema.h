// The JSON Schema of workflow files, for editors, made from the key table (keys.h).
#pragma once

#include "base/json.h"

namespace agneto::model {

// Draft 7, which is what editors know. It says which keys there are and what they hold; what names
// refer to is beyond it.
Json workflow_schema();

// The text of schemas/workflow.schema.json.
std::string workflow_schema_text();

}  // namespace agneto::model
