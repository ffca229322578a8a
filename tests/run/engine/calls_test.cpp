#include "run/engine/calls.h"

#include <gmock/gmock.h>

#include "record/entry.h"
#include "run/flow.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What the journal has of the calls.
class FakeEntries : public journal::Entries {
 public:
  std::vector<journal::Entry> entries(const std::string&, journal::Seq, journal::Seq) override {
    return all;
  }
  std::vector<journal::Entry> entries_of(const std::string&, const std::string& path) override {
    std::vector<journal::Entry> found = all;
    std::erase_if(found, [&](const journal::Entry& entry) { return entry.path != path; });
    return found;
  }
  void add(const std::string& path, record::Body body) {
    const auto seq = static_cast<journal::Seq>(all.size() + 1);
    all.push_back(record::encode({seq, Time(), path, std::move(body)}));
    all.back().seq = seq;
  }
  std::vector<journal::Entry> all;
};

constexpr const char* one_call = R"(agneto: 1
name: flow
agents: {worker: {hooks: hook.lua, session: run}}
initial: WORKING
states:
  WORKING: {agent: {name: worker}, on: {done: END}}
  END: {final: true}
)";

class CallsTest : public ::testing::Test {
 protected:
  void load(const std::string& yaml, const std::string& child = "") {
    calls.reset();
    machines.reset();
    flow.emplace(yaml, child);
    machines.emplace(flow->chart, chart::RunInfo{"r", false, false});
    chart::start(*machines, Json::object(), out);
    calls.emplace(flow->system, config, record, "r", *machines, state);
  }
  chart::CallAgent call(const std::string& path) const {
    chart::CallAgent call = first<chart::CallAgent>(out);
    call.path = path;
    return call;
  }

  std::optional<Flow> flow;
  std::optional<chart::Instance> machines;
  chart::Effects out;
  Config config;
  FakeEntries record;
  RunState state;
  std::optional<Calls> calls;
};

TEST_F(CallsTest, ACallHasWhatAnInterruptedOwnerRecordedOfIt) {
  load(one_call);
  record.add("OTHER#1", record::Prompt{{.text = "not this one"}});
  record.add("WORKING#1", record::Prompt{{.text = "work"}});
  record.add("WORKING#1", record::Reply{{.text = "done"}});
  const agents::Request request = calls->request(call("WORKING#1"), 3);
  EXPECT_EQ(request.agent, "worker");
  EXPECT_EQ(request.nth, 3);
  ASSERT_EQ(request.recorded_prompts.size(), 1U);
  EXPECT_EQ(request.recorded_prompts[0].text, "work");
  ASSERT_EQ(request.recorded_replies.size(), 1U);
  EXPECT_EQ(request.recorded_replies[0].text, "done");
}

TEST_F(CallsTest, AnInstructionIsForTheNextCallAndIsKeptUntilThatEnds) {
  load(one_call);
  state.instructions = {{"be brief", ""}};
  EXPECT_THAT(calls->request(call("WORKING#1"), 1).instructions, ElementsAre("be brief"));
  EXPECT_THAT(calls->request(call("WORKING#2"), 2).instructions, IsEmpty());
  EXPECT_THAT(calls->request(call("WORKING#1"), 1).instructions, ElementsAre("be brief"))
      << "it is made again";
  calls->ended(call("WORKING#1"), {}, true);
  EXPECT_THAT(state.instructions, IsEmpty());
}

TEST_F(CallsTest, WhatWasAskedOnceIsAskedAgainAsItWas) {
  load(one_call);
  record.add("WORKING#1", record::Prompt{{.text = "work"}});
  state.instructions = {{"be brief", ""}};
  EXPECT_THAT(calls->request(call("WORKING#1"), 1).instructions, IsEmpty());
  EXPECT_THAT(calls->request(call("WORKING#2"), 2).instructions, ElementsAre("be brief"));
}

TEST_F(CallsTest, AConversationGoesOnFromItsLastCallThatWentWell) {
  load(one_call);
  EXPECT_EQ(calls->request(call("WORKING#1"), 1).conversation.session, "");
  calls->ended(call("WORKING#1"), {"offline", "s1"}, false);
  calls->ended(call("WORKING#2"), {"offline", "s2"}, true);
  record.add("WORKING#1", record::Prompt{{.text = "work"}});
  record.add("WORKING#1", record::Reply{{.text = "done"}});
  const agents::Request next = calls->request(call("WORKING#3"), 3);
  EXPECT_EQ(next.conversation.provider, "offline");
  EXPECT_EQ(next.conversation.session, "s1");
  EXPECT_EQ(next.follows, "WORKING#1");
  const auto said = next.recall();
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].prompt, "work");
  EXPECT_EQ(said[0].reply, "done");

  chart::CallAgent alone = call("WORKING#4");
  alone.scope = "";
  EXPECT_EQ(calls->request(alone, 4).follows, "") << "it begins one of its own";
}

class ItemNameTest : public CallsTest {
 protected:
  std::string name_of(const std::string& item, const std::string& inputs) {
    out = {};
    load(R"(agneto: 1
name: flow
initial: PANEL
states:
  PANEL:
    for_each: {items: "{)" +
             item + R"(}", machine: child.yaml, with: {word: item, size: 7}}
    on: {done: END, failed: END}
  END: {final: true}
)",
         "agneto: 1\nname: child\ninputs: " + inputs + R"(
agents: {worker: {hooks: hook.lua}}
initial: WORKING
states:
  WORKING: {agent: {name: worker}, on: {done: END}}
  END: {final: true}
)");
    EXPECT_EQ(calls->item_name("PANEL#1"), "") << "not of an item";
    return calls->item_name(first<chart::CallAgent>(out).path);
  }
};

TEST_F(ItemNameTest, IsTheMainInputOrElseTheFirstThatIsATextOrANumber) {
  EXPECT_EQ(name_of("'apple'", "{size: number, word: {type: string, main: true}}"), "apple");
  EXPECT_EQ(name_of("'apple'", "{size: number, word: any}"), "7");
  EXPECT_EQ(name_of("{'a table'}", "{word: list, size: number}"), "7");
}

TEST_F(ItemNameTest, IsOneShortLine) {
  EXPECT_EQ(name_of("'  apple' .. string.char(10) .. 'pear'", "{word: string, size: number}"),
            "apple");
  EXPECT_EQ(name_of("('a'):rep(100)", "{word: string, size: number}"),
            std::string(60, 'a') + "… (40 bytes more)");
}

}  // namespace
}  // namespace agneto::run
