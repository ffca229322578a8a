// Rules about Lua whose value can be told from the types that are declared, and about what it
// calls.
#include <gmock/gmock.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

// What is said of a guard over entries of many types.
std::string lint_guard(const std::string& guard) {
  return lint_text(R"(agneto: 1
name: flow
context:
  count: 0
  text: ""
  names: {type: "[string]", default: []}
  owner: {type: "string?", default: null}
  ready: false
  maybe: {type: "boolean?", default: null}
  open: {type: any, default: null}
initial: A
states:
  A:
    on:
      go: {guard: ')" +
                   guard + R"(', target: END}
      more:
        target: A
        do:
          - ctx.count, ctx.text, ctx.names, ctx.owner = 1, "", {}, null
          - ctx.ready, ctx.maybe, ctx.open = true, true, 1
      stop: END
  END: {final: true, status: failed}
outputs: {count: ctx.count, text: ctx.text, names: ctx.names, owner: ctx.owner, ready: ctx.ready, maybe: ctx.maybe, open: ctx.open}
)");
}

// CODING, which a reviewer sends back to.
std::string lint_coding(const std::string& entry, const std::string& action,
                        const std::string& outer = "") {
  return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
context: {feedback: "", rounds: 0}
limits: {calls: 9}
agents: {coder: {hooks: coder.lua, access: edit}, reviewer: {hooks: hooks.lua}}
initial: WORK
on: {error: BAD}
states:
  WORK:
    initial: CODING
    entry: )" + (outer.empty() ? "ctx.rounds = 1" : outer) +
                                       R"(
    states:
      CODING:
        entry: )" + entry + R"(
        agent: coder
        on: {done: REVIEWING}
      REVIEWING:
        agent: {name: reviewer, verdicts: {GOOD: {}, POOR: {why: string}}}
        on:
          GOOD: END
          POOR: {target: CODING, do: )" +
                                       action + R"(}
  END: {final: true}
  BAD: {final: true, status: failed}
outputs: {rounds: ctx.rounds}
)"},
                     {"coder.lua", "return {prompt = function(m) return m.ctx.feedback end}"},
                     {"hooks.lua", "return {prompt = function(m) return 'GOOD or POOR' end}"}});
}

TEST(OverwrittenValue, IsGoneBeforeAnythingReadsIt) {
  EXPECT_EQ(
      lint_coding("ctx.feedback = ''", "ctx.feedback = event.why"),
      R"text(/team/flow.yaml:21:38: warning: ctx.feedback is overwritten by an entry before anything looks at what this assigns [W324/overwritten-value]
          POOR: {target: CODING, do: ctx.feedback = event.why}
                                     ^~~~~~~~~~~~
  help: `entry` runs behind `do`: reset it elsewhere, as in `exit`, or leave this out
/team/flow.yaml:14:16: note: it is overwritten here
        entry: ctx.feedback = ''
               ^~~~~~~~~~~~
)text");
  EXPECT_THAT(lint_coding("[ctx.rounds = ctx.rounds + 1, ctx.feedback = '']",
                          "[ctx.feedback = event.why, ctx.rounds = 3]"),
              testing::HasSubstr("ctx.feedback is overwritten"));
}

TEST(OverwrittenValue, IsNoneThatSomethingReads) {
  const std::string given = "ctx.feedback = event.why";
  for (const char* entry :
       {"ctx.rounds = ctx.rounds + 1", "ctx.feedback = ctx.feedback .. '!'",
        "[ctx.rounds = string.len(ctx.feedback), ctx.feedback = '']",
        "\"if ctx.rounds > 2 then ctx.feedback = '' end\"", "ctx.feedback = event.why"}) {
    EXPECT_EQ(lint_coding(entry, given), "") << entry;
  }
  EXPECT_EQ(lint_coding("ctx.feedback = ''",
                        "[ctx.feedback = event.why, ctx.rounds = string.len(ctx.feedback)]"),
            "");
  EXPECT_EQ(lint_coding("ctx.rounds = ctx.rounds + 1", given, "ctx.feedback = ''"), "")
      << "WORK is not entered again";
}

