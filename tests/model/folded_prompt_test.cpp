#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

// Of a prompt whose first line is the fifth of the file.
std::string said_of_prompt(const std::string& prompt) {
  return load_files(
             {{"flow.yaml", "agneto: 1\nname: flow\nagents:\n  coder:\n    prompt: " + prompt +
                                "\ninitial: A\nstates:\n  A: {agent: coder, on: {any: B}}\n"
                                "  B: {final: true}\n"}})
      .messages();
}

TEST(FoldedPrompt, LosesItsLists) {
  EXPECT_EQ(
      said_of_prompt(">\n      Do this:\n      - the one\n      - the other"),
      R"text(flow.yaml:7:7: warning: YAML joins this line to the one before it, so that it is no item of a list [W464/folded-prompt]
      - the one
      ^~~~~~~~~
  help: write the prompt behind '|', which keeps its lines
flow.yaml:5:13: note: it begins here
    prompt: >
            ^
)text");
}

TEST(FoldedPrompt, LosesWhatElseBeginsALine) {
  const auto lost = [](const std::string& line) {
    return said_of_prompt(">\n      Do this\n      " + line);
  };
  EXPECT_THAT(lost("## Then"), testing::HasSubstr("so that it is no heading [W464"));
  EXPECT_THAT(lost("2. that"), testing::HasSubstr("so that it is no item of a list [W464"));
  EXPECT_THAT(lost("> that"), testing::HasSubstr("so that it is no quotation [W464"));
  EXPECT_THAT(lost("| a | b |"), testing::HasSubstr("so that it is no row of a table [W464"));
  EXPECT_THAT(lost("```sh"), testing::HasSubstr("so that it is no block of code [W464"));
  for (const char* wrong : {"\"Do this\n      - that\"", "Do this\n      - that"}) {
    EXPECT_THAT(said_of_prompt(wrong), testing::HasSubstr("W464/folded-prompt")) << wrong;
  }
}

TEST(FoldedPrompt, AddsToItsHeadings) {
  EXPECT_THAT(said_of_prompt(">\n      # The task\n      Do {{this}}"),
              testing::StartsWith("flow.yaml:7:7: warning: YAML joins this line to the heading "
                                  "before it [W464/folded-prompt]\n      Do {{this}}\n"));
}

TEST(FoldedPrompt, MayBeOfParagraphs) {
  for (const char* right :
       {">\n      Do this\n      and that.",
        ">\n      Do this\n      and that.\n\n      Then this.",
        ">\n      # The task\n\n      Do this\n      and that.\n\n      - the one\n\n      - the "
        "other",
        ">\n      Do this:\n        - the one\n        - the other",
        ">\n      #1 is -1\n      -2 is +2",
        "|\n      # The task\n      Do this:\n      - the one\n      - the other",
        "Do this\n      and 2026. Then that", "\"Do this\\n- the one\\n\\\n      - the other\""}) {
    EXPECT_EQ(said_of_prompt(right), "") << right;
  }
}

}  // namespace
}  // namespace agneto::model
