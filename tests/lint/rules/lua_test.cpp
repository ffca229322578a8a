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

TEST(SendOptions, AreValuesThatCanBeSo) {
  const auto sending = [](const std::string& options) {
    return lint_text(
        "agneto: 1\nname: flow\ncontext: {n: 1}\ninitial: A\nstates:\n  A:\n    entry: |\n"
        "      ctx.n = ctx.n + 1\n      send(\"go\", {}, " +
        options + ")\n    on: {go: END}\n  END: {final: true}\noutputs: {n: ctx.n}\n");
  };
  EXPECT_EQ(
      sending("{after = -5}"),
      R"text(/team/flow.yaml:9:31: warning: -5 is no delay, so that nothing is sent [W516/send-options]
      send("go", {}, {after = -5})
                              ^~
  help: a delay is a duration, such as "5m"; without one the event comes at once
)text");
  EXPECT_EQ(
      sending("{to = 3}"),
      R"text(/team/flow.yaml:9:28: warning: 3 is no state's name, so that nothing is sent [W516/send-options]
      send("go", {}, {to = 3})
                           ^
  help: name one that delegates, or "parent"
)text");
  const auto first = [&](const std::string& options) {
    const std::string all = sending(options);
    const std::size_t at = all.find("warning: ") + 9;
    return all.substr(at, all.find(" [W516") - at);
  };
  EXPECT_EQ(first("{after = \"-5m\"}"), "\"-5m\" is no delay, so that nothing is sent");
  EXPECT_EQ(first("{after = ctx.n > 1 and \"5m\" or false}"),
            "false is no delay, so that nothing is sent");
  EXPECT_EQ(first("{id = 3, after = \"5m\"}"), "3 is no id, so that nothing is sent");
  EXPECT_EQ(first("{id = \"#3\", after = \"5m\"}"), "\"#3\" is no id, so that nothing is sent");
  EXPECT_EQ(sending("{after = ctx.n > 5 and \"5m\" or nil, id = \"n\"}"), "");
}

const std::string inner =
    "agneto: 1\nname: inner\ninitial: B\nstates:\n  B:\n    run: {argv: [make]}\n"
    "    on: {ok: END, failed: END, error: END, stop: END}\n  END: {final: true}\n";

// A machine that delegates to `inner` once and for each of two items, and on `go` does that.
std::string lint_talk(const std::string& code, const std::string& inside = inner) {
  return lint_files({{"flow.yaml",
                      "agneto: 1\nname: flow\ninitial: A\nstates:\n"
                      "  A: {machine: inner.yaml, on: {END: ALL, error: END}}\n"
                      "  ALL: {for_each: {items: '{1, 2}', machine: inner.yaml}, "
                      "on: {done: END, failed: END, error: END}}\n"
                      "  END: {final: true}\n"
                      "on:\n  go:\n    do: |\n      " +
                          code + "\n"},
                     {"inner.yaml", inside}});
}

// The first line of what is said, behind the place.
std::string said_of(const std::string& code) {
  const std::string all = lint_talk(code);
  const std::string line = all.substr(0, all.find('\n'));
  const auto at = line.find("warning: ");
  return at == std::string::npos ? line : line.substr(at + 9);
}

TEST(SendOptions, NameAStateThatDelegates) {
  EXPECT_EQ(
      lint_talk(R"(send("stop", {}, {to = "AAL"}))"),
      R"text(/team/flow.yaml:11:30: warning: there is no state 'AAL' in this machine [W516/send-options]
      send("stop", {}, {to = "AAL"})
                             ^~~~~
  help: did you mean 'ALL'?
)text");
  EXPECT_EQ(said_of(R"(send("stop", {}, {to = "END"}))"),
            "'END' does not delegate to a machine, so that nobody is there [W516/send-options]");
  EXPECT_THAT(lint_talk(R"(send("go", {}, {item = 1}))"),
              HasSubstr("11:30: warning: `item` says which item of `to` is meant, and there is no "
                        "`to` [W516/send-options]"));
  EXPECT_EQ(said_of(R"(send("stop", {}, {to = "A", item = 1}))"),
            "'A' is no for_each, whose items have numbers [W516/send-options]");
  EXPECT_EQ(said_of(R"(send("stop", {}, {to = "ALL", item = 0}))"),
            "0 is no item's number, so that nothing is sent [W516/send-options]");
  for (const char* item : {"-1", "1.5", "\"2\"", "true"}) {
    EXPECT_EQ(
        said_of(std::string(R"(send("stop", {}, {to = "ALL", item = )") + item + "})"),
        std::string(item) + " is no item's number, so that nothing is sent [W516/send-options]");
  }
  EXPECT_EQ(said_of(R"(send("stop", {to = "ALL"}))"),
            "no transition of this machine takes 'stop', which is lost [W220/untaken-event]");
  for (const char* right : {R"(send("stop", {}, {to = "ALL", item = 2}))",
                            R"(send("stop", {}, {to = "A", after = "5m"}))",
                            R"(send("stop", {}, {to = "A", item = nil}))",
                            R"(send("stop", {}, {to = event.origin, item = event.item}))"}) {
    EXPECT_EQ(lint_talk(right), "") << right;
  }
}