TEST(ConstantGuard, IsAnythingThatIsTrueInLua) {
  for (const std::string name : {"count", "text", "names", "owner"}) {
    EXPECT_THAT(lint_guard("ctx." + name), testing::HasSubstr("[W306/constant-guard]")) << name;
  }
  for (const char* guard : {"not ctx.text", "ctx.ready and #ctx.names", "ctx.text or ctx.ready"}) {
    EXPECT_THAT(lint_guard(guard), testing::HasSubstr("[W306/constant-guard]")) << guard;
  }
  EXPECT_EQ(
      lint_guard("ctx.ready and ctx.owner"),
      R"text(/team/flow.yaml:15:34: warning: a value of type string? is true in Lua, whatever it is: also 0, "", an empty list and null [W306/constant-guard]
      go: {guard: 'ctx.ready and ctx.owner', target: END}
                                 ^~~~~~~~~
  help: compare it, as in ctx.count > 0, ctx.text ~= "", #ctx.list > 0, ctx.name ~= null
)text");
}

TEST(ConstantGuard, IsNoBooleanAndNoComparison) {
  for (const char* guard :
       {"ctx.ready", "ctx.maybe", "ctx.open", "not ctx.ready", "ctx.count > 0",
        "(ctx.text or \"x\") == \"y\"", "#ctx.names > 0 and ctx.owner ~= null"}) {
    EXPECT_EQ(lint_guard(guard), "") << guard;
  }
}

TEST(ImpossibleComparison, IsOneOfADeclaredValueWithNil) {
  EXPECT_THAT(lint_guard("ctx.owner == nil"),
              testing::HasSubstr("warning: ctx.owner is never nil: without a value it is null "
                                 "[W311/impossible-comparison]"));
  EXPECT_THAT(lint_guard("nil ~= ctx.count"),
              testing::HasSubstr("help: its type allows no null either"));
  for (const char* guard : {"ctx.owner == null", "event.by == nil", "ctx.open ~= null"}) {
    EXPECT_EQ(lint_guard(guard), "") << guard;
  }
}

TEST(ImpossibleComparison, IsOneOfWhatMayBeNothing) {
  EXPECT_THAT(lint_guard("ctx.names[1] == 3"),
              testing::HasSubstr("warning: a value of type string never equals one of type number "
                                 "[W311/impossible-comparison]"));
  EXPECT_THAT(lint_guard("ctx.owner == 3"), testing::HasSubstr("[W311/impossible-comparison]"));
  for (const char* guard : {"ctx.names[1] == \"a\"", "ctx.owner == ctx.text", "ctx.open == 3"}) {
    EXPECT_EQ(lint_guard(guard), "") << guard;
  }
}

TEST(ImpossibleComparison, IsOneOfAFailedProgramsStatusWithNought) {
  const auto guarded = [](const std::string& event, const std::string& guard) {
    return lint_text(
        "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    run: {argv: [make]}\n"
        "    on:\n      - {event: " +
        event + ", guard: " + guard +
        ", target: END}\n      - {event: [ok, failed, error], target: BAD}\n"
        "  END: {final: true}\n  BAD: {final: true, status: failed}\n");
  };
  EXPECT_THAT(
      guarded("failed", "event.status == 0"),
      testing::HasSubstr("warning: event.status is never 0 here [W311/impossible-comparison]"));
  EXPECT_EQ(guarded("failed", "event.status == 3"), "");
  EXPECT_THAT(
      guarded("ok", "event.status == 1"),
      testing::HasSubstr("warning: event.status is never 1 here [W311/impossible-comparison]"));
  EXPECT_EQ(guarded("[ok, failed]", "event.status == 0"), "");
}

TEST(UndefinedField, IsTheKindOfAnEventThatMayBeAny) {
  const auto guarded = [](const std::string& guard, const std::string& fields) {
    return lint_text(
        "agneto: 1\nname: flow\nagents: {coder: {hooks: hooks.lua}}\ninitial: A\nstates:\n"
        "  A:\n    agent: {name: coder, verdicts: {GOOD: {" +
        fields +
        "}, BAD: {}}}\n"
        "    on: {any: [{guard: '" +
        guard +
        "', target: END}, BAD]}\n"
        "  END: {final: true}\n  BAD: {final: true, status: failed}\n");
  };
  EXPECT_THAT(
      guarded("event.verdict == \"GOOD\"", ""),
      testing::HasSubstr("warning: an event has no field 'verdict' [W308/undefined-field]"));
  EXPECT_EQ(guarded("event.option == \"GOOD\"", "option: string"), "");
  EXPECT_EQ(guarded("event.name == \"GOOD\"", ""), "");
}

