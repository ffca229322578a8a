#include "serve/room.h"

#include <gtest/gtest.h>

#include "record/options.h"

namespace agneto::serve {
namespace {

journal::RunRecord a_run(const std::string& id, const std::string& workflow,
                         const std::map<std::string, std::string>& providers = {}) {
  journal::RunRecord run;
  run.id = id;
  run.workflow = workflow;
  record::RunOptions options;
  options.providers = providers;
  run.options = record::to_json(options);
  return run;
}

TEST(RoomTest, HasRoomForSoManyRuns) {
  Room room;
  room.set({2, {}, {}});
  room.take(a_run("a", "w"));
  EXPECT_EQ(room.obstacle(a_run("b", "w")), "");
  room.take(a_run("b", "w"));
  EXPECT_FALSE(room.any());
  EXPECT_EQ(room.obstacle(a_run("c", "w")),
            "as many runs are worked on as may be at a time (2, by serve.runs)");
  room.leave("a");
  EXPECT_EQ(room.obstacle(a_run("c", "w")), "");
  EXPECT_FALSE(room.is_busy("a"));
  EXPECT_TRUE(room.is_busy("b"));
}

TEST(RoomTest, HasRoomForSoManyRunsOfAWorkflow) {
  Room room;
  room.set({9, {{"release", 1}}, {}});
  EXPECT_EQ(room.obstacle(a_run("a", "release")), "");
  room.take(a_run("a", "release"));
  EXPECT_EQ(room.obstacle(a_run("b", "release")),
            "as many runs with workflow release are worked on as may be at a time (1, by "
            "serve.workflows)");
  EXPECT_EQ(room.obstacle(a_run("c", "fix")), "");
}

TEST(RoomTest, HasRoomForSoManyRunsThatCallAProvider) {
  Room room;
  room.set({9, {}, {{"claude", 2}}});
  room.take(a_run("a", "w", {{"coder", "claude"}, {"reviewer", "claude"}}));
  EXPECT_EQ(room.obstacle(a_run("b", "w", {{"coder", "claude"}})), "") << "a run counts once";
  room.take(a_run("b", "w", {{"coder", "claude"}, {"reviewer", "codex"}}));
  EXPECT_EQ(room.obstacle(a_run("c", "w", {{"reviewer", "claude"}})),
            "as many runs with provider claude are worked on as may be at a time (2, by "
            "serve.providers)");
  EXPECT_EQ(room.obstacle(a_run("d", "w", {{"coder", "codex"}})), "");
}

TEST(RoomTest, GivesWayWhenTheConfigurationChanges) {
  Room room;
  room.set({1, {}, {}});
  room.take(a_run("a", "w"));
  EXPECT_FALSE(room.any());
  room.set({2, {}, {}});
  EXPECT_TRUE(room.any());
  room.set({0, {}, {}});
  EXPECT_FALSE(room.any());
}

}  // namespace
}  // namespace agneto::serve
