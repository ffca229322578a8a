// Conversations of many calls: what was said is in the journal, not in the run's state.
#include "run/conversation.h"

#include "engine_fixture.h"
#include "record/entry.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* talking_flow = R"yaml(
agneto: 1
name: flow
inputs: {task: {type: string, main: true}, rounds: integer}
context: {n: 0}
agents: {worker: {hooks: hook.lua, access: read-only, session: run}}
initial: WORKING
states:
  WORKING:
    agent: {name: worker, verdicts: {AGAIN: {}}}
    on:
      AGAIN:
        - {guard: "ctx.n < inputs.rounds", target: WORKING, do: "ctx.n = ctx.n + 1"}
        - DONE
      error: FAILED
  DONE: {final: true}
  FAILED: {final: true, status: failed}
)yaml";

// Programs that say the verdict, one that knows its sessions and one that does not.
constexpr const char* knowing = R"lua(
return {
  program = "knowing",
  sessions = true,
  command = function(call) return {argv = {"knowing", call.session}, input = call.prompt} end,
  finish = function(output) return {session = "s", result = "VERDICT: AGAIN"} end,
}
)lua";
constexpr const char* forgetful = R"lua(
return {
  command = function(call) return {argv = {"forgetful"}, input = call.prompt} end,
  finish = function(output) return {result = "VERDICT: AGAIN"} end,
}
)lua";

class ConversationTest : public EngineTest {
 protected:
  void talk(const std::string& provider, int rounds) {
    files.memory.add("/w/providers/knowing.lua", knowing);
    files.memory.add("/w/providers/forgetful.lua", forgetful);
    services.provider_folders.push_back("/w/providers");
    load(talking_flow);
    config.agents["worker"].provider = provider;
    runner.doing = [this](const process::Spec& spec, std::stop_token) {
      prompts.push_back(spec.input);
    };
    ASSERT_EQ(start({{"task", "it"}, {"rounds", rounds}}), ExitStatus::complete);
  }
  static std::size_t occurrences(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
  }

  std::vector<std::string> prompts;
};

TEST_F(ConversationTest, IsToldFromItsBeginningToWhoDoesNotKnowIt) {
  talk("forgetful", 3);
  ASSERT_EQ(prompts.size(), 4U);
  for (std::size_t n = 0; n < prompts.size(); ++n) {
    EXPECT_EQ(occurrences(prompts[n], "<your-reply>"), n);
    EXPECT_EQ(occurrences(prompts[n], "work on it"), n + 1);
  }
}

TEST_F(ConversationTest, IsNotToldToWhoKnowsIt) {
  talk("knowing", 2);
  EXPECT_THAT(runner.started, ElementsAre(ElementsAre("knowing", ""), ElementsAre("knowing", "s"),
                                          ElementsAre("knowing", "s")));
  EXPECT_EQ(occurrences(prompts.at(2), "work on it"), 1U);
}

// What a step writes and compares must not be the more the longer the run is.
TEST_F(ConversationTest, ALongOneMakesTheStateNoLarger) {
  talk("knowing", 60);
  std::vector<std::size_t> sizes;
  for (const auto& entry : store->entries("r")) {
    if (entry.kind != "macrostep") continue;
    sizes.push_back(to_text(store->state_at("r", entry.seq)).size());
  }
  ASSERT_EQ(sizes.size(), 62U);
  EXPECT_LE(sizes[60], sizes[10] + 20) << "numbers have become longer";
}

TEST_F(ConversationTest, OfAnOlderJournalGoesOn) {
  const auto said = [](const std::string& path, const std::string& text,
                       const std::string& follows) {
    record::Prompt prompt;
    prompt.text = text + "?";
    prompt.follows = follows;
    record::Reply crashed, reply;
    crashed.error = "it crashed";
    reply.text = text + "!";
    return std::vector<journal::Entry>{record::encode({0, {}, path, prompt}),
                                       record::encode({0, {}, path, crashed}),
                                       record::encode({0, {}, path, reply})};
  };
  journal::RunRecord line;
  line.id = "r";
  store->create(line, {}, said("A#1", "one", ""), nullptr);
  store->append("r", said("A#2", "two", ""), nullptr);
  store->append("r", said("A#3", "three", ""), nullptr);  // knows of none before it
  store->append("r", said("A#4", "four", "A#3"), nullptr);

  load(talking_flow);
  Json state = RunState().to_json(*loaded.system);
  state["threads"]["run|worker"] = {
      {"provider", "knowing"}, {"session", "s"}, {"calls", {"A#1", "A#2"}}};
  Conversation conversation =
      RunState::from_json(state, *loaded.system).conversations.at("run|worker");
  const auto prompts_of = [&] {
    std::vector<std::string> texts;
    for (const auto& exchange : recall(*store, "r", conversation)) {
      texts.push_back(exchange.prompt + exchange.reply);
    }
    return texts;
  };
  EXPECT_THAT(prompts_of(), ElementsAre("one?one!", "two?two!"));
  conversation.last = "A#4";
  EXPECT_THAT(prompts_of(), ElementsAre("one?one!", "two?two!", "three?three!", "four?four!"));
  RunState kept;
  kept.conversations["run|worker"] = conversation;
  conversation =
      RunState::from_json(kept.to_json(*loaded.system), *loaded.system).conversations["run|worker"];
  EXPECT_EQ(prompts_of().size(), 4U);
}

}  // namespace
}  // namespace agneto::run
