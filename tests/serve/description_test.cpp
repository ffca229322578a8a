// What schemas/api.yaml says of the API that is a list or a number somewhere in the engine, too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/text.h"
#include "run/queue.h"
#include "serve/desk.h"
#include "support/paths.h"

namespace agneto::serve {
namespace {

TEST(DescriptionTest, HasTheStatusesAndPrioritiesThatThereAre) {
  const std::string description = Disk().read(AGNETO_SOURCE_DIR "/schemas/api.yaml").value_or("");
  EXPECT_NE(description.find("items: {enum: [" + join(Listing::known_statuses(), ", ") + "]}"),
            std::string::npos);
  EXPECT_NE(description.find(fmt::format("priority: {{type: integer, minimum: {}, maximum: {}, ",
                                         run::least_priority, run::greatest_priority)),
            std::string::npos);
}

}  // namespace
}  // namespace agneto::serve
