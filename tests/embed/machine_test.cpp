#include <gtest/gtest.h>

#include <thread>
#include <utility>

#include "embed/support.h"

namespace agneto::embed {
namespace {

using std::chrono::milliseconds;
using Texts = std::vector<std::string>;

class MachineTest : public ::testing::Test {
 protected:
  Machine at(const std::string& state) const {
    Machine machine(workflow, start);
    const auto reached = [&] { return machine.states() == Texts{state + "#1"}; };
    if (!reached()) machine.reply("CODING", done);
    if (!reached()) machine.answer("GATE", {"YES", "", {}});
    if (!reached()) machine.answer("NAMING", {"", "Whale", {}});
    if (!reached()) machine.end("TESTING", "ok");
    if (!reached()) machine.send("hurry");
    EXPECT_TRUE(reached());
    return machine;
  }

  Folder folder;
  Workflow workflow = folder.ship();
  Start start{.inputs = R"({"task": "build"})"};
};

TEST_F(MachineTest, StartsWithInputsThatFit) {
  EXPECT_EQ(error_of([&] { Machine{workflow}; }),
            "inputs: input 'task' is missing; its type is string | ");
  EXPECT_EQ(error_of([&] { Machine(workflow, {.inputs = R"({"task": 1})"}); }),
            "inputs: input 'task': expected string, found integer 1 | ");
  EXPECT_EQ(error_of([&] { Machine(workflow, {.inputs = "[]"}); }),
            "inputs: this is no JSON object: [] | give {…}");
  EXPECT_EQ(error_of([&] { Machine(workflow, {.inputs = "{"}); }),
            "inputs: unreadable JSON at column 2: syntax error while parsing object key - "
            "unexpected end of input; expected string literal | give JSON text");
}

TEST_F(MachineTest, TellsOfAnAgentsCall) {
  const Machine machine = at("CODING");
  const auto call = std::get<AgentCall>(machine.activities().at(0));
  EXPECT_EQ(call.path, "CODING#1");
  EXPECT_EQ(call.agent, "coder");
  EXPECT_EQ(call.task, "");
  EXPECT_EQ(call.access, "edit");
  EXPECT_EQ(call.verdicts, (Texts{"DONE", "STUCK"}));
  EXPECT_EQ(call.conversation, "run");
  EXPECT_EQ(machine.next_timer(), milliseconds(7'200'000));
  EXPECT_EQ(machine.context(), R"({"note":"","plan":"","said":""})");
  EXPECT_FALSE(machine.ending());
}

TEST_F(MachineTest, TellsOfAQuestion) {
  const Machine machine = at("GATE");
  const auto question = std::get<Question>(machine.activities().at(0));
  EXPECT_EQ(question.path, "GATE#1");
  EXPECT_EQ(question.question, "Good?");
  EXPECT_EQ(question.show, "the plan");
  EXPECT_EQ(question.default_option, "YES");
  ASSERT_EQ(question.options.size(), 2u);
  EXPECT_EQ(question.options[0].name, "NO");
  EXPECT_EQ(question.options[0].label, "Once more");
  EXPECT_TRUE(question.options[0].needs_words);
  EXPECT_EQ(question.options[1].edit, "the plan");
  EXPECT_TRUE(std::get<Question>(at("NAMING").activities().at(0)).options.empty());
}

TEST_F(MachineTest, TellsOfACommand) {
  const auto command = std::get<Command>(at("TESTING").activities().at(0));
  EXPECT_EQ(command.argv, (Texts{"make", "test"}));
  EXPECT_EQ(command.env, (std::vector<std::pair<std::string, std::string>>{{"PLAN", "the plan"}}));
  EXPECT_EQ(command.timeout, milliseconds(5'000));
  EXPECT_TRUE(command.read_only);
}

TEST_F(MachineTest, TellsOfAnOperation) {
  const auto operation = std::get<Operation>(at("MERGING").activities().at(0));
  EXPECT_EQ(operation.kind, "merge");
  EXPECT_EQ(operation.message, "Whale");
  EXPECT_EQ(operation.into, "release");
  EXPECT_FALSE(operation.squash);
}

TEST_F(MachineTest, EndsWithItsOutputs) {
  Machine machine = at("MERGING");
  machine.end("MERGING", "ok", R"({"commit": "abc"})");
  const auto ending = machine.ending();
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->outcome, "SHIPPED");
  EXPECT_EQ(ending->status, "complete");
  EXPECT_EQ(ending->outputs, R"({"note":"abc","said":"Whale"})");
  EXPECT_EQ(ending->reason, "");
  EXPECT_EQ(machine.states(), Texts{"SHIPPED#1"});
  EXPECT_TRUE(machine.activities().empty());
  EXPECT_EQ(machine.next_timer(), std::nullopt);
  EXPECT_EQ(error_of([&] { machine.end("MERGING", "ok"); }), "MERGING: the machine has ended | ");
  EXPECT_EQ(error_of([&] { machine.send("go"); }), "go: the machine has ended | ");
  machine.advance(milliseconds(1));
  EXPECT_EQ(machine.states(), Texts{"SHIPPED#1"});
}

TEST_F(MachineTest, RefusesWhatAnActivityCannotEndIn) {
  Machine coding = at("CODING"), gate = at("GATE"), naming = at("NAMING");
  EXPECT_EQ(error_of([&] { coding.end("CODING", "DON"); }),
            "CODING#1: 'DON' is not a verdict of this call | did you mean 'DONE'?");
  EXPECT_EQ(error_of([&] { coding.end("CODING", "DONE"); }),
            "CODING#1: the field 'plan' of DONE (string) is missing | give an agent's fields under "
            "'data'");
  EXPECT_EQ(error_of([&] { coding.end("CODING", "DONE", "x"); }),
            "CODING: unreadable JSON at column 1: syntax error while parsing value - invalid "
            "literal; last read: 'x' | give JSON text");
  EXPECT_EQ(error_of([&] { coding.end("GATE", "YES"); }),
            "GATE: no activity runs at 'GATE'; running: CODING#1 | ");
  EXPECT_EQ(error_of([&] {
              coding.answer("CODING", {"YES", "", {}});
            }),
            "CODING: nothing is asked there | call Machine::end or Machine::reply");
  EXPECT_EQ(error_of([&] { gate.end("GATE", "YES"); }),
            "GATE: a question is answered | call Machine::answer");
  EXPECT_EQ(error_of([&] { gate.prompt("GATE"); }),
            "GATE: no agent is called there | call Machine::end or Machine::answer");
  EXPECT_EQ(error_of([&] {
              gate.answer("GATE", {"MAYBE", "", {}});
            }),
            "GATE: 'MAYBE' is not offered | choose one of NO, YES");
  EXPECT_EQ(error_of([&] {
              gate.answer("GATE", {"NO", "", {}});
            }),
            "GATE: NO needs words | give them with Answer::words");
  EXPECT_EQ(error_of([&] {
              gate.answer("GATE", {"YES", "good", {}});
            }),
            "GATE: YES takes no words | leave out Answer::words");
  EXPECT_EQ(error_of([&] {
              gate.answer("GATE", {"NO", "bad", "edited"});
            }),
            "GATE: NO edits nothing | leave out Answer::edited");
  EXPECT_EQ(error_of([&] {
              naming.answer("NAMING", {"", "", {}});
            }),
            "NAMING: it asks for words, and there are none | give them with Answer::words");
  EXPECT_EQ(error_of([&] {
              naming.answer("NAMING", {"YES", "x", {}});
            }),
            "NAMING: it asks for words, not for an option | give them with Answer::words");
  EXPECT_EQ(coding.states(), Texts{"CODING#1"});
  EXPECT_EQ(gate.states(), Texts{"GATE#1"});
  EXPECT_EQ(naming.states(), Texts{"NAMING#1"});
}

TEST_F(MachineTest, TakesAnswers) {
  Machine machine = at("GATE");
  machine.answer("GATE#1", {"NO", "Not so long", {}});
  EXPECT_EQ(machine.states(), Texts{"CODING#2"});
  EXPECT_EQ(machine.context(), R"({"note":"Not so long","plan":"the plan","said":""})");
}

TEST_F(MachineTest, TakesEvents) {
  Machine machine = at("WAITING");
  EXPECT_FALSE(machine.send("tea"));
  EXPECT_EQ(error_of([&] { machine.send("hurry", "{"); }),
            "hurry: unreadable JSON at column 2: syntax error while parsing object key - "
            "unexpected end of input; expected string literal | give JSON text");
  EXPECT_EQ(error_of([&] { machine.send("ok"); }),
            "ok: this is what an activity ends in | end that by `end` or `answer`");
  EXPECT_EQ(machine.states(), Texts{"WAITING#1"});
  EXPECT_TRUE(machine.send("hurry", R"({"why": "it rains"})"));
  EXPECT_EQ(machine.states(), Texts{"MERGING#1"});
}

TEST_F(MachineTest, HasAClockOfItsOwn) {
  Machine machine = at("WAITING");
  machine.advance(milliseconds(3'599'999));
  EXPECT_EQ(machine.states(), Texts{"WAITING#1"});
  EXPECT_EQ(machine.next_timer(), milliseconds(1));
  EXPECT_EQ(error_of([&] { machine.advance(milliseconds(-1)); }),
            "the clock: it cannot be moved back | give a duration of 0 or more");
  machine.advance(milliseconds(1));
  EXPECT_EQ(machine.states(), Texts{"MERGING#1"});
}

TEST_F(MachineTest, MakesThePrompt) {
  start.run_id = "r1";
  Machine machine = at("CODING");
  const std::string prompt = machine.prompt("CODING");
  EXPECT_TRUE(prompt.starts_with("build CODING r1 []\n\n")) << prompt;
  EXPECT_NE(prompt.find("STUCK"), std::string::npos) << prompt;
  EXPECT_EQ(machine.prompt("CODING"), prompt);
}

TEST_F(MachineTest, AsksAgainForAVerdictTwice) {
  Machine machine = at("CODING");
  EXPECT_FALSE(machine.reply("CODING", "It works."));
  const std::string again = machine.prompt("CODING");
  EXPECT_NE(again.find("<message>\nbuild CODING"), std::string::npos) << again;
  EXPECT_NE(again.find("<your-reply>\nIt works.\n</your-reply>"), std::string::npos) << again;
  EXPECT_NE(again.find("Your last reply could not be used: "), std::string::npos) << again;
  EXPECT_FALSE(machine.reply("CODING", verdict("MAYBE")));
  EXPECT_TRUE(machine.reply("CODING", "Really."));
  EXPECT_EQ(machine.states(), Texts{"STOPPED#1"});
  EXPECT_EQ(
      machine.ending()->outputs,
      R"({"note":"error.unparsed: agent 'coder' gave no usable verdict in 3 replies; of the last: no verdict was found in the reply","said":""})");
}

TEST_F(MachineTest, TakesAVerdictTheSecondTime) {
  Machine machine = at("CODING");
  EXPECT_FALSE(machine.reply("CODING", "It works."));
  EXPECT_TRUE(machine.reply("CODING", done));
  EXPECT_EQ(machine.states(), Texts{"GATE#1"});
}

TEST_F(MachineTest, ReplacesWhatIsNoText) {
  Machine machine = at("CODING");
  machine.reply("CODING", verdict("DONE", ", \"plan\": \"\xff!\""));
  EXPECT_EQ(std::get<Question>(machine.activities().at(0)).show, "\xEF\xBF\xBD!");
  machine.answer("GATE", {"NO", "\xff?", {}});
  EXPECT_EQ(machine.context(),
            "{\"note\":\"\xEF\xBF\xBD?\",\"plan\":\"\xEF\xBF\xBD!\",\"said\":\"\"}");
}

TEST_F(MachineTest, SaysWhyThereIsNoPrompt) {
  Machine machine(workflow, {.inputs = R"({"task": "unspeakable"})"});
  EXPECT_EQ(error_of([&] { machine.prompt("CODING"); }),
            "CODING: the prompt cannot be made: " + (folder / "coder.lua").string() +
                ":4: no words for it | correct the hook, or end the call in error.lua, as a run "
                "does");
  EXPECT_TRUE(machine.reply("CODING", done));
  EXPECT_EQ(machine.ending()->outcome, "STOPPED");
}

TEST_F(MachineTest, TellsOfEachMacrostep) {
  Texts lines;
  start.listener = [&](const std::string& line) { lines.push_back(line); };
  Machine machine = at("CODING");
  machine.end("CODING", "error.exit", R"({"message": "it broke"})");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[0].starts_with(R"({"active":["CODING"],"configuration":["CODING"],)"));
  EXPECT_NE(lines[1].find(R"("event":"error.exit")"), std::string::npos) << lines[1];
  EXPECT_EQ(machine.ending()->outputs, R"({"note":"error.exit: it broke","said":""})");
}

TEST_F(MachineTest, TellsOfProblems) {
  const Folder other{{"lua.yaml", R"yaml(agneto: 1
name: lua
context: {n: 0}
initial: A
states:
  A:
    on: {go: {do: ctx.n = ctx.n + event.by}, stop: B}
  B: {final: true}
)yaml"}};
  Machine machine{Workflow(other / "lua.yaml", library)};
  EXPECT_TRUE(machine.problems().empty());
  machine.send("go");
  ASSERT_EQ(machine.problems().size(), 1u);
  EXPECT_EQ(machine.problems()[0].event, "error.lua");
  EXPECT_EQ(machine.problems()[0].path, "A#1");
  EXPECT_EQ(machine.problems()[0].message,
            (other / "lua.yaml").string() +
                ":7: attempt to perform arithmetic on a nil value (field 'by')");
}

TEST_F(MachineTest, ManyGoByOneWorkflowAtATime) {
  Texts endings(2);
  {
    std::vector<std::jthread> threads;
    for (std::string& ending : endings) {
      threads.emplace_back([&] {
        Machine machine = at("MERGING");
        machine.end("MERGING", "ok", R"({"commit": "abc"})");
        ending = machine.ending()->outputs;
      });
    }
  }
  EXPECT_EQ(endings, Texts(2, R"({"note":"abc","said":"Whale"})"));
}

}  // namespace
}  // namespace agneto::embed
