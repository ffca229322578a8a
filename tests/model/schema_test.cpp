#include "model/schema.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/files.h"
#include "support/paths.h"

namespace agneto::model {
namespace {

// After a change of the key table: AGNETO_UPDATE=1 model_tests --gtest_filter='Schema.*'
TEST(Schema, FileIsWhatTheKeyTableSays) {
  const fs::path file = fs::path(AGNETO_SOURCE_DIR) / "schemas" / "workflow.schema.json";
  if (std::getenv("AGNETO_UPDATE")) write_file(file, workflow_schema_text());
  EXPECT_EQ(Disk().read(file), workflow_schema_text());
}

TEST(Schema, RefusesUnknownKeysAndNamesTheRequired) {
  const Json schema = workflow_schema();
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"], Json({"agneto", "name", "initial", "states"}));
  const Json& transition = schema["definitions"]["event_transition"];
  EXPECT_EQ(transition["required"], Json({"event"}));
  EXPECT_EQ(
      transition["properties"]["internal"],
      Json({{"type", "boolean"},
            {"description", "Does not leave the compound source, as every target is inside it"}}));
}

}  // namespace
}  // namespace agneto::model
