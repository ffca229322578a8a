#include "base/diagnostic.h"

#include <gtest/gtest.h>

namespace agneto {
namespace {

constexpr Rule yaml = {"E101", "yaml", "text that is not YAML", "It is none."};
constexpr Rule undefined_target = {"E203", "undefined-target", "a target of no state", "Name one."};
constexpr Rule missing_input = {"E603", "missing-input", "an input that is missing", "Give it."};
constexpr Rule unused_agent = {"W414", "unused-agent", "an agent that no state calls", "Call it."};

// The diagnostic of an error under `marked` in `text`.
std::string rendered(const std::string& text, const std::string& marked) {
  const Source source("a.yaml", text);
  const auto begin = static_cast<std::uint32_t>(text.find(marked));
  Diagnostics diagnostics;
  diagnostics.report(yaml, {&source, begin, begin + static_cast<std::uint32_t>(marked.size())},
                     "wrong");
  return render(diagnostics);
}

TEST(DiagnosticTest, ShowsThePlaceTheLineAndWhatToDo) {
  const Source source("flow.yaml", "a: 1\nstates:\n  ONE: x\n");
  Diagnostics diagnostics;
  Diagnostic& found = diagnostics.report(undefined_target, {&source, 20, 21}, "no state 'x'");
  found.help = "did you mean 'y'?";
  found.related.push_back({{&source, 5, 11}, "states are defined here"});
  EXPECT_EQ(render(diagnostics),
            "flow.yaml:3:8: error: no state 'x' [E203/undefined-target]\n"
            "  ONE: x\n"
            "       ^\n"
            "  help: did you mean 'y'?\n"
            "flow.yaml:2:1: note: states are defined here\n"
            "states:\n"
            "^~~~~~\n");
}

TEST(DiagnosticTest, ShowsWarningsAndWhatHasNoPlace) {
  const Source source("a.yaml", "key: 1\n");
  Diagnostics diagnostics;
  diagnostics.report(unused_agent, {&source, 0, 3}, "'key' is not used");
  diagnostics.report(missing_input, {}, "the input 'task' is missing").help =
      "pass --input task=...";
  EXPECT_EQ(render(diagnostics),
            "error: the input 'task' is missing [E603/missing-input]\n"
            "  help: pass --input task=...\n"
            "a.yaml:1:1: warning: 'key' is not used [W414/unused-agent]\n"
            "key: 1\n"
            "^~~\n");
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.error_count(), 1U);
}

TEST(DiagnosticTest, SortsByFileThenPlaceThenArrival) {
  const Source a("a.yaml", "1\n2\n3\n");
  const Source b("b.yaml", "1\n2\n3\n");
  Diagnostics diagnostics;
  diagnostics.report(yaml, {&b, 0, 1}, "b1");
  diagnostics.report(yaml, {&a, 4, 5}, "a3");
  diagnostics.report(yaml, {&a, 2, 3}, "a2 first");
  diagnostics.report(unused_agent, {&a, 2, 3}, "a2 second");
  std::vector<std::string> messages;
  for (const Diagnostic& diagnostic : diagnostics.sorted()) {
    messages.push_back(diagnostic.message);
  }
  EXPECT_EQ(messages, (std::vector<std::string>{"a2 first", "a2 second", "a3", "b1"}));
}

TEST(DiagnosticTest, KeepsTabsSoThatTheCaretAligns) {
  EXPECT_EQ(rendered("\tkey:\t value\n", "value"),
            "a.yaml:1:8: error: wrong [E101/yaml]\n"
            "\tkey:\t value\n"
            "\t    \t ^~~~~\n");
}

TEST(DiagnosticTest, CountsCharactersAndTheirWidth) {
  EXPECT_EQ(rendered("ü日: naïve\n", "naïve"),
            "a.yaml:1:8: error: wrong [E101/yaml]\n"
            "ü日: naïve\n"
            "     ^~~~~\n");
}

TEST(DiagnosticTest, UnderlinesTheLinesOfASpan) {
  EXPECT_EQ(rendered("a: |\n  one\n\n  two, three\n", "|\n  one\n\n  two"),
            "a.yaml:1:4: error: wrong [E101/yaml]\n"
            "a: |\n"
            "   ^\n"
            "  one\n"
            "  ~~~\n"
            "  two, three\n"
            "  ~~~\n");
}

TEST(DiagnosticTest, ShowsFourLinesOfALongSpan) {
  EXPECT_EQ(rendered("a: >\n  1\n  2\n  3\n  4\n", ">\n  1\n  2\n  3\n  4"),
            "a.yaml:1:4: error: wrong [E101/yaml]\n"
            "a: >\n"
            "   ^\n"
            "  1\n"
            "  ~\n"
            "  2\n"
            "  ~\n"
            "  3\n"
            "  ~\n"
            "  …\n");
}

TEST(DiagnosticTest, PointsBehindTheEndOfALineAndShowsNoBlankOne) {
  const Source source("a.yaml", "key:\n\n");
  Diagnostics diagnostics;
  diagnostics.report(yaml, {&source, 4, 4}, "nothing here");
  diagnostics.report(yaml, {&source, 5, 5}, "nor here");
  EXPECT_EQ(render(diagnostics),
            "a.yaml:1:5: error: nothing here [E101/yaml]\n"
            "key:\n"
            "    ^\n"
            "a.yaml:2:1: error: nor here [E101/yaml]\n");
}

TEST(DiagnosticTest, CutsALongLineAroundTheSpan) {
  const std::string line = std::string(100, 'a') + " WRONG " + std::string(100, 'b');
  EXPECT_EQ(rendered(line, "WRONG"),
            "a.yaml:1:102: error: wrong [E101/yaml]\n"
            "…" +
                std::string(39, 'a') + " WRONG " + std::string(74, 'b') + "…\n" +
                std::string(41, ' ') + "^~~~~\n");
  EXPECT_EQ(rendered(std::string(50, ' ') + "WRONG" + std::string(1000, 'b'), "WRONG"),
            "a.yaml:1:51: error: wrong [E101/yaml]\n"
            "…" +
                std::string(40, ' ') + "WRONG" + std::string(75, 'b') + "…\n" +
                std::string(41, ' ') + "^~~~~\n");
}

TEST(DiagnosticTest, CutsBetweenCharacters) {
  std::string line;
  for (int i = 0; i < 100; ++i) {
    line += "ü";
  }
  const std::string text = rendered("x" + line + "WRONG" + line, "WRONG");
  EXPECT_EQ(text.find("\xEF\xBF\xBD"), std::string::npos) << "half a character was shown:\n"
                                                          << text;
  EXPECT_NE(text.find("WRONG"), std::string::npos);
}

TEST(DiagnosticTest, ATerminalIsSafeFromTheSource) {
  EXPECT_EQ(rendered("a\x1b[31m\xff: WRONG\r\n", "WRONG"),
            "a.yaml:1:10: error: wrong [E101/yaml]\n"
            "a\xEF\xBF\xBD: WRONG\n"
            "    ^~~~~\n");
}

TEST(DiagnosticTest, OfOneFileSoManyAreTold) {
  std::string text;
  for (int i = 0; i < 1500; ++i) text += "WRONG\n";
  const Source many("a.yaml", text);
  const Source few("b.yaml", "WRONG");
  Diagnostics diagnostics;
  for (std::uint32_t i = 0; i < 1500; ++i) {
    diagnostics.report(yaml, {&many, i * 6, i * 6 + 5}, "wrong");
  }
  diagnostics.report(yaml, {&few, 0, 5}, "wrong");
  EXPECT_EQ(diagnostics.error_count(), 1501U);
  const std::string all = render(diagnostics);
  EXPECT_EQ(all.substr(all.find("a.yaml:1000:1: ")),
            "a.yaml:1000:1: error: wrong [E101/yaml]\n"
            "WRONG\n"
            "^~~~~\n"
            "a.yaml:1001:1: note: 500 more in this file are not told; correct those above first\n"
            "WRONG\n"
            "^~~~~\n"
            "b.yaml:1:1: error: wrong [E101/yaml]\n"
            "WRONG\n"
            "^~~~~\n");
}

}  // namespace
}  // namespace agneto
