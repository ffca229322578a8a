// Rules about what actions send.
#include <gmock/gmock.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

using testing::HasSubstr;

// A state that sends itself a deadline, and one behind it.
std::string lint_deadline(const std::string& options, const std::string& exit = "",
                          const std::string& failed = "BAD", const std::string& late = "BAD") {
  return lint_text(R"(agneto: 1
name: flow
initial: BUILDING
on: {late: )" + late +
                   R"(, error: BAD}
states:
  BUILDING:
    entry: |
      send("late", {}, )" +
                   options + R"()
)" + exit + R"(    run: {argv: [make]}
    on: {ok: DEPLOYING, failed: )" +
                   failed + R"(}
  DEPLOYING:
    run: {argv: [make, deploy]}
    on: {ok: END, failed: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)");
}

TEST(UnsentId, IsOneThatNothingCancels) {
  const std::string options = "{after = \"30m\", id = \"late\"}";
  EXPECT_EQ(
      lint_deadline(options),
      R"text(/team/flow.yaml:8:7: warning: nothing cancels 'late', so that 'late' comes also when 'BUILDING' is left, and ends 'DEPLOYING' [W511/unsent-id]
      send("late", {}, {after = "30m", id = "late"})
      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: take it back on leaving 'BUILDING': exit: cancel("late")
)text");
  EXPECT_EQ(lint_deadline(options, "    exit: cancel(\"late\")\n"), "");
  EXPECT_EQ(lint_deadline("{after = \"30m\"}"), "") << "which cannot be cancelled";
  EXPECT_EQ(lint_deadline(options, "", "BAD", "{target: BAD, guard: state_in('BUILDING')}"), "");
}

TEST(UnsentId, MayTakeThePlaceOfTheSendBefore) {
  const std::string again = lint_deadline("{after = \"30m\", id = \"late\"}", "", "BUILDING");
  EXPECT_THAT(again, testing::Not(HasSubstr("W511")));
  EXPECT_EQ(lint_text(R"(agneto: 1
name: flow
initial: A
on: {late: BAD, beat: {do: 'send("late", {}, {after = "30m", id = "late"})'}}
states:
  A:
    entry: |
      send("late", {}, {after = "30m", id = "late"})
    run: {argv: [make]}
    on: {ok: B, failed: BAD, error: BAD}
  B:
    run: {argv: [make, deploy]}
    on: {ok: END, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"),
            "");
}

TEST(SendOptions, HaveADurationWithItsUnit) {
  const auto sending = [](const std::string& after) {
    return lint_text(
        "agneto: 1\nname: flow\ncontext: {n: 1}\ninitial: A\nstates:\n  A:\n    entry: |\n"
        "      ctx.n = ctx.n + 1\n      send(\"go\", {}, {after = " +
        after + "})\n    on: {go: END}\n  END: {final: true}\noutputs: {n: ctx.n}\n");
  };
  EXPECT_EQ(
      sending("ctx.n .. \" sec\""),
      R"text(/team/flow.yaml:9:31: warning: no duration ends in ' sec', so that nothing is sent [W516/send-options]
      send("go", {}, {after = ctx.n .. " sec"})
                              ^~~~~~~~~~~~~~~
  help: the units are ms, s, m, h and d, without a space before them, as in "5m"
)text");
  for (const char* right : {"ctx.n .. \"s\"", "\"5m\"", "ctx.n > 1 and \"5m\" or \"1h\""}) {
    EXPECT_EQ(sending(right), "") << right;
  }
}

}  // namespace
}  // namespace agneto::lint
