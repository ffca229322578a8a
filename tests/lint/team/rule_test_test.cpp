#include "lint/team/rule_test.h"

#include <gmock/gmock.h>

#include "support/temporary_folder.h"

namespace agneto::lint {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* rule = R"(return {
  id = "TEAM-1",
  summary = "an agent that may do everything",
  check = function(workflow, report)
    for _, agent in ipairs(workflow.agents) do
      if agent.access == "full" then report(agent, "too much") end
    end
  end,
}
)";

std::string flow(const std::string& agent) {
  return "agneto: 1\nname: flow\nagents:\n" + agent +
         R"(initial: A
states:
  A: {agent: {name: coder, verdicts: {DONE: {}}}, on: {DONE: B, error: B}}
  B: {final: true}
)";
}

class RuleTestTest : public ::testing::Test {
 protected:
  RuleTestTest() {
    write("full-access.lua", rule);
    write("tests/coder.lua", "return {prompt = function(m) return 'DONE' end}");
  }
  void write(const fs::path& path, const std::string& text) {
    const fs::path file = folder_.path() / ".agneto/lint" / path;
    fs::create_directories(file.parent_path());
    write_file(file, text);
  }
  std::vector<std::string> failures(const std::string& text) {
    write("tests/flow.yaml", text);
    auto all =
        failures_of_rule_test(folder_.path() / ".agneto/lint/tests/flow.yaml", Disk(), "/lib");
    for (std::string& each : all)
      each.erase(0, (folder_.path() / ".agneto/lint/tests/").string().size());
    return all;
  }

  agneto::testing::TemporaryFolder folder_;
};

TEST_F(RuleTestTest, PassesWhereJustThatIsFound) {
  EXPECT_THAT(failures(flow("  coder: {hooks: coder.lua, access: full}  # expect: TEAM-1\n")),
              IsEmpty());
  EXPECT_THAT(
      failures(flow("  # expect: full-access\n  coder: {hooks: coder.lua, access: full}\n")),
      IsEmpty());
  EXPECT_THAT(failures(flow("  coder: {hooks: coder.lua, access: edit}\n")), IsEmpty());
}

TEST_F(RuleTestTest, FailsWhereSomethingIsNotFound) {
  EXPECT_THAT(failures(flow("  coder: {hooks: coder.lua, access: edit}  # expect: TEAM-1\n")),
              ElementsAre("flow.yaml:4: TEAM-1/full-access is expected, and not found"));
}

TEST_F(RuleTestTest, FailsWhereMoreIsFound) {
  EXPECT_THAT(failures(flow("  coder: {hooks: coder.lua, access: full}\n")),
              ElementsAre(R"(flow.yaml:4:3: warning: too much [TEAM-1/full-access]
  coder: {hooks: coder.lua, access: full}
  ^~~~~)"));
}

TEST_F(RuleTestTest, FailsWhereARuleIsNotTheirs) {
  EXPECT_THAT(
      failures(flow("  coder: {hooks: coder.lua}  # expect: W405, TEAM-2\n")),
      ElementsAre("flow.yaml:4: there is no rule 'W405'; did you mean E405/needs-worktree?",
                  "flow.yaml:4: there is no rule 'TEAM-2'; did you mean TEAM-1/full-access?"));
  EXPECT_THAT(failures(flow("  coder: {hooks: coder.lua}  # expect: W414\n")),
              ElementsAre("flow.yaml:4: W414/unused-agent is no rule of the team's own"));
}

TEST_F(RuleTestTest, FailsWithErrors) {
  EXPECT_THAT(failures(flow("  coder: {hooks: none.lua}\n")),
              ElementsAre(::testing::StartsWith("flow.yaml:4:")));
}

TEST(IsRuleTest, GoesByTheFolder) {
  EXPECT_TRUE(is_rule_test("/team/.agneto/lint/tests/flow.yaml"));
  EXPECT_FALSE(is_rule_test("/team/.agneto/lint/flow.yaml"));
  EXPECT_FALSE(is_rule_test("/team/.agneto/lint/tests/flow.test.yaml"));
  EXPECT_FALSE(is_rule_test("/team/.agneto/lint/tests/flow.lua"));
  EXPECT_FALSE(is_rule_test("/team/lint/tests/flow.yaml"));
}

}  // namespace
}  // namespace agneto::lint
