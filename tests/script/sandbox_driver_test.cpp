#include "script/sandbox_driver.h"

#include <gmock/gmock.h>

#include "script/hooks.h"
#include "support/errors.h"

namespace agneto::script {
namespace {

using ::testing::ElementsAre;
using testing::error_of;

SandboxDriver sandbox_of(const std::string& text) {
  MemoryFiles files;
  files.add("sandboxes/box.lua", text);
  return SandboxDriver("box", files, {"sandboxes"});
}

std::string problem_of(const std::string& text) {
  try {
    sandbox_of(text).command({}, {"x"});
  } catch (const HookError& error) {
    return error.what();
  }
  return {};
}

TEST(SandboxDriver, IsToldWhatAProgramMayTouchAndSaysWhatToStart) {
  SandboxDriver driver = sandbox_of(R"lua(
    return {program = "box", command = function(call, argv)
      local words = {"box", call.cwd, tostring(call.network), call.system[1], table.concat(call.variables, ",")}
      for _, mount in ipairs(call.mounts) do
        words[#words + 1] = mount.path .. "=" .. mount.from .. (mount.writes and "!" or "")
      end
      for _, word in ipairs(argv) do words[#words + 1] = word end
      return {argv = words}
    end})lua");
  EXPECT_EQ(driver.program(), "box");
  const Confinement confinement{.system = {"/usr"},
                                .mounts = {{"/tree", "/tree", true}, {"/hidden", "", false}},
                                .cwd = "/tree/src",
                                .network = true,
                                .variables = {"HOME", "PATH"}};
  EXPECT_THAT(driver.command(confinement, {"make", "test"}),
              ElementsAre("box", "/tree/src", "true", "/usr", "HOME,PATH", "/tree=/tree!",
                          "/hidden=", "make", "test"));
}

TEST(SandboxDriver, RefusesWhatIsNone) {
  EXPECT_EQ(error_of([] { SandboxDriver("bix", MemoryFiles(), {"sandboxes"}); }),
            "there is no sandbox 'bix'");
  EXPECT_EQ(error_of([] { SandboxDriver("../box", MemoryFiles(), {"sandboxes"}); }),
            "there is no sandbox '../box'");
  EXPECT_EQ(error_of([] { sandbox_of("return {}"); }),
            "the sandbox 'box' cannot be used: sandboxes/box.lua: a sandbox must return a table, "
            "{command = function(call, argv) ... end}");
  EXPECT_EQ(error_of([] { sandbox_of("return {command = function() end, program = 1}"); }),
            "the sandbox 'box' cannot be used: sandboxes/box.lua: 'program' must be a program's "
            "name");
}

TEST(SandboxDriver, IsNotBelievedWhereItSaysNothingToStart) {
  EXPECT_EQ(problem_of("return {command = function() return {} end}"),
            "sandboxes/box.lua: what 'command' returned: 'argv' is missing");
  EXPECT_EQ(problem_of("return {command = function() return {argv = {1}} end}"),
            "sandboxes/box.lua: what 'command' returned: 'argv' must be a list of strings, not "
            "[1]");
}

}  // namespace
}  // namespace agneto::script
