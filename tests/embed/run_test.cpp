#include <gtest/gtest.h>

#include "embed/support.h"

namespace agneto::embed {
namespace {

using std::chrono::milliseconds;
using Texts = std::vector<std::string>;

class RunTest : public ::testing::Test {
 protected:
  // All of them, noting what they are asked.
  Services services() {
    Services all;
    all.agent = [&](const AgentCall& call, const std::string&) {
      heard.push_back("agent " + call.path);
      return Reply{done};
    };
    all.ask = [&](const Question& question) {
      heard.push_back("ask " + question.path);
      return question.options.empty() ? Answer{"", "Whale", {}} : Answer{"YES", "", {}};
    };
    all.command = [&](const Command& command) {
      heard.push_back("command " + command.argv.at(0));
      return CommandResult{};
    };
    all.workspace = [&](const Operation& operation) {
      heard.push_back(operation.kind);
      return OperationResult{"ok", "abc"};
    };
    all.wait = [&](milliseconds time) { heard.push_back("wait " + std::to_string(time.count())); };
    return all;
  }
  std::string note(const Machine& machine) const { return machine.ending()->outputs; }

  Texts heard;
  Folder folder;
  Workflow workflow = folder.ship();
  Machine machine{workflow, {.inputs = R"({"task": "build"})"}};
};

TEST_F(RunTest, GoesOnToTheEnd) {
  const auto ending = run(machine, services());
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->outcome, "SHIPPED");
  EXPECT_EQ(ending->outputs, R"({"note":"abc","said":"Whale"})");
  EXPECT_EQ(heard, (Texts{"agent CODING#1", "ask GATE#1", "ask NAMING#1", "command make",
                          "wait 3600000", "merge"}));
}

TEST_F(RunTest, SaysWhichServiceIsMissing) {
  Services some;
  EXPECT_EQ(error_of([&] { run(machine, some); }),
            "CODING#1: the workflow calls an agent, and nobody is there | set Services::agent");
  some.agent = services().agent;
  EXPECT_EQ(error_of([&] { run(machine, some); }),
            "NAMING#1: the workflow asks a person, and nobody is there | set Services::ask");
  EXPECT_EQ(heard, Texts{"agent CODING#1"}) << "the gate has a default";
  some.ask = services().ask;
  EXPECT_EQ(error_of([&] { run(machine, some); }),
            "TESTING#1: the workflow runs a command, and nobody is there | set Services::command");
  some.command = services().command;
  EXPECT_EQ(error_of([&] { run(machine, some); }),
            "MERGING#1: the workflow asks for a merge, and nobody is there | set "
            "Services::workspace");
}

TEST_F(RunTest, AsksAnAgentAgain) {
  Services all = services();
  Texts prompts;
  all.agent = [&](const AgentCall&, const std::string& prompt) {
    prompts.push_back(prompt);
    return Reply{prompts.size() == 1 ? "It works." : done};
  };
  EXPECT_EQ(run(machine, all)->outcome, "SHIPPED");
  ASSERT_EQ(prompts.size(), 2u);
  EXPECT_TRUE(prompts[0].starts_with("build CODING embedded []\n")) << prompts[0];
  EXPECT_TRUE(prompts[1].starts_with("This is the conversation so far.\n")) << prompts[1];
}

TEST_F(RunTest, AnAgentMayFail) {
  Services all = services();
  all.agent = [](const AgentCall&, const std::string&) { return Reply{"", "no model is loaded"}; };
  EXPECT_EQ(run(machine, all)->outcome, "STOPPED");
  EXPECT_EQ(note(machine), R"({"note":"error.exit: no model is loaded","said":""})");
}

TEST_F(RunTest, APromptThatCannotBeMadeEndsTheCall) {
  machine = Machine(workflow, {.inputs = R"({"task": "unspeakable"})"});
  EXPECT_EQ(run(machine, services())->outcome, "STOPPED");
  EXPECT_EQ(heard, Texts{});
  EXPECT_NE(note(machine).find("error.lua: "), std::string::npos) << note(machine);
}

TEST_F(RunTest, ACommandMayFail) {
  Services all = services();
  all.command = [](const Command&) { return CommandResult{2, "two tests failed"}; };
  EXPECT_EQ(run(machine, all)->outcome, "STOPPED");
  EXPECT_EQ(note(machine), R"({"note":"two tests failed","said":"Whale"})");
}

TEST_F(RunTest, AnOutcomeThatCannotBeIsAnError) {
  Services all = services();
  all.workspace = [](const Operation&) { return OperationResult{"fine"}; };
  EXPECT_EQ(error_of([&] { run(machine, all); }),
            "MERGING#1: 'fine' is not the end of a workspace operation | known ends: ok, failed, "
            "conflict");
  all.workspace = services().workspace;
  EXPECT_EQ(run(machine, all)->outcome, "SHIPPED");
}

TEST_F(RunTest, WhatAServiceThrowsComesOutAndItCanGoOn) {
  Services all = services();
  all.command = [](const Command&) -> CommandResult { throw std::runtime_error("no make"); };
  EXPECT_THROW(run(machine, all), std::runtime_error);
  EXPECT_EQ(machine.states(), Texts{"TESTING#1"});
  EXPECT_EQ(run(machine, services())->outcome, "SHIPPED");
}

TEST_F(RunTest, AServiceMaySendEvents) {
  Services all = services();
  all.command = [&](const Command&) {
    machine.send("abort");
    return CommandResult{};
  };
  EXPECT_EQ(run(machine, all)->outcome, "STOPPED");
}

TEST_F(RunTest, WhatAServiceTakesIsTimeForTheMachine) {
  Services all = services();
  milliseconds now{1'000'000};
  all.clock = [&] { return now; };
  all.agent = [&](const AgentCall&, const std::string&) {
    now += milliseconds(7'200'000);
    return Reply{done};
  };
  EXPECT_EQ(run(machine, all)->outcome, "STOPPED") << "the call has two hours";
}

TEST_F(RunTest, WaitsAsLongAsTheClockSays) {
  Services all = services();
  milliseconds now{0};
  all.clock = [&] { return now; };
  all.command = [&](const Command&) {
    now += milliseconds(1'000);
    return CommandResult{};
  };
  all.wait = [&](milliseconds time) {
    heard.push_back("wait " + std::to_string(time.count()));
    now += time;
  };
  EXPECT_EQ(run(machine, all)->outcome, "SHIPPED");
  EXPECT_EQ(heard.at(3), "wait 3600000");
}

constexpr const char* kOutside = R"yaml(agneto: 1
name: outside
initial: A
states:
  A:
    on: {go: B}
  B: {final: true}
)yaml";

TEST_F(RunTest, ComesBackWhereItWaitsForAnEvent) {
  const Folder other{{"outside.yaml", kOutside}};
  Machine waiting{Workflow(other / "outside.yaml", library)};
  EXPECT_FALSE(run(waiting, {}));
  EXPECT_TRUE(waiting.send("go"));
  EXPECT_EQ(run(waiting, {})->outcome, "B");
}

constexpr const char* kEndless = R"yaml(agneto: 1
name: endless
initial: A
states:
  A:
    entry: send("again", {}, {after = "0ms"})
    on: {again: A, stop: B}
  B: {final: true}
)yaml";

TEST_F(RunTest, ComesBackWhereNothingComesToRest) {
  const Folder other{{"endless.yaml", kEndless}};
  Machine endless{Workflow(other / "endless.yaml", library)};
  EXPECT_FALSE(run(endless, {}));
  EXPECT_EQ(endless.problems().at(0).event, "error.livelock");
}

}  // namespace
}  // namespace agneto::embed
