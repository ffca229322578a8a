#include "providers/replay.h"

namespace agneto::script {
namespace {

TEST(Gemini, ChoosesTheApprovalMode) {
  EXPECT_EQ(argv(bundled("gemini").command(call_with("read-only"))),
            "gemini --output-format stream-json --skip-trust --approval-mode default");
  EXPECT_EQ(argv(bundled("gemini").command(call_with("full"))),
            "gemini --output-format stream-json --skip-trust --approval-mode yolo");
}

TEST(Gemini, EditMayRunCommandsByAPolicyOfItsOwn) {
  DriverCommand command = bundled("gemini").command(call_with("edit"));
  EXPECT_EQ(argv(command),
            "gemini --output-format stream-json --skip-trust --approval-mode auto_edit "
            "--policy {files}/policy.toml");
  EXPECT_THAT(command.files, testing::ElementsAre(testing::Pair("policy.toml",
                                                                "[[rule]]\n"
                                                                "toolName = \"run_shell_command\"\n"
                                                                "decision = \"allow\"\n"
                                                                "priority = 100\n")));
}

TEST(Gemini, ContinuesASessionWithTheConfiguredOptions) {
  DriverCall call = call_with("full");
  call.model = "gemini-2.5-pro";
  call.session = "2f0c";
  call.options = {{"args", {"--debug"}}};
  DriverCommand command = bundled("gemini").command(call);
  EXPECT_EQ(argv(command),
            "gemini --output-format stream-json --skip-trust --approval-mode yolo --resume 2f0c "
            "--model gemini-2.5-pro --debug");
  EXPECT_EQ(command.input, "Do it.");
}

TEST(Gemini, TellsOfToolsAndEndsWithWhatWasSaidAfterTheLast) {
  Driver driver = bundled("gemini");
  EXPECT_EQ(read(driver, fixture("gemini-edit.jsonl")),
            "session f3e4d587-2bae-46bd-9ab2-8be150ab4d3d\n"
            "text Working on it.\n"
            "tool write_file: hello.txt\n"
            "end\n"
            "text Working on it.\n"
            "tool run_shell_command: echo ran >> ran.txt\n"
            "end\n"
            "text Done number 1\nVERDICT: CODE_APPLIED\n"
            "in 300\nout 60\n"
            "result Done number 1\nVERDICT: CODE_APPLIED");
}

TEST(Gemini, KnowsALostSession) {
  EXPECT_EQ(told(bundled("gemini").finish("", 42, fixture("gemini-unknown-session.stderr"))),
            "lost\n"
            "error Error resuming session: Invalid session identifier "
            "\"11111111-2222-4333-8444-555555555555\".");
}

TEST(Gemini, ReportsWhatTheModelServerSaid) {
  Driver driver = bundled("gemini");
  EXPECT_THAT(read(driver, fixture("gemini-refused-key.jsonl")),
              testing::EndsWith("error [API Error: {\"type\":\"error\",\"error\":"
                                "{\"type\":\"api_error\",\"message\":\"bad key\"}}]"));
}

}  // namespace
}  // namespace agneto::script
