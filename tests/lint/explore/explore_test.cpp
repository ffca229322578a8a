#include <gmock/gmock.h>

#include "lint/explore/explorations.h"
#include "lint/linting.h"
#include "model/load.h"
#include "support/paths.h"

namespace agneto::lint {
namespace {

using testing::ElementsAre;

struct Explored {
  MemoryFiles files;
  Findings findings;
  std::unique_ptr<LintContext> context;
  std::unique_ptr<Explorations> explorations;

  explicit Explored(const std::string& states, std::size_t budget = 1000,
                    Numbers numbers = Numbers::unknown,
                    const std::map<std::string, std::string>& others = {}) {
    files.add("/team/flow.yaml", "agneto: 1\nname: flow\ninitial: A\n" + states);
    for (const auto& [name, text] : others) files.add("/team/" + name, text);
    findings = lint("/team/flow.yaml", files, "/lib");
    EXPECT_FALSE(findings.diagnostics.has_errors()) << render(findings.diagnostics);
    context = std::make_unique<LintContext>(*findings.system, files, "/lib");
    explorations = std::make_unique<Explorations>(*context, numbers, budget);
  }

  const model::Machine& machine() const { return findings.system->main(); }
  const Exploration& exploration() { return explorations->of(machine()); }

  std::vector<std::string> entered() {
    std::vector<std::string> names;
    for (const model::State& state : machine().states) {
      if (exploration().entered[state.id] && state.id != 0) names.push_back(state.name);
    }
    return names;
  }
};

TEST(Explore, FollowsFlagsAndCounters) {
  Explored found(R"(context: {tries: 0, checked: false}
states:
  A:
    entry: ctx.tries = ctx.tries + 1
    run: {argv: [make]}
    on:
      ok: {target: END, do: ctx.checked = true}
      failed:
        - {guard: ctx.tries < 3, target: A}
        - {guard: ctx.tries > 3, target: B}
        - {guard: ctx.checked, target: C}
        - END
      error: END
  B: {run: {argv: [b]}, on: {any: END}}
  C: {run: {argv: [c]}, on: {any: END}}
  END: {final: true}
)");
  EXPECT_TRUE(found.exploration().complete());
  EXPECT_THAT(found.entered(), ElementsAre("A", "END"));
}

TEST(Explore, TriesBothWaysOfWhatIsNotKnown) {
  Explored found(R"(inputs: {task: string, mode: "enum [x, y]"}
context: {text: ""}
states:
  A:
    run: {argv: [make]}
    on:
      ok:
        - {guard: inputs.task == "b", target: B}
        - {guard: string.len(ctx.text) > 3 and run.interactive, target: C}
        - {guard: inputs.mode == "x" and inputs.mode == "y", target: D}
        - END
      any: END
  B: {run: {argv: [b]}, on: {any: END}}
  C: {run: {argv: [c]}, on: {any: END}}
  D: {run: {argv: [d]}, on: {any: END}}
  END: {final: true}
)");
  EXPECT_TRUE(found.exploration().complete());
  EXPECT_THAT(found.entered(), ElementsAre("A", "B", "C", "END"));
}

TEST(Explore, KnowsNothingOfWhatAnOpaqueActionAssigns) {
  Explored found(R"(context: {n: 0}
states:
  A:
    run: {argv: [make]}
    on:
      ok:
        - {guard: ctx.n > 5, target: B}
        - {target: A, do: ctx.n = event.status}
      any: END
  B: {run: {argv: [b]}, on: {any: END}}
  END: {final: true}
)");
  EXPECT_TRUE(found.exploration().complete());
  EXPECT_THAT(found.entered(), ElementsAre("A", "B", "END"));
}

// Somebody may send an event that nobody has thought of; where the machine waits for nothing else,
// it is stuck all the same.
TEST(Explore, LetsAnyEventComeWhereAnyIsTaken) {
  Explored found(R"(states:
  A:
    run: {argv: [make]}
    on:
      ok: END
      failed: END
      error: END
      any: [{guard: 'event.name == "ok"', target: C}, B]
  B: {on: {any: END}}
  C: {on: {any: END}}
  END: {final: true}
)");
  EXPECT_TRUE(found.exploration().complete());
  EXPECT_THAT(found.entered(), ElementsAre("A", "B", "END"));
  EXPECT_TRUE(found.exploration().configurations[2].stuck);
}

// `e` takes `e.anything`, too, which a guard on the name tells apart.
TEST(Explore, LetsALongerNameComeWhereAGuardAsksForTheName) {
  Explored found(R"(states:
  A:
    on:
      e: [{guard: 'event.name == "e"', target: B}, C]
      f: [{guard: 'event.name == "f.g"', target: END}, END]
  B: {}
  C: {on: {f: END}}
  END: {final: true}
)");
  EXPECT_TRUE(found.exploration().complete());
  EXPECT_THAT(found.entered(), ElementsAre("A", "B", "C", "END"));
}

TEST(Explore, SaysWhenItIsNotAllThereIs) {
  const std::string counting = R"(context: {n: 0}
states:
  A:
    run: {argv: [make]}
    on:
      ok: {target: A, do: ctx.n = ctx.n - 1}
      failed: {guard: ctx.n == 7, target: END}
      error: END
  END: {final: true}
)";
  using Extent = Exploration::Extent;
  EXPECT_EQ(Explored(counting, 50).exploration().extent, Extent::over_budget);
  EXPECT_EQ(Explored(R"(context: {name: go}
states:
  A:
    run: {argv: [make]}
    on: {ok: {do: raise(ctx.name)}, go: {target: END, guard: false == run.interactive}, any: END}
  END: {final: true}
)")
                .exploration()
                .extent,
            Extent::lost);
}

// Above 5 all numbers are alike, unless something else is made of them.
TEST(Explore, CountsNoFurtherThanMakesADifference) {
  const auto counting = [](const std::string& more) {
    return R"(context: {n: 0, m: 0}
inputs: {most: {type: integer, default: 5}}
states:
  A:
    run: {argv: [make, "{{ctx.n}}"]}
    on:
      ok: {target: A, do: ctx.n = ctx.n + 2}
      failed: {guard: ctx.n > inputs.most, target: END}
      error: {target: A, do: "ctx.n = 0)" +
           more + R"("}
  END: {final: true}
)";
  };
  const auto explored = [&](const std::string& more) {
    Explored found(counting(more), 50, Numbers::defaults);
    EXPECT_THAT(found.entered(), ElementsAre("A", "END"));
    return std::pair(found.exploration().complete(), found.exploration().configurations.size());
  };
  // A with 0, 2, 4 and 6 or more, the end, and the failure of an outcome that nothing takes.
  EXPECT_EQ(explored(""), std::pair(true, 6UL));
  EXPECT_EQ(explored("; if ctx.n == 5 then ctx.m = 1 end"), std::pair(true, 6UL));
  EXPECT_FALSE(explored("; if ctx.n == ctx.m then ctx.m = ctx.n end").first);
}