TEST(WrongOperand, IsWhatLuaFailsOn) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"ctx.count < \"3\"", "a value of type integer cannot be ordered with one of type string"},
      {"#ctx.count > 0", "a value of type integer has no length"},
      {"ctx.text .. ctx.names == \"\"", "'..' cannot join a value of type [string]"},
      {"ctx.names + 1 > 2", "'+' cannot calculate with a value of type [string]"},
      {"ctx.ready > 0", "'>' cannot order a value of type boolean"},
      {"ctx.names.length > 0", "the list ctx.names has no field 'length': this is nil"}};
  for (const auto& [guard, message] : all) {
    EXPECT_THAT(lint_guard(guard),
                testing::HasSubstr("warning: " + message + " [W317/wrong-operand]"))
        << guard;
  }
  for (const char* guard :
       {"ctx.count < 3", "#ctx.text > 0", "ctx.text .. ctx.count == \"1\"", "ctx.names[1] == \"a\"",
        "ctx.text + 1 > 2", "ctx.text < \"b\"", "-ctx.count < 0", "ctx.open < 3"}) {
    EXPECT_EQ(lint_guard(guard), "") << guard;
  }
}

// What is said of an entry action, in a machine that takes what it sends.
std::string lint_action(const std::string& action) {
  return lint_text("agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    entry: |\n      " +
                   action + "\n    on: {go: END}\n  END: {final: true}\n");
}

TEST(SendOptions, AreTheThirdArgumentOfSendWithAUnit) {
  EXPECT_EQ(
      lint_action("send(\"go\", {}, {after = 600})"),
      R"text(/team/flow.yaml:7:31: warning: 600 is a number of milliseconds here [W516/send-options]
      send("go", {}, {after = 600})
                              ^~~
  help: write a duration with its unit: after = "600s"
)text");
  EXPECT_EQ(
      lint_action("raise(\"go\", {}, {after = \"5m\"})"),
      R"text(/team/flow.yaml:7:23: warning: `raise` takes no options: its event comes at once [W516/send-options]
      raise("go", {}, {after = "5m"})
                      ^~~~~~~~~~~~~~
  help: send("event", data, {after = "5m"}) comes later
)text");
  for (const char* right :
       {R"(send("go", {}, {after = "10m", id = "x"}))", R"(send("go", {count = 1}))",
        R"(raise("go", {after = "x"}))", R"(send("go", {after = 1, count = 2, of = 3}))"}) {
    EXPECT_EQ(lint_action(right), "") << right;
  }
}

TEST(SameAnswer, IsNoneThatIsRemembered) {
  const auto asking = [](const std::string& no) {
    return lint_text(
        "agneto: 1\nname: flow\ncontext: {sure: false}\ninitial: A\nstates:\n  A:\n"
        "    ask: {question: Deploy, options: {GO: Go on, HALT: Stop}}\n    on: {GO: B, HALT: " +
        no +
        "}\n  B:\n    run: {argv: [make]}\n    on: {ok: END, failed: END}\n  END: {final: true}\n"
        "outputs: {sure: not ctx.sure}\n");
  };
  EXPECT_THAT(asking("B"), testing::HasSubstr(
                               "warning: each answer to 'A' leads to the same [W429/same-answer]"));
  EXPECT_EQ(asking("{target: B, do: ctx.sure = true}"), "");
  EXPECT_EQ(asking("END"), "");
}

TEST(SilentHook, IsOneThatReturnsNothingOrATable) {
  const auto hooks = [](const std::string& text) {
    return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
agents: {coder: {hooks: hooks.lua}}
initial: A
states:
  A:
    agent: {name: coder, verdicts: {OK: {}}}
    on: {OK: END}
  END: {final: true}
)"},
                       {"hooks.lua", text}});
  };
  EXPECT_EQ(hooks("return {prompt = function(m)\n  local parts = {'a'}\n  return parts\nend}"),
            R"text(/team/hooks.lua:3:10: warning: this `prompt` returns a table [W515/silent-hook]
  return parts
         ^~~~~
  help: return the text that the agent is asked, as agneto.join makes it of several
)text");
  for (const char* right : {"return {prompt = function(m) local parts = {'a'} parts = "
                            "table.concat(parts) return parts end}",
                            "return {prompt = function(m) error('none') end}",
                            "return {prompt = function(m) if m.task == 'x' then return 'a' else "
                            "return 'b' end end, parse = function(r) return 'OK', {} end}"}) {
    EXPECT_EQ(hooks(right), "") << right;
  }
  EXPECT_THAT(
      hooks("return {prompt = function() return 'x' end, parse = function(r) local v = 'OK' end}"),
      testing::HasSubstr("this `parse` returns nothing [W515/silent-hook]"));
  const auto calling = [&](const std::string& body) {
    return hooks("local function again(m) " + body +
                 " end\nreturn {prompt = function(m)\n  return again(m)\nend}");
  };
  EXPECT_EQ(
      calling("local text = 'Again' .. m.state"),
      R"text(/team/hooks.lua:3:10: warning: 'again' returns nothing, and with it this `prompt` [W515/silent-hook]
  return again(m)
         ^~~~~~~~
  help: return in it the text that the agent is asked, as agneto.join makes it of several
)text");
  EXPECT_EQ(calling("return 'OK'"), "");
  EXPECT_EQ(calling("error('no')"), "");
}

