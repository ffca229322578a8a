#include "record/message.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace agneto::record {
namespace {

using testing::error_of;

TEST(Message, EachKindSurvivesTheWayToTheInboxAndBack) {
  const std::vector<std::pair<Message, journal::Message>> messages = {
      {PostedAnswer{{"EDIT", "shorter", "a text"}, "GATE#1", "lea"},
       {"answer",
        {{"question", "GATE#1"},
         {"option", "EDIT"},
         {"feedback", "shorter"},
         {"edited", "a text"},
         {"by", "lea"}}}},
      {PostedEvent{"go", Json::object(), "lea"},
       {"event", {{"name", "go"}, {"data", Json::object()}, {"by", "lea"}}}},
      {PostedStop{"enough"}, {"stop", {{"reason", "enough"}}}},
      {PostedSuspend{"enough"}, {"suspend", {{"reason", "enough"}}}},
      {PostedAbort{"enough"}, {"abort", {{"reason", "enough"}}}},
      {PostedInstruction{"be brief"}, {"instruct", {{"text", "be brief"}}}}};
  ASSERT_EQ(messages.size(), std::variant_size_v<Message>);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const auto& [message, stored] = messages[i];
    EXPECT_EQ(message.index(), i);
    EXPECT_EQ(encode(message).kind, stored.kind);
    EXPECT_EQ(encode(message).body, stored.body);
    const Message read = decode(stored);
    EXPECT_EQ(read.index(), i);
    EXPECT_EQ(encode(read).body, stored.body);
  }
}

TEST(Message, NeedNotSayWhoPostedItOrCarryData) {
  const auto event = std::get<PostedEvent>(decode(journal::Message{"event", {{"name", "go"}}}));
  EXPECT_EQ(event.name, "go");
  EXPECT_TRUE(event.data.is_null());
  EXPECT_EQ(event.by, "");
}

TEST(Message, SaysWhyItCannotBeTaken) {
  const auto error = [](const std::string& kind, const Json& body) {
    return error_of([&] { decode(journal::Message{kind, body}); });
  };
  EXPECT_EQ(error("dance", Json::object()), "no message of the kind 'dance' is known here");
  EXPECT_EQ(error("answer", {{"question", 5}}), "it cannot be read");
  EXPECT_EQ(error("abort", nullptr), "it cannot be read");
}

}  // namespace
}  // namespace agneto::record