const std::string inner = R"(agneto: 1
name: inner
inputs: {mode: "enum [quick, thorough]", most: {type: integer, default: 1}}
context: {n: 0, deep: false}
initial: A
states:
  A:
    entry: ctx.n = ctx.n + 1
    run: {argv: [make]}
    on:
      ok:
        - {guard: inputs.mode == "quick", target: END}
        - {target: END, do: ctx.deep = true}
      failed:
        - {guard: ctx.n < inputs.most, target: A}
        - BROKEN
      error: BROKEN
  END: {final: true}
  BROKEN: {final: true}
outputs: {deep: ctx.deep}
)";

TEST(Explore, LetsAnotherMachineStandForWhatItEndsInGivenItsInputs) {
  Explored found(R"(states:
  A:
    machine: inner.yaml
    with: {mode: '"quick"'}
    on:
      END:
        - {guard: event.deep, target: DEEP}
        - B
      BROKEN: END
      error: END
  B:
    machine: inner.yaml
    with: {mode: '"thorough"', most: "2"}
    on:
      END:
        - {guard: event.deep, target: DEEP}
        - NEVER
      BROKEN: END
      error: END
  DEEP: {run: {argv: [deep]}, on: {any: END}}
  NEVER: {run: {argv: [never]}, on: {any: END}}
  END: {final: true}
)",
                 1000, Numbers::unknown, {{"inner.yaml", inner}});
  EXPECT_TRUE(found.exploration().complete());
  EXPECT_THAT(found.entered(), ElementsAre("A", "B", "DEEP", "END"));
  std::vector<std::size_t> sizes;
  for (const auto& one : found.explorations->all()) {
    sizes.push_back(one.exploration.configurations.size());
  }
  EXPECT_THAT(sizes, ElementsAre(3, 4, 4));
}