TEST(Livelock, IsOneFromTheBeginning) {
  EXPECT_THAT(
      lint_text(R"(agneto: 1
name: flow
context: {slots: 0}
initial: A
states:
  A:
    always:
      - {guard: ctx.slots > 0, target: END}
      - B
  B:
    always: A
  END: {final: true}
outputs: {slots: ctx.slots}
)"),
      testing::HasSubstr("/team/flow.yaml:6:3: warning: in 'A' the machine goes round in a circle, "
                         "with nothing to wait for [W229/livelock]"));
}

TEST(NeverAssigned, IsNoListThatABlockGivesAnotherName) {
  const auto collecting = [](const std::string& action) {
    return lint_text(
               "agneto: 1\nname: flow\ncontext: {log: {type: \"[string]\", default: []}}\n"
               "initial: A\nstates:\n  A:\n    on:\n      seen: {do: \"" +
               action + "\"}\n      stop: END\n  END: {final: true}\noutputs: {log: ctx.log}\n")
        .find("W314");
  };
  EXPECT_EQ(collecting("local l = ctx.log; l[#l + 1] = event.text"), std::string::npos);
  EXPECT_EQ(collecting("table.insert(ctx.log, event.text)"), std::string::npos);
  EXPECT_EQ(collecting("ctx.log[#ctx.log + 1] = event.text"), std::string::npos);
  EXPECT_EQ(collecting("table.insert(event.late and ctx.log or {}, event.text)"),
            std::string::npos);
  EXPECT_NE(collecting("local l = event.text"), std::string::npos);
}

TEST(NeverAssigned, IsANumberOfWhichACopyIsCounted) {
  EXPECT_EQ(
      lint_text(R"(agneto: 1
name: flow
context: {tries: 0, reason: ""}
initial: A
states:
  A:
    run: {argv: [make]}
    on:
      ok: END
      failed:
        - guard: ctx.tries < 3
          target: A
          do: |
            local tries = ctx.tries
            tries = tries + 1
            ctx.reason = "try " .. tries
        - BAD
      error: BAD
  END: {final: true}
  BAD: {final: true, status: failed}
outputs: {reason: ctx.reason}
)",
                {.explore = false}),
      R"text(/team/flow.yaml:3:11: warning: nothing assigns ctx.tries, which stays 0 in a guard [W314/never-assigned]
context: {tries: 0, reason: ""}
          ^~~~~
  help: assign it in `do`, `entry` or `exit` where it is to change
/team/flow.yaml:11:18: note: a guard that reads it
        - guard: ctx.tries < 3
                 ^~~~~~~~~
)text");
}

TEST(WrongOperand, IsTheLengthOfAMap) {
  const auto having = [](const std::string& guard) {
    return lint_text(
        "agneto: 1\nname: flow\ncontext: {found: {type: map, default: {}}}\n"
        "initial: A\nstates:\n  A:\n    on:\n      seen: {do: ctx.found = event.data}\n"
        "      go: {guard: '" +
        guard + "', target: END}\n  END: {final: true}\n");
  };
  EXPECT_THAT(having("#ctx.found == 0"),
              testing::HasSubstr("warning: '#' of a map is 0, whatever is in it "
                                 "[W317/wrong-operand]"));
  EXPECT_EQ(having("next(ctx.found) == nil"), "");
}

