// What `extends` makes of files.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model/loading.h"
#include "yaml/writer.h"

namespace agneto::model {
namespace {

using testing::ElementsAre;

constexpr const char* base = R"(agneto: 1
name: base
inputs: {task: {type: string, main: true}, tries: {type: integer, default: 3}}
context: {count: 0, note: none yet}
agents:
  worker: {hooks: hooks.lua, access: read-only, idle: 15m}
initial: WORKING
on:
  stop: {target: STOPPED, do: ctx.note = "stopped"}
states:
  WORKING:
    initial: ASKING
    states:
      ASKING:
        agent:
          name: worker
          verdicts: {OK: {}, AGAIN: {why: string}}
        on:
          OK: {target: DONE, do: ctx.count = ctx.count + 1}
          AGAIN: [{guard: ctx.count < inputs.tries, target: ASKING}, STOPPED]
          error: STOPPED
  DONE: {final: true}
  STOPPED: {final: true, status: failed}
)";

LoadResult extended(const std::string& changes, const std::string& of = base) {
  return load_files({{"flow.yaml", "agneto: 1\nextends: base.yaml\n" + changes},
                     {"base.yaml", of},
                     {"hooks.lua", "return {}"}});
}

// The value at the path (of keys) in what they are together.
std::string merged(const LoadResult& result, std::initializer_list<const char*> path) {
  if (!result.loaded.system) return result.messages();
  const yaml::Node* node = result.loaded.trees.at(0).get();
  for (const char* key : path) {
    node = node->find(key);
    if (!node) return "there is none";
  }
  return yaml::to_yaml(*node);
}

std::string merged(const std::string& changes, std::initializer_list<const char*> path) {
  return merged(extended(changes), path);
}

TEST(Extending, WhatIsNotChangedIsTheBases) {
  const LoadResult result = extended("name: mine\n");
  ASSERT_EQ(result.messages(), "");
  EXPECT_EQ(merged(result, {"name"}), "mine\n");
  EXPECT_EQ(merged(result, {"context"}), "count: 0\nnote: none yet\n");
  EXPECT_EQ(merged(result, {"extends"}), "there is none");
  const Machine& machine = result.main();
  EXPECT_EQ(machine.file, "flow.yaml");
  EXPECT_EQ(machine.state(machine.by_name.at("ASKING")).span.source->path(), "base.yaml");
}

// What a call of the state works with, in an extended workflow: "PROVIDER MODEL EFFORT".
std::string reached(const std::string& changes, const char* state) {
  const LoadResult result = extended(changes, R"(agneto: 1
name: base
agents:
  worker: {hooks: hooks.lua, provider: claude, model: opus, effort: high, env: {A: b}}
  helper: {extends: worker, model: haiku}
initial: WORKING
states:
  WORKING: {agent: worker, on: {done: INSIDE, error: DONE}}
  INSIDE:
    initial: CALLING
    states:
      CALLING: {agent: {name: worker, model: sonnet}, on: {done: HELPING, error: DONE}}
      HELPING: {agent: helper, on: {done: OTHER, error: DONE}}
      OTHER: {agent: {name: helper, provider: gemini, model: pro}, on: {done: DONE, error: DONE}}
  DONE: {final: true}
)");
  if (!result.loaded.system) return result.messages();
  const Machine& machine = result.main();
  const auto& call = std::get<AgentCall>(machine.state(machine.by_name.at(state)).activity);
  AgentSettings settings = machine.agents[call.agent].settings;
  settings.lay(call.settings);
  return settings.provider + " " + settings.model + " " + settings.effort;
}

TEST(Extending, AnotherProviderIsNotToldTheWordsOfTheFirst) {
  const std::string same = "name: mine\n";
  EXPECT_EQ(reached(same, "WORKING"), "claude opus high");
  EXPECT_EQ(reached(same, "CALLING"), "claude sonnet high");
  EXPECT_EQ(reached(same, "HELPING"), "claude haiku high");
  EXPECT_EQ(reached(same, "OTHER"), "gemini pro ");

  const std::string codex = "agents: {worker: {provider: codex}}\n";
  EXPECT_EQ(reached(codex, "WORKING"), "codex  ");
  EXPECT_EQ(reached(codex, "CALLING"), "codex  ");
  EXPECT_EQ(reached(codex, "HELPING"), "codex  ");
  EXPECT_EQ(reached(codex, "OTHER"), "gemini pro ") << "which says its own";

  EXPECT_EQ(reached("agents: {worker: {provider: codex, model: gpt-5}}\n", "WORKING"),
            "codex gpt-5 ");
  EXPECT_EQ(reached("agents: {worker: {provider: claude, effort: low}}\n", "WORKING"),
            "claude opus low");
  const std::string call = "states: {CALLING: {agent: {provider: codex, effort: low}}}\n";
  EXPECT_EQ(reached(call, "CALLING"), "codex  low");
  EXPECT_EQ(reached(call, "WORKING"), "claude opus high");
}

TEST(Extending, AStateIsChangedWhereverItIs) {
  const LoadResult result = extended(R"(states:
  CHECKING: {agent: {name: worker, verdicts: {FINE: {}}}, on: {FINE: DONE, error: STOPPED}}
  ASKING: {on: {OK: CHECKING}}
)");
  EXPECT_EQ(merged(result, {"states", "WORKING", "states", "ASKING", "on"}),
            "OK: {target: CHECKING, do: ctx.count = ctx.count + 1}\n"
            "AGAIN: [{guard: ctx.count < inputs.tries, target: ASKING}, STOPPED]\n"
            "error: STOPPED\n");
  ASSERT_EQ(result.messages(), "");
  EXPECT_EQ(result.main().state(result.main().by_name.at("CHECKING")).parent, 0);
}

TEST(Extending, ANewStateIsWhereItIsWritten) {
  const LoadResult result = extended(R"(states:
  WORKING:
    states:
      CHECKING: {always: DONE}
  ASKING: {on: {OK: CHECKING}}
)");
  ASSERT_EQ(result.messages(), "");
  const Machine& machine = result.main();
  EXPECT_EQ(machine.state(machine.state(machine.by_name.at("CHECKING")).parent).name, "WORKING");
}

TEST(Extending, MapsAreMergedByKeyAndNullRemoves) {
  EXPECT_EQ(merged("context: {note: null, more: 1}\non: {stop: {do: null}}\n", {"context"}),
            "count: 0\nmore: 1\n");
  EXPECT_EQ(merged("context: {more: 1}\non: {stop: {do: null}}\n", {"on"}),
            "stop: {target: STOPPED}\n");
  EXPECT_EQ(merged("on: {stop: null, halt: STOPPED}\n", {"on"}), "halt: STOPPED\n");
  EXPECT_EQ(merged("inputs: {tries: {minimum: 1}}\n", {"inputs", "tries"}),
            "type: integer\ndefault: 3\nminimum: 1\n");
  EXPECT_EQ(merged("agents: {worker: {idle: null, session: fresh}}\n", {"agents", "worker"}),
            "hooks: hooks.lua\naccess: read-only\nsession: fresh\n");
}

TEST(Extending, ListsAndLuaAreReplaced) {
  EXPECT_EQ(merged("states: {ASKING: {on: {AGAIN: ASKING}}}\n",
                   {"states", "WORKING", "states", "ASKING", "on", "AGAIN"}),
            "ASKING\n");
  EXPECT_EQ(merged("states: {ASKING: {on: {OK: {do: ctx.count = 7}}}}\n",
                   {"states", "WORKING", "states", "ASKING", "on", "OK"}),
            "target: DONE\ndo: ctx.count = 7\n");
}

TEST(Extending, ADefaultOfNullIsAValue) {
  EXPECT_EQ(merged("context: {note: {type: \"string?\", default: null}}\n", {"context", "note"}),
            "default: null\ntype: 'string?'\n");
}

TEST(Extending, ADefaultAndAnInitTakeThePlaceOfEachOther) {
  EXPECT_EQ(merged("context: {count: {type: integer, init: inputs.tries}}\n", {"context", "count"}),
            "type: integer\ninit: inputs.tries\n");
  std::string computed = base;
  const std::string count = "count: 0";
  computed.replace(computed.find(count), count.size(),
                   "count: {type: integer, init: inputs.tries}");
  EXPECT_EQ(merged(extended("context: {count: 7}\n", computed), {"context", "count"}),
            "type: integer\ndefault: 7\n");
}

TEST(Extending, AStateIsTakenAwayWithWhatIsInIt) {
  EXPECT_EQ(extended("initial: DONE\nstates: {WORKING: null}\n").messages(), "");
}

TEST(Extending, GoesOverSeveralLevels) {
  const LoadResult result = load_files(
      {{"flow.yaml", "agneto: 1\nextends: sub/mid.yaml\ncontext: {count: 2}\n"},
       {"sub/mid.yaml", "agneto: 1\nextends: base.yaml\nname: mid\ncontext: {count: 1, more: 1}\n"},
       {"sub/base.yaml", base},
       {"sub/hooks.lua", "return {}"}});
  ASSERT_EQ(result.messages(), "");
  EXPECT_EQ(merged(result, {"context"}), "count: 2\nnote: none yet\nmore: 1\n");
  EXPECT_EQ(result.main().name, "mid");
  EXPECT_EQ(result.main().agents[0].hooks, "sub/hooks.lua") << "paths are as they were written";
}

TEST(Extending, ABundledWorkflowIsExtendedByItsName) {
  const MemoryFiles files({{"/w/flow.yaml", "agneto: 1\nextends: base\nname: mine\n"},
                           {"/share/workflows/base.yaml", base},
                           {"/share/workflows/hooks.lua", "return {}"}});
  Diagnostics diagnostics;
  const Loaded loaded = load("/w/flow.yaml", files, diagnostics, "/share/scripts/lib");
  ASSERT_EQ(render(diagnostics), "");
  EXPECT_THAT(loaded.system->roots, ElementsAre("/w", "/share"));
  EXPECT_EQ(loaded.system->main().agents[0].hooks, "/share/workflows/hooks.lua");
}

TEST(Extending, AMachineThatIsDelegatedToExtends) {
  const LoadResult result = load_files(
      {{"flow.yaml",
        "agneto: 1\nname: flow\ninitial: A\nstates:\n"
        "  A: {machine: mine.yaml, with: {task: \"'x'\"}, on: {DONE: B, STOPPED: B, error: B}}\n"
        "  B: {final: true}\n"},
       {"mine.yaml", "agneto: 1\nextends: base.yaml\nname: mine\n"},
       {"base.yaml", base},
       {"hooks.lua", "return {}"}});
  ASSERT_EQ(result.messages(), "");
  EXPECT_EQ(result.system().machine(1).name, "mine");
}

// ---- What does not fit.

TEST(ExtendingReports, WhatIsRemovedAndIsNotThere) {
  EXPECT_EQ(extended("states: {ASKNG: null}\non: {halt: null}\n").messages(),
            "flow.yaml:3:10: error: there is no 'ASKNG' here in 'base.yaml' to remove "
            "[E612/extension]\n"
            "states: {ASKNG: null}\n"
            "         ^~~~~\n"
            "  help: leave it out, or give it a value\n"
            "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n"
            "flow.yaml:4:6: error: there is no 'halt' here in 'base.yaml' to remove "
            "[E612/extension]\n"
            "on: {halt: null}\n"
            "     ^~~~\n"
            "  help: leave it out, or give it a value\n"
            "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n");
}

TEST(ExtendingReports, AStateThatNothingLeadsTo) {
  EXPECT_EQ(extended("states: {ASKNG: {on: {OK: DONE}}}\n").messages(),
            "flow.yaml:3:10: error: nothing leads to 'ASKNG', which 'base.yaml' does not have "
            "[E612/extension]\n"
            "states: {ASKNG: {on: {OK: DONE}}}\n"
            "         ^~~~~\n"
            "  help: did you mean 'ASKING'?\n"
            "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n");
}

TEST(ExtendingReports, AStateThatIsElsewhere) {
  EXPECT_EQ(extended("states: {WORKING: {states: {DONE: {description: Done.}}}}\n").messages(),
            "flow.yaml:3:29: error: the state 'DONE' of 'base.yaml' is not in 'WORKING' "
            "[E612/extension]\n"
            "states: {WORKING: {states: {DONE: {description: Done.}}}}\n"
            "                            ^~~~\n"
            "  help: write it in the `states` of the file, which change a state wherever it is\n"
            "base.yaml:22:3: note: it is here\n"
            "  DONE: {final: true}\n"
            "  ^~~~\n"
            "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n");
}

TEST(ExtendingReports, AChangeInWhatIsRemoved) {
  EXPECT_EQ(
      extended("initial: DONE\nstates: {WORKING: null, ASKING: {description: Ask.}}\n").messages(),
      "flow.yaml:4:25: error: 'ASKING' is in 'WORKING', which is removed [E612/extension]\n"
      "states: {WORKING: null, ASKING: {description: Ask.}}\n"
      "                        ^~~~~~\n"
      "  help: leave one of the two out\n"
      "flow.yaml:4:10: note: removed here\n"
      "states: {WORKING: null, ASKING: {description: Ask.}}\n"
      "         ^~~~~~~\n"
      "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
      "extends: base.yaml\n"
      "         ^~~~~~~~~\n");
}

TEST(ExtendingReports, AChangeInStatesThatAreRemoved) {
  const std::string before = "states: {ASKING: {description: Ask.}, WORKING: {states: null}}\n";
  EXPECT_THAT(
      extended(before).messages(),
      testing::HasSubstr("flow.yaml:3:10: error: 'ASKING' is in 'WORKING', which is removed "
                         "[E612/extension]\n"));
  const std::string after = "states: {WORKING: {states: null}, ASKING: {description: Ask.}}\n";
  EXPECT_THAT(extended(after).messages(),
              testing::HasSubstr("nothing leads to 'ASKING', which 'base.yaml' does not have"));
  EXPECT_THAT(extended("states: {WORKING: DONE, ASKING: null}\n").messages(),
              testing::HasSubstr("there is no 'ASKING' here in 'base.yaml' to remove"));
}

TEST(ExtendingReports, WhatAMachineCannotBeWithout) {
  EXPECT_EQ(extended("name: null\nstates: null\n").messages(),
            "flow.yaml:3:1: error: a machine needs the key 'name' [E122/missing-key]\n"
            "name: null\n"
            "^~~~\n"
            "  help: give it another value, or leave it out\n"
            "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n"
            "flow.yaml:4:1: error: a machine needs the key 'states' [E122/missing-key]\n"
            "states: null\n"
            "^~~~~~\n"
            "  help: give it another value, or leave it out\n"
            "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n");
  EXPECT_EQ(extended("states: {WORKING: null, DONE: null, STOPPED: null}\n").messages(),
            "base.yaml:10:1: error: 'states' must not be empty [E123/no-value]\n"
            "states:\n"
            "^~~~~~\n"
            "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n");
  EXPECT_EQ(load_files({{"flow.yaml", "agneto:\nextends: base.yaml\n"},
                        {"base.yaml", base},
                        {"hooks.lua", "return {}"}})
                .messages(),
            "flow.yaml:1:1: error: a machine needs the key 'agneto' [E122/missing-key]\n"
            "agneto:\n"
            "^~~~~~\n"
            "  help: a file that extends another needs it, too\n"
            "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n");
}

TEST(ExtendingReports, AStateThatIsChangedInTwoPlaces) {
  EXPECT_EQ(extended("states:\n"
                     "  WORKING: {states: {ASKING: {description: Ask.}}}\n"
                     "  ASKING: null\n")
                .messages(),
            "flow.yaml:5:3: error: 'ASKING' is removed here and changed elsewhere "
            "[E612/extension]\n"
            "  ASKING: null\n"
            "  ^~~~~~\n"
            "  help: leave one of the two out\n"
            "flow.yaml:4:22: note: changed here\n"
            "  WORKING: {states: {ASKING: {description: Ask.}}}\n"
            "                     ^~~~~~\n"
            "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n");
  EXPECT_EQ(extended("states:\n"
                     "  ASKING: {description: Ask.}\n"
                     "  WORKING: {states: {ASKING: {description: Ask them.}}}\n")
                .messages(),
            "flow.yaml:5:22: error: 'ASKING' is changed here and changed elsewhere "
            "[E612/extension]\n"
            "  WORKING: {states: {ASKING: {description: Ask them.}}}\n"
            "                     ^~~~~~\n"
            "  help: write all of it in one of the two places\n"
            "flow.yaml:4:3: note: changed here\n"
            "  ASKING: {description: Ask.}\n"
            "  ^~~~~~\n"
            "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n");
  EXPECT_THAT(extended("states: {ASKING: null, WORKING: {states: {ASKING: null}}}\n").messages(),
              testing::HasSubstr("'ASKING' is removed here and removed elsewhere"));
}

TEST(ExtendingReports, AMapWhereThereIsAList) {
  std::string listed = base;
  const std::string on = "on:\n  stop: {target: STOPPED, do: ctx.note = \"stopped\"}\n";
  listed.replace(listed.find(on), on.size(), "on: [{event: stop, target: STOPPED}]\n");
  EXPECT_EQ(extended("on: {stop: {do: null}}\n", listed).messages(),
            "flow.yaml:3:1: error: 'on' is a list in 'base.yaml', which a map cannot change "
            "[E612/extension]\n"
            "on: {stop: {do: null}}\n"
            "^~\n"
            "  help: write a list, which takes its place\n"
            "base.yaml:8:1: note: the list is here\n"
            "on: [{event: stop, target: STOPPED}]\n"
            "^~\n"
            "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n");
}

TEST(ExtendingReports, ABaseThatIsGone) {
  EXPECT_EQ(load_text("agneto: 1\nextends: gone.yaml\n").messages(),
            "flow.yaml:2:10: error: cannot read the file 'gone.yaml' [E601/missing-file]\n"
            "extends: gone.yaml\n"
            "         ^~~~~~~~~\n"
            "  help: paths are relative to the file they are written in\n");
  EXPECT_EQ(load_text("agneto: 1\nextends: gone\n").messages(),
            "flow.yaml:2:10: error: no workflow that comes with Agneto is called 'gone' "
            "[E611/no-base]\n"
            "extends: gone\n"
            "         ^~~~\n"
            "  help: a file is named by its path, such as extends: base.yaml\n");
  EXPECT_EQ(
      load_files({{"flow.yaml", "agneto: 1\nextends: base\n"}, {"base.yaml", base}}).messages(),
      "flow.yaml:2:10: error: no workflow that comes with Agneto is called 'base' "
      "[E611/no-base]\n"
      "extends: base\n"
      "         ^~~~\n"
      "  help: for the file beside this one write extends: base.yaml\n");
  EXPECT_EQ(load_text("agneto: 1\nextends: [a]\n").messages(),
            "flow.yaml:2:10: error: 'extends' must be the name of a workflow or the path of a "
            "file, found a list [E611/no-base]\n"
            "extends: [a]\n"
            "         ^~~\n"
            "  help: for example extends: agneto\n");
  EXPECT_EQ(load_text("agneto: 1\nextends: ../../gone.yaml\n").messages(),
            "flow.yaml:2:10: error: '../../gone.yaml' is outside of the workflow's folder '.' "
            "[E602/outside-root]\n"
            "extends: ../../gone.yaml\n"
            "         ^~~~~~~~~~~~~~~\n"
            "  help: a workflow loads files of its own folder, and of the folder around it "
            "where its own is called 'workflows'; put the two together\n");
}

TEST(ExtendingReports, AFileWithoutAVersion) {
  EXPECT_EQ(
      load_files(
          {{"flow.yaml", "extends: base.yaml\n"}, {"base.yaml", base}, {"hooks.lua", "return {}"}})
          .messages(),
      "flow.yaml:1:10: error: a file that extends another needs the key 'agneto', too "
      "[E122/missing-key]\n"
      "extends: base.yaml\n"
      "         ^~~~~~~~~\n"
      "  help: agneto: The version of the language: 1\n");
}

TEST(ExtendingReports, ABaseThatDoesNotFitAnyMoreNamesBothFiles) {
  std::string changed = base;
  changed.replace(changed.find("\n  DONE:"), 7, "\n  ENDED");
  changed.replace(changed.find("target: DONE"), 12, "target: ENDED");
  EXPECT_EQ(extended("states: {ASKING: {on: {OK: DONE}}}\n", changed).messages(),
            "flow.yaml:3:28: error: there is no state 'DONE' [E203/undefined-target]\n"
            "states: {ASKING: {on: {OK: DONE}}}\n"
            "                           ^~~~\n"
            "  help: known states: WORKING, ASKING, ENDED, STOPPED\n"
            "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n");
}

TEST(ExtendingReports, ABrokenBaseNamesTheFilesThatExtendIt) {
  const std::string note =
      "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
      "extends: base.yaml\n"
      "         ^~~~~~~~~\n";
  EXPECT_EQ(extended("", "agneto: [\n").messages(),
            "base.yaml:1:9: error: this '[' is never closed [E101/yaml]\n"
            "agneto: [\n"
            "        ^\n"
            "  help: close it with ']'\n" +
                note);
  EXPECT_EQ(extended("", "agneto: 2\n").messages(),
            "base.yaml:1:9: error: this file is in version 2 of the language, and this program "
            "knows version 1 [E120/version]\n"
            "agneto: 2\n"
            "        ^\n"
            "  help: install a newer agneto\n" +
                note);
  const LoadResult gone =
      load_files({{"flow.yaml", "agneto: 1\nextends: mid.yaml\n"},
                  {"mid.yaml", "agneto: 1\nextends: base.yaml\ncontext: {many: null}\n"},
                  {"base.yaml", base}});
  EXPECT_EQ(gone.messages(),
            "base.yaml:6:19: error: cannot read the file 'hooks.lua' [E601/missing-file]\n"
            "  worker: {hooks: hooks.lua, access: read-only, idle: 15m}\n"
            "                  ^~~~~~~~~\n"
            "  help: paths are relative to the file they are written in\n"
            "flow.yaml:2:10: note: 'mid.yaml' is extended here\n"
            "extends: mid.yaml\n"
            "         ^~~~~~~~\n"
            "mid.yaml:3:11: error: there is no 'many' here in 'base.yaml' to remove "
            "[E612/extension]\n"
            "context: {many: null}\n"
            "          ^~~~\n"
            "  help: leave it out, or give it a value\n"
            "mid.yaml:2:10: note: 'base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n"
            "flow.yaml:2:10: note: 'mid.yaml' is extended here\n"
            "extends: mid.yaml\n"
            "         ^~~~~~~~\n");
}

TEST(ExtendingReports, AKeyBesideOneOfTheBaseThatItExcludes) {
  std::string running = base;
  running += "  RUNNING: {run: {argv: [make]}, on: {ok: DONE, failed: STOPPED, error: STOPPED}}\n";
  const std::string note =
      "flow.yaml:2:10: note: 'base.yaml' is extended here\n"
      "extends: base.yaml\n"
      "         ^~~~~~~~~\n";
  EXPECT_EQ(extended("states: {RUNNING: {run: {shell: make}}}\n", running).messages(),
            "flow.yaml:3:26: error: a program to run has 'argv' already, and takes one of them "
            "[E127/one-of]\n"
            "states: {RUNNING: {run: {shell: make}}}\n"
            "                         ^~~~~\n"
            "  help: write argv: null beside it, which removes that of 'base.yaml'\n"
            "base.yaml:24:19: note: it is here\n"
            "  RUNNING: {run: {argv: [make]}, on: {ok: DONE, failed: STOPPED, error: STOPPED}}\n"
            "                  ^~~~\n" +
                note);
  EXPECT_EQ(
      extended("states: {RUNNING: {agent: {name: worker, verdicts: {OK: {}}}, on: {OK: DONE}}}\n",
               running)
          .messages(),
      "flow.yaml:3:20: error: 'RUNNING' has 'run' already; a state has one activity "
      "[E401/two-activities]\n"
      "states: {RUNNING: {agent: {name: worker, verdicts: {OK: {}}}, on: {OK: DONE}}}\n"
      "                   ^~~~~\n"
      "  help: write run: null beside it, which removes that of 'base.yaml'\n"
      "base.yaml:24:13: note: it is here\n"
      "  RUNNING: {run: {argv: [make]}, on: {ok: DONE, failed: STOPPED, error: STOPPED}}\n"
      "            ^~~\n" +
          note);
  EXPECT_EQ(extended("states: {RUNNING: {final: true, on: null}}\n", running).messages(),
            "base.yaml:24:13: error: a final state has no 'run' [E126/key-out-of-place]\n"
            "  RUNNING: {run: {argv: [make]}, on: {ok: DONE, failed: STOPPED, error: STOPPED}}\n"
            "            ^~~\n"
            "  help: nothing goes on after a final state; use a state that leads to it\n"
            "flow.yaml:3:20: note: this makes it one\n"
            "states: {RUNNING: {final: true, on: null}}\n"
            "                   ^~~~~\n" +
                note);
}

TEST(ExtendingReports, ACircle) {
  EXPECT_EQ(load_files({{"flow.yaml", "agneto: 1\nextends: b.yaml\n"},
                        {"b.yaml", "agneto: 1\nextends: c.yaml\n"},
                        {"c.yaml", "agneto: 1\nextends: b.yaml\n"}})
                .messages(),
            "c.yaml:2:10: error: a file extends itself: b.yaml -> c.yaml -> b.yaml [E611/no-base]\n"
            "extends: b.yaml\n"
            "         ^~~~~~\n"
            "  help: one of them is the first, and extends none of the others\n"
            "b.yaml:2:10: note: 'c.yaml' is extended here\n"
            "extends: c.yaml\n"
            "         ^~~~~~\n");
  EXPECT_EQ(load_text("agneto: 1\nextends: flow.yaml\n").messages(),
            "flow.yaml:2:10: error: a file extends itself: flow.yaml -> flow.yaml [E611/no-base]\n"
            "extends: flow.yaml\n"
            "         ^~~~~~~~~\n"
            "  help: one of them is the first, and extends none of the others\n");
}

TEST(ExtendingReports, MoreThanAHundredLevels) {
  const auto tower = [](int height) {
    std::map<std::string, std::string> files{{"hooks.lua", "return {}"}, {"0.yaml", base}};
    for (int i = 1; i <= height; ++i) {
      files[fmt::format("{}.yaml", i)] =
          fmt::format("agneto: 1\nextends: {}.yaml\nname: n{}\n", i - 1, i);
    }
    return load_files(files, fmt::format("{}.yaml", height)).messages();
  };
  EXPECT_EQ(tower(100), "");
  EXPECT_EQ(tower(101),
            "1.yaml:2:10: error: more than 100 files extend one another [E611/no-base]\n"
            "extends: 0.yaml\n"
            "         ^~~~~~\n"
            "  help: put some of them together\n"
            "2.yaml:2:10: note: '1.yaml' is extended here\n"
            "extends: 1.yaml\n"
            "         ^~~~~~\n");
}

}  // namespace
}  // namespace agneto::model