TEST(Explore, KnowsNothingOfAMachineThatDelegatesToItself) {
  Explored found(R"(states:
  A:
    machine: flow.yaml
    on: {END: END, OTHER: OTHER, any: A}
  END: {final: true}
  OTHER: {final: true}
)");
  EXPECT_TRUE(found.exploration().complete());
  EXPECT_THAT(found.entered(), ElementsAre("A", "END", "OTHER"));
  // The machine inside, and not the one in that.
  ASSERT_EQ(found.explorations->all().size(), 2U);
  EXPECT_FALSE(found.explorations->all()[0].exploration.summarised[1]);
  EXPECT_TRUE(found.explorations->all()[1].exploration.summarised[1]);
}

TEST(Explore, CountsToTheDefaultsOfInputs) {
  const std::string states = R"(inputs: {most: {type: integer, default: 40}}
context: {n: 0}
states:
  A:
    run: {argv: [make]}
    on:
      any:
        - {guard: ctx.n < inputs.most, target: A, do: ctx.n = ctx.n + 1}
        - END
  END: {final: true}
)";
  EXPECT_EQ(Explored(states).exploration().configurations.size(), 2U);
  Explored few(states, 1000, Numbers::small);
  EXPECT_EQ(few.exploration().configurations.size(), 5U);
  Explored all(states, 1000, Numbers::defaults);
  EXPECT_EQ(all.exploration().configurations.size(), 42U);
}

TEST(Explore, ForgetsWhatDoesNotMatterOutsideOfAState) {
  const std::string states = R"(context: {n: 0}
states:
  A:
    initial: B
    entry: ctx.n = 0
    states:
      B:
        run: {argv: [make]}
        on:
          ok: {guard: ctx.n < 3, target: B, do: ctx.n = ctx.n + 1}
          failed: C
          error: C
  C: {run: {argv: [c]}, on: {ok: A, any: END}}
  END: {final: true}
)";
  // B with each count, C, the end, and the failure of an outcome that nothing takes.
  EXPECT_EQ(Explored(states).exploration().configurations.size(), 7U);
}

TEST(Explore, OffersTheOptionsThatCanBe) {
  Explored found(R"(context: {again: true}
states:
  A:
    ask: {question: Well, options: {MORE: {label: More, when: ctx.again}, STOP: Stop}}
    on: {MORE: {target: B, do: ctx.again = false}, STOP: END}
  B:
    ask: {question: Well, options: {MORE: {label: More, when: ctx.again}, STOP: Stop}}
    on: {MORE: C, STOP: END}
  C: {run: {argv: [c]}, on: {any: END}}
  END: {final: true}
)");
  EXPECT_TRUE(found.exploration().complete());
  EXPECT_THAT(found.entered(), ElementsAre("A", "B", "END"));
}

TEST(Explore, TellsApartTheFlagsThatAVerdictBrings) {
  Explored found(R"(agents: {judge: {hooks: hooks.lua}}
context: {fine: false}
states:
  A:
    agent: {name: judge, verdicts: {DONE: {fine: boolean, why: string}}}
    on: {DONE: {target: B, do: ctx.fine = event.fine}, error: END}
  B:
    always:
      - {guard: ctx.fine, target: C}
      - {guard: not ctx.fine, target: END}
      - D
  C: {run: {argv: [c]}, on: {any: END}}
  D: {run: {argv: [d]}, on: {any: END}}
  END: {final: true}
)",
                 1000, Numbers::unknown, {{"hooks.lua", good_hooks}});
  EXPECT_TRUE(found.exploration().complete());
  EXPECT_THAT(found.entered(), ElementsAre("A", "B", "C", "END"));
}