TEST(NeverAssigned, IsAnEntryWhoseFieldAnotherOneIsGiven) {
  const auto revising = [](const std::string& entry) {
    return lint_text(R"(agneto: 1
name: flow
context: {plan: "", feedback: ""}
agents: {critic: {hooks: hooks.lua}}
initial: A
states:
  A:
    agent: {name: critic, verdicts: {FINE: {plan: string}, REVISE: {feedback: string}}}
    on:
      FINE: {target: END, do: ctx.plan = event.plan}
      REVISE: {target: END, do: )" +
                     entry + R"( = event.feedback}
      error: END
  END: {final: true}
outputs: {plan: ctx.plan, feedback: ctx.feedback}
)");
  };
  EXPECT_THAT(revising("ctx.plan"),
              testing::HasSubstr("warning: another entry is given event.feedback, and nothing "
                                 "assigns ctx.feedback [W314/never-assigned]"));
  EXPECT_EQ(revising("ctx.feedback"), "");
}

TEST(NoughtIndex, IsNoneOfACounterThatIsCountedOnBefore) {
  const auto going = [](const std::string& action, const std::string& first = "0") {
    return lint_text(
        "agneto: 1\nname: flow\ninputs: {files: {type: \"[string]\", default: [a]}}\n"
        "context: {n: " +
        first + ", file: \"\"}\ninitial: A\nstates:\n  A:\n    on:\n      go: {do: ['" + action +
        "']}\n      stop: END\n  END: {final: true}\noutputs: {file: ctx.file}\n");
  };
  EXPECT_THAT(going("ctx.file = inputs.files[ctx.n]; ctx.n = ctx.n + 1"),
              testing::HasSubstr("[W322/nought-index]"));
  EXPECT_THAT(going("ctx.file = inputs.files[ctx.n]', 'ctx.n = ctx.n + 1"),
              testing::HasSubstr("[W322/nought-index]"));
  EXPECT_EQ(going("ctx.n = ctx.n + 1; ctx.file = inputs.files[ctx.n]"), "");
  EXPECT_EQ(going("ctx.file = inputs.files[ctx.n]; ctx.n = ctx.n + 1", "1"), "");
}

