#include "ui/models_used.h"

#include <gmock/gmock.h>

namespace agneto::ui {
namespace {

TEST(ModelsUsed, AreToldOfAnAgentInOneLine) {
  ModelsUsed models;
  models.note({"coder", "claude", "opus", 1, "CODING", "", "high"});
  models.note({"judge", "codex", "", 1, "JUDGING", "", ""});  // as the CLI has it
  models.note({"coder", "claude", "opus", 2, "CODING", "", "high"});
  models.note({"scout", "codex", "", 1, "SCOUTING", "", "low"});
  models.note({"coder", "claude", "haiku", 1, "TIDYING", "", ""});
  EXPECT_THAT(models.lines(),
              ::testing::ElementsAre("coder: claude opus, effort high; claude haiku",
                                     "scout: codex, effort low"));
  EXPECT_EQ(models.json().dump(),
            R"([{"agent":"coder","effort":"high","model":"opus","provider":"claude"},)"
            R"({"agent":"scout","effort":"low","model":"","provider":"codex"},)"
            R"({"agent":"coder","model":"haiku","provider":"claude"}])");
}

}  // namespace
}  // namespace agneto::ui
