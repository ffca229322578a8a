#include "ui/json_lines.h"

#include <gtest/gtest.h>

#include "ui/paper.h"

namespace agneto::ui {
namespace {

TEST(JsonLinesTest, OneObjectALineThatNoTerminalObeys) {
  Paper paper;
  JsonLines lines(paper.file());
  record::RunEvent event;
  event.time = Time(Millis(0));
  event.run = "shout-1";
  event.path = "CODING#1";
  event.body = record::AgentText{
      "a\n\x1b[2J\x7f\xC2\x9B"
      "2J é \xFF"};
  lines.event(event);
  std::string first = paper.read();
  EXPECT_EQ(first,
            "{\"path\":\"CODING#1\",\"run\":\"shout-1\","
            "\"text\":\"a\\n\\u001b[2J\\u007f\\u009b2J é \xEF\xBF\xBD\","
            "\"time\":\"1970-01-01T00:00:00.000Z\",\"type\":\"agent.text\"}\n");
  EXPECT_EQ(Json::parse(first).at("text"),
            "a\n\x1b[2J\x7f\xC2\x9B"
            "2J é \xEF\xBF\xBD");
  event.path.clear();
  event.body = record::RunPaused{};
  lines.event(event);
  EXPECT_EQ(
      paper.read(),
      "{\"run\":\"shout-1\",\"time\":\"1970-01-01T00:00:00.000Z\",\"type\":\"run.paused\"}\n");
}

}  // namespace
}  // namespace agneto::ui