TEST(UnsetName, IsNoTextThatOneOfTheWaysBrings) {
  const auto asking = [](const std::string& failed) {
    return lint_text(R"(agneto: 1
name: flow
context: {output: ""}
initial: A
states:
  A:
    run: {argv: [make]}
    on: {ok: Q, failed: )" +
                     failed + R"(, error: BAD}
  B:
    entry: ctx.output = "x"
    always: END
  Q:
    ask: {question: Well, show: ctx.output, options: {YES: It is, NO: It is not}}
    on: {YES: B, NO: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)");
  };
  EXPECT_THAT(asking("BAD"), testing::HasSubstr("[W315/unset-name]"));
  EXPECT_EQ(asking("{target: Q, do: ctx.output = event.output}"), "");
}

TEST(ConstantGuard, IsAlsoWhenAnOptionIsOffered) {
  const auto offered = [](const std::string& when) {
    return lint_text(R"(agneto: 1
name: flow
inputs: {old: {type: string, default: ""}, again: {type: boolean, default: false}}
initial: A
states:
  A:
    ask:
      question: What now?
      options:
        OLD: {label: "Ship {{inputs.old}}, {{inputs.again}}", when: ')" +
                     when + R"('}
        STOP: Stop here
    on: {OLD: END, STOP: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)");
  };
  EXPECT_EQ(
      offered("inputs.old"),
      R"text(/team/flow.yaml:10:70: warning: a value of type string is true in Lua, whatever it is: also 0, "", an empty list and null [W306/constant-guard]
        OLD: {label: "Ship {{inputs.old}}, {{inputs.again}}", when: 'inputs.old'}
                                                                     ^~~~~~~~~~
  help: compare it, as in ctx.count > 0, ctx.text ~= "", #ctx.list > 0, ctx.name ~= null
)text");
  EXPECT_EQ(
      offered("\"no\""),
      R"text(/team/flow.yaml:10:69: warning: the condition '"no"' is always the same, whatever happens [W306/constant-guard]
        OLD: {label: "Ship {{inputs.old}}, {{inputs.again}}", when: '"no"'}
                                                                    ^~~~~~
  help: leave it out if it is true, the option if it is false; a text is always true
)text");
  for (const char* right : {"inputs.again", "inputs.old ~= \"\"", "run.interactive"}) {
    EXPECT_EQ(offered(right), "") << right;
  }
}

TEST(SingleBraces, AreNoneBehindADollarEither) {
  const auto merging = [](const std::string& into, const std::string& message) {
    return lint_text(R"(agneto: 1
name: flow
inputs: {branch: {type: string, default: main}, price: {type: number, default: 2.5}}
initial: A
states:
  A:
    ask: {question: "Merge into ${{inputs.branch}} for ${{inputs.price}}?", options: {GO: Go, HALT: Stop}}
    on: {GO: B, HALT: END}
  B:
    workspace: {commit: {message: work}}
    on: {ok: C, failed: BAD, error: BAD}
  C:
    workspace: {merge: {into: ")" +
                     into + R"(", message: ")" + message + R"("}}
    on: {ok: END, conflict: BAD, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)");
  };
  EXPECT_THAT(
      merging("${{inputs.branch}}", "work"),
      testing::HasSubstr(R"text(warning: the '$' before '{{' stays in the text [W319/single-braces]
    workspace: {merge: {into: "${{inputs.branch}}", message: "work"}}
                              ^~~~~~~~~~~~~~~~~~~~
  help: leave it out: {{inputs.branch}}
)text"));
  const std::string right = merging("{{inputs.branch}}", "for ${{inputs.price}}");
  EXPECT_THAT(right, testing::Not(testing::HasSubstr("W319")));
}

TEST(NullAtFirst, IsWhatIsOnlyAddedTo) {
  const auto adding = [](const std::string& entry, const std::string& action) {
    return lint_text("agneto: 1\nname: flow\ncontext:\n  n: " + entry +
                     "\ninitial: A\nstates:\n  A:\n    on: {go: {target: A, do: '" + action +
                     "'}, stop: END}\n  END: {final: true}\noutputs: {n: ctx.n}\n");
  };
  EXPECT_EQ(
      adding("", "ctx.n = ctx.n + 1"),
      R"text(/team/flow.yaml:4:3: warning: ctx.n begins as null, and what adds to it fails [W320/null-at-first]
  n: 
  ^
  help: let it begin as "" or 0
/team/flow.yaml:8:31: note: this is an error each time
    on: {go: {target: A, do: 'ctx.n = ctx.n + 1'}, stop: END}
                              ^~~~~
)text");
  EXPECT_THAT(adding("{type: \"string?\", default: null}", "ctx.n = \"a\" .. ctx.n .. \"b\""),
              testing::HasSubstr("[W320/null-at-first]"));
  for (const char* right : {"ctx.n = (ctx.n or 0) + 1", "ctx.n = ctx.n == null and 1 or ctx.n + 1",
                            "if ctx.n == null then ctx.n = 0 end; ctx.n = ctx.n + 1", "ctx.n = 1",
                            "local c = ctx; c.n = 0; ctx.n = ctx.n + 1"}) {
    EXPECT_THAT(adding("", right), testing::Not(testing::HasSubstr("W320"))) << right;
  }
  EXPECT_EQ(adding("0", "ctx.n = ctx.n + 1"), "");
}

TEST(WrongOperand, IsWhatAnAgentMayLeaveOut) {
  const auto rejected = [](const std::string& action, const std::string& guard = "") {
    return lint_text(R"(agneto: 1
name: flow
context: {reason: ""}
agents: {reviewer: {hooks: hooks.lua}}
initial: A
states:
  A:
    agent: {name: reviewer, verdicts: {GOOD: {}, BAD: {why: "string?"}}}
    on:
      GOOD: END
      BAD:)" + guard +
                     R"(
        - target: END
          do: )" + action +
                     R"(
      error: END
  END: {final: true}
outputs: {reason: ctx.reason}
)");
  };
  EXPECT_EQ(
      rejected("ctx.reason = 'No. ' .. event.why"),
      R"text(/team/flow.yaml:13:38: warning: event.why may be null, and '..' fails on null [W317/wrong-operand]
          do: ctx.reason = 'No. ' .. event.why
                                     ^~~~~~~~~
  help: say what else: (event.why ~= null and event.why or "")
)text");
  for (const char* right : {"ctx.reason = event.why ~= null and 'No. ' .. event.why or ''",
                            "if event.why ~= null then ctx.reason = ctx.reason .. event.why end"}) {
    EXPECT_EQ(rejected(right), "") << right;
  }
  EXPECT_EQ(rejected("ctx.reason = 'No. ' .. event.why",
                     "\n        - {guard: event.why == null, target: END}"),
            "");
}

TEST(ControlCharacter, IsWhatYamlMakesOfAnEscape) {
  const auto running = [](const std::string& run, const std::string& action = "ctx.n = ''") {
    return lint_text(
        "agneto: 1\nname: flow\ncontext: {n: x}\ninitial: A\nstates:\n  A:\n    entry: " + action +
        "\n    run: " + run +
        "\n    on: {ok: END, failed: BAD, error: BAD}\n  END: {final: true}\n"
        "  BAD: {final: true, status: failed}\noutputs: {n: ctx.n}\n");
  };
  EXPECT_EQ(
      running("{argv: [grep, \"\\bx\\b\"]}"),
      R"text(/team/flow.yaml:8:24: warning: in double quotes YAML makes a backspace of '\b' [W321/control-character]
    run: {argv: [grep, "\bx\b"]}
                       ^~~~~~~
  help: write it behind '|' or in single quotes, which keep the backslash
)text");
  EXPECT_THAT(running("{shell: \"grep '\\bx\\b' src\"}"),
              testing::HasSubstr("in double quotes YAML makes a backspace of '\\b'"));
  EXPECT_THAT(running("{argv: [make]}", "\"ctx.n = 'a\\fb'\""),
              testing::HasSubstr("in double quotes YAML makes a form feed of '\\f'"));
  for (const char* right : {"{argv: [grep, '\\bx\\b']}", "{shell: grep '\\bx\\b' src}",
                            "{argv: [printf, \"a\\tb\\n\"]}", "{argv: [echo, \"\\x1b[1m\"]}"}) {
    EXPECT_EQ(running(right), "") << right;
  }
}

// What is said of an action over lists of several types.
std::string lint_lists(const std::string& action) {
  return lint_text(R"(agneto: 1
name: flow
inputs: {numbers: "[integer]", words: "[string]", things: list}
context:
  names: {type: "[string]", default: []}
  sizes: {type: "[number]", default: []}
  modes: {type: "[enum [fast, slow]]", default: []}
  rows: {type: "[[string]]", default: []}
  all: {type: list, default: []}
initial: A
states:
  A:
    on:
      stop: {target: END, do: 'ctx.names = inputs.words; ctx.sizes = inputs.numbers; ctx.rows = inputs.things; ctx.all = inputs.numbers; ctx.modes = {"fast"}'}
      go:
        target: END
        do: |
          )" + action +
                   R"(
  END: {final: true, status: failed}
outputs: {names: ctx.names, sizes: ctx.sizes, modes: ctx.modes, rows: ctx.rows, all: ctx.all}
)");
}

TEST(WrongAssignment, IsOfAListWithOtherElements) {
  EXPECT_EQ(
      lint_lists("ctx.names = inputs.numbers"),
      R"(/team/flow.yaml:18:23: warning: ctx.names is of type [string], which this value never is [W310/wrong-assignment]
          ctx.names = inputs.numbers
                      ^~~~~~~~~~~~~~
  help: the entry would keep its old value, and error.lua be raised
/team/flow.yaml:5:3: note: it is declared here
  names: {type: "[string]", default: []}
  ^~~~~
)");
  EXPECT_EQ(
      lint_lists("table.insert(ctx.names, 3)"),
      R"(/team/flow.yaml:18:35: warning: the elements of ctx.names are of type string, which this value never is [W310/wrong-assignment]
          table.insert(ctx.names, 3)
                                  ^
  help: the list would stay as it was, and error.lua be raised
/team/flow.yaml:5:3: note: it is declared here
  names: {type: "[string]", default: []}
  ^~~~~
)");
  for (const char* action :
       {"ctx.names = {\"a\", 2}", "ctx.names[#ctx.names + 1] = 3",
        "table.insert(ctx.names, 1, true)", "table.insert(ctx.modes, \"medium\")",
        "ctx.modes = {\"medium\"}", "table.insert(ctx.rows, \"x\")", "ctx.sizes = inputs.words",
        "ctx.rows = inputs.words"}) {
    EXPECT_THAT(lint_lists(action), testing::HasSubstr("[W310/wrong-assignment]")) << action;
  }
  for (const char* action :
       {"ctx.names = inputs.words", "ctx.sizes = inputs.numbers", "ctx.all = inputs.words",
        "ctx.names = inputs.things", "ctx.names = {}", "ctx.names = {inputs.words[1], tostring(2)}",
        "table.insert(ctx.names, inputs.things[1])", "table.insert(ctx.modes, \"fast\")",
        "table.insert(ctx.all, 3)", "table.insert(ctx.rows, {\"x\"})", "ctx.names[1] = nil",
        "local mine = inputs.numbers; ctx.sizes = mine", "ctx.sizes = {1, 2.5}"}) {
    EXPECT_EQ(lint_lists(action), "") << action;
  }
}

// What is said of a machine with Lua in one of these places.
std::string lint_lua(const std::string& transition, const std::string& env = "ctx.title",
                     const std::string& output = "ctx.title", const char* hooks = good_hooks) {
  return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
context: {title: "", ready: false, rows: []}
agents:
  coder: {hooks: hooks.lua}
initial: A
states:
  A:
    agent: coder
    on:
      done: {target: B, do: 'ctx.ready = true; ctx.rows = {{inputs.task}}'}
      error: END
      again: )" + transition + R"(
  B:
    run: {argv: [make, "{{ctx.ready}}", "{{ctx.title}}"], env: {TITLE: ')" +
                                       env + R"('}}
    on: {ok: END, failed: END, error: END}
  END: {final: true}
outputs: {rows: ctx.rows, title: ')" + output +
                                       "'}\n"},
                     {"hooks.lua", hooks}});
}

const std::string titled = "{target: B, do: 'ctx.title = inputs.task'}";

TEST(BracesInLua, AreAListOfAListWhereNoneIsMeant) {
  EXPECT_EQ(
      lint_lua("{target: B, guard: '{{ctx.ready}}', do: 'ctx.title = inputs.task'}"),
      R"(/team/flow.yaml:14:34: warning: '{{ctx.ready}}' is Lua here: a list in which there is a list [W323/braces-in-lua]
      again: {target: B, guard: '{{ctx.ready}}', do: 'ctx.title = inputs.task'}
                                 ^~~~~~~~~~~~~
  help: write ctx.ready
)");
  const auto found = testing::HasSubstr("help: write ctx.title\n");
  EXPECT_THAT(lint_lua(titled, "{{ctx.title}}"), found);
  EXPECT_THAT(lint_lua(titled, "ctx.title", "{{ ctx.title }}"), found);
  EXPECT_EQ(lint_lua(titled, "ctx.title", "{{ctx.rows}}"), "");
  EXPECT_EQ(lint_lua(titled, "ctx.title", "{{ctx.title, 1}}"), "");
}

TEST(BracesInLua, StandInATextAsTheyAre) {
  const auto found = testing::HasSubstr("[W323/braces-in-lua]");
  for (const char* action : {"ctx.title = \"See {{inputs.task}}\"",
                             "ctx.title = ctx.title .. \", {{ inputs.task }}\""}) {
    EXPECT_THAT(lint_lua("{target: B, do: '" + std::string(action) + "'}"), found) << action;
  }
  EXPECT_THAT(lint_lua(titled, "\"v{{ctx.title}}\""), found);
  EXPECT_EQ(
      lint_lua(titled, "\"See {{ctx.title}}\"", "\"See {{ctx.title}}\"",
               "return {prompt = function(m) return require('agneto').render(m.task, m) end}"),
      "");
  for (const char* text : {"\"${{inputs.task}}\"", "\"{{inputs.other}}\"", "\"{{.Names}}\"",
                           "string.upper(\"{{inputs.task}}\")",
                           "\"See {{inputs.task}}\" == ctx.title and \"1\" or \"0\""}) {
    EXPECT_EQ(lint_lua(titled, text), "") << text;
  }
}

TEST(SingleBraces, AreMissingWhereLuaJoinsTexts) {
  const auto lint_question = [](const std::string& question) {
    return lint_text(R"(agneto: 1
name: flow
context: {n: 0}
initial: A
states:
  A:
    entry: ctx.n = ctx.n + 1
    ask: {question: ")" +
                     question + R"(", options: {YES: "{{ctx.n}}"}}
    on: {YES: END}
  END: {final: true}
)");
  };
  EXPECT_EQ(
      lint_question("'Good: ' .. ctx.n"),
      R"(/team/flow.yaml:8:21: warning: this is Lua, which stays in the text as it is [W319/single-braces]
    ask: {question: "'Good: ' .. ctx.n", options: {YES: "{{ctx.n}}"}}
                    ^~~~~~~~~~~~~~~~~~~
  help: a template is no Lua: write the words without quotes, and in double braces what is to be put in
)");
  for (const char* question : {"Compare main..ctx.n", "'Good: ' .. n", "Is 'a' .. ctx.n a text?",
                               "main..ctx.n", "'Good' or ctx.n"}) {
    EXPECT_EQ(lint_question(question), "") << question;
  }
}

}  // namespace
}  // namespace agneto::lint
