#include "model/inline_prompt.h"

#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

constexpr const char* flow = R"yaml(agneto: 1
name: flow
inputs: {task: string}
agents:
  coder:
    prompt: |
      # Do this

        {{inputs.task}}
  tester: {prompt: "Test {{inputs.task}}."}
  other: {extends: tester, access: edit}
  third: {prompt: third one.md}
initial: A
states:
  A: {agent: coder, on: {any: B}}
  B: {agent: tester, on: {any: C}}
  C: {agent: other, on: {any: D}}
  D: {agent: third, on: {any: E}}
  E: {final: true}
)yaml";

std::string at(const InlinePrompt& prompt, std::string_view words) {
  const auto found = static_cast<std::uint32_t>(prompt.text.find(words));
  const auto place = prompt.workflow->position(prompt.place(found));
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

TEST(InlinePrompt, IsTextWithBracesLinesOrSeveralWords) {
  for (const char* text : {"Do {{it}}", "{{it}}", "Do\nit", "Do it.", "a b.lua"}) {
    EXPECT_TRUE(is_inline_prompt(text)) << text;
  }
  for (const char* text : {"coder.md", "kit/coder.md", "my coder.md", "coder.lua", "coder", ""}) {
    EXPECT_FALSE(is_inline_prompt(text)) << text;
  }
}

TEST(InlinePrompt, IsAFileOfItsOwn) {
  const LoadResult result = load_files({{"flow.yaml", flow}, {"third one.md", "Third."}});
  EXPECT_EQ(result.messages(), "");
  const auto& agents = result.main().agents;
  EXPECT_EQ(agents[0].hooks, "flow.yaml#coder.md");
  EXPECT_EQ(agents[1].hooks, "flow.yaml#tester.md");
  EXPECT_EQ(agents[2].hooks, "flow.yaml#tester.md");
  EXPECT_EQ(agents[3].hooks, "third one.md");

  const MemoryFiles files({{"flow.yaml", flow}, {"third one.md", "Third."}});
  EXPECT_EQ(read_hooks(files, "flow.yaml#coder.md"), "# Do this\n\n  {{inputs.task}}\n");
  EXPECT_EQ(read_hooks(files, "third one.md"), "Third.");
  EXPECT_EQ(read_hooks(files, "flow.yaml#nobody.md"), std::nullopt);
  EXPECT_EQ(read_hooks(files, "gone.yaml#coder.md"), std::nullopt);
}

TEST(InlinePrompt, KnowsWhereItsWordsAre) {
  MemoryFiles files;
  files.add("flow.yaml", flow);
  const auto coder = inline_prompt(files, "flow.yaml#coder.md");
  EXPECT_EQ(at(*coder, "# Do"), "7:7");
  EXPECT_EQ(at(*coder, "inputs.task"), "9:11");
  const auto tester = inline_prompt(files, "flow.yaml#tester.md");
  EXPECT_EQ(at(*tester, "inputs.task"), "10:28");
}

TEST(InlinePrompt, KnowsWhereItsWordsAreThatYamlHasJoined) {
  MemoryFiles files;
  files.add("flow.yaml",
            "agneto: 1\nagents:\n  a:\n    prompt: >\n      One and\n      {{two}}\n\n"
            "      Three,\n        four\n  b: {prompt: \"Five\n    and {{six}}\"}\n");
  const auto folded = inline_prompt(files, "flow.yaml#a.md");
  EXPECT_EQ(folded->text, "One and {{two}}\nThree,\n  four\n");
  EXPECT_EQ(at(*folded, "One"), "5:7");
  EXPECT_EQ(at(*folded, "two"), "6:9");
  EXPECT_EQ(at(*folded, "Three"), "8:7");
  EXPECT_EQ(at(*folded, "four"), "9:9");
  EXPECT_EQ(at(*inline_prompt(files, "flow.yaml#b.md"), "six"), "11:11");
}

TEST(InlinePrompt, PutsItsLinesWhereTheFileHasThem) {
  MemoryFiles files;
  files.add("flow.yaml",
            "agneto: 1\nagents:\n  a: {prompt: \"One\\nTwo\\nThree {{x}}\"}\n  b:\n    prompt: |\n"
            "      One\n      Two\n");
  const auto quoted = inline_prompt(files, "flow.yaml#a.md");
  EXPECT_EQ(quoted->on_its_lines("a\nb\nc\n"), "\n\na b c ");
  EXPECT_EQ(quoted->line(3), 3);
  const auto block = inline_prompt(files, "flow.yaml#b.md");
  EXPECT_EQ(block->on_its_lines("a\nb\n"), "\n\n\n\n\na\nb\n");
  EXPECT_EQ(block->line(2), 7);
}

// What a file changes is written in that file.
TEST(InlinePrompt, OfAnOverlayIsInTheOverlay) {
  const LoadResult result = load_files(
      {{"base.yaml", flow},
       {"third one.md", "Third."},
       {"flow.yaml",
        "agneto: 1\nextends: base.yaml\nname: mine\nagents: {coder: {prompt: Do it well.}}\n"}});
  EXPECT_EQ(result.messages(), "");
  EXPECT_EQ(result.main().agents[0].hooks, "flow.yaml#coder.md");
  EXPECT_EQ(result.main().agents[1].hooks, "base.yaml#tester.md");
}

}  // namespace
}  // namespace agneto::model