TEST(UndeliveredEvent, IsOneThatNoMachineThereTakes) {
  EXPECT_EQ(said_of(R"(send("halt", {}, {to = "ALL"}))"),
            "no transition of the machine 'inner' takes 'halt', which is lost "
            "[W526/undelivered-event]");
  const auto telling = [](const std::string& event, const std::string& on) {
    return lint_files({{"flow.yaml",
                        "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n"
                        "    machine: inner.yaml\n    on: {END: END, error: END" +
                            on + "}\n  END: {final: true}\n"},
                       {"inner.yaml",
                        "agneto: 1\nname: inner\ninitial: B\nstates:\n  B:\n"
                        "    run: {argv: [make]}\n    on:\n      failed: END\n"
                        "      error: END\n      ok: {target: END, do: 'send(\"" +
                            event +
                            "\", {}, {to = \"parent\"})'}\n"
                            "  END: {final: true}\n"}});
  };
  EXPECT_EQ(
      telling("made", ", maid: {}"),
      R"text(/team/inner.yaml:10:30: warning: no transition of the machine 'flow' takes 'made', which is lost [W526/undelivered-event]
      ok: {target: END, do: 'send("made", {}, {to = "parent"})'}
                             ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: known events that are taken there: maid
/team/flow.yaml:2:7: note: the machine
name: flow
      ^~~~
)text");
  EXPECT_EQ(telling("made", ", made: {}"), "");
}

TEST(ReservedEvent, IsWhatAnActivityThereEndsIn) {
  EXPECT_EQ(
      lint_talk(R"(send("ok", {}, {to = "A"}))"),
      R"text(/team/flow.yaml:11:7: warning: 'B' ends in 'ok' in the machine 'inner', and to send it that is an error [W527/reserved-event]
      send("ok", {}, {to = "A"})
      ^~~~~~~~~~~~~~~~~~~~~~~~~~
  help: call the event something else
/team/inner.yaml:5:3: note: the state
  B:
  ^
)text");
  EXPECT_THAT(lint_talk(R"(send("error.timeout", {}, {to = "A"}))"),
              HasSubstr("'error.timeout' is an event of the engine, and to send it to another "
                        "machine is an error [W527/reserved-event]"));
}

TEST(UndefinedField, IsOneThatNoFinalStateGives) {
  const auto lint = [](const std::string& outputs, const std::string& field) {
    return lint_text(
        "agneto: 1\nname: flow\ncontext: {n: 0}\ninitial: A\nstates:\n  A:\n    initial: B\n"
        "    on: {done.state.A: {target: END, do: ctx.n = event." +
        field +
        "}}\n    states:\n      B: {on: {go: C, stop: D}}\n      C: {final: true, outputs: " +
        outputs +
        "}\n      D: {final: true, outputs: {n: ctx.n}}\n  END: {final: true}\noutputs: {n: "
        "ctx.n}\n");
  };
  EXPECT_EQ(lint("{n: 1}", "n"), "");
  EXPECT_EQ(
      lint("{n: 1}", "m"),
      R"text(/team/flow.yaml:8:50: warning: the event 'done.state.A' has no field 'm' [W308/undefined-field]
    on: {done.state.A: {target: END, do: ctx.n = event.m}}
                                                 ^~~~~~~
  help: known fields: n
)text");
}

}  // namespace
}  // namespace agneto::lint