// B is where `ctx.heard` is true as the machine inside says something else, or ends: after `first`,
// and before what the machine then sends itself.
std::vector<std::string> entered_with(const std::string& told, const std::string& on) {
  Explored found(
      "context: {heard: false}\nstates:\n  A:\n    machine: inner.yaml\n    on:\n"
      "      first: {guard: not ctx.heard, do: 'ctx.heard = true; send(\"own\")'}\n"
      "      own: {do: ctx.heard = false}\n      error: END\n" +
          on + "  B: {run: {argv: [b]}, on: {any: END}}\n  END: {final: true}\n",
      1000, Numbers::unknown,
      {{"inner.yaml",
        "agneto: 1\nname: inner\ninitial: WORK\nstates:\n  WORK:\n"
        "    run: {argv: [make]}\n    on:\n      ok: {target: DONE, do: '" +
            told +
            "'}\n      failed: DONE\n      error: DONE\n"
            "  DONE: {final: true}\n"}});
  EXPECT_TRUE(found.exploration().complete());
  return found.entered();
}

TEST(Explore, HearsOthersBeforeWhatTheMachineHasSentItself) {
  const std::string first = R"(send("first", {}, {to = "parent"}))";
  const std::string second = R"( send("second", {}, {to = "parent"}))";
  EXPECT_THAT(entered_with(first + second,
                           "      second: {guard: ctx.heard, target: B}\n      DONE: END\n"),
              ElementsAre("A", "B", "END"));
  EXPECT_THAT(entered_with(first, "      DONE: [{guard: ctx.heard, target: B}, END]\n"),
              ElementsAre("A", "B", "END"));
}

// The machine inside ends as it starts, while two events of the machine's own wait already.
TEST(Explore, HearsSoOfEndsToo) {
  Explored found(
      R"(context: {heard: false}
states:
  A:
    entry: send("one") send("two")
    machine: inner.yaml
    on:
      one: {do: 'ctx.heard = true; send("own")'}
      two: {}
      own: {do: ctx.heard = false}
      DONE: [{guard: ctx.heard, target: B}, END]
      error: END
  B: {run: {argv: [b]}, on: {any: END}}
  END: {final: true}
)",
      1000, Numbers::unknown,
      {{"inner.yaml", "agneto: 1\nname: inner\ninitial: DONE\nstates: {DONE: {final: true}}\n"}});
  EXPECT_TRUE(found.exploration().complete());
  EXPECT_THAT(found.entered(), ElementsAre("A", "B", "END"));
}

TEST(Explore, TellsThatNobodyWasThere) {
  const auto entered = [](const std::string& code) {
    Explored found(
        "states:\n  A:\n    run: {argv: [make]}\n    on: {ok: C, failed: END, error: END}\n"
        "    entry: |\n      " +
            code +
            "\n  B: {run: {argv: [b]}, on: {any: END}}\n"
            "  C: {machine: inner.yaml, on: {DONE: END, error: END}}\n  END: {final: true}\n"
            "on: {error.communication: B, x: {}}\n",
        1000, Numbers::unknown,
        {{"inner.yaml",
          "agneto: 1\nname: inner\ninitial: W\nstates:\n"
          "  W: {on: {x: DONE}}\n  DONE: {final: true}\n"}});
    EXPECT_TRUE(found.exploration().complete());
    return found.entered();
  };
  EXPECT_THAT(entered("send(\"x\", {}, {to = \"C\", after = \"1m\"})"),
              ElementsAre("A", "B", "C", "END"));
  EXPECT_THAT(entered("send(\"x\", {}, {after = \"1m\"})"), ElementsAre("A", "C", "END"));
}

TEST(Explore, KnowsTheBundledMachinesCompletely) {
  const fs::path source = AGNETO_SOURCE_DIR;
  const Findings findings = lint(source / "workflows/agneto.yaml", Disk(), source / "scripts/lib");
  const LintContext context(*findings.system, Disk(), source / "scripts/lib");
  for (const model::Machine& machine : findings.system->machines) {
    const Exploration& found = context.exploration(machine);
    EXPECT_TRUE(found.complete()) << machine.name << ": " << found.configurations.size();
    EXPECT_GT(found.configurations.size(), 20U) << machine.name;
    for (const Configuration& one : found.configurations) EXPECT_FALSE(one.stuck) << machine.name;
  }
}

}  // namespace
}  // namespace agneto::lint
