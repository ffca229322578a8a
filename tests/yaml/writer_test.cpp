#include "yaml/writer.h"

#include <gtest/gtest.h>

#include <random>

#include "yaml/scalar.h"

namespace agneto::yaml {
namespace {

Ordered read(const std::string& yaml) {
  Diagnostics diagnostics;
  const auto tree = parse(std::make_shared<Source>("written.yaml", yaml), diagnostics);
  const Json value = tree ? to_json(*tree, diagnostics) : Json();
  EXPECT_EQ(render(diagnostics), "") << yaml;
  return Ordered::parse(value.dump());
}

// Objects are equal whatever the order of their keys.
bool same(const Ordered& a, const Ordered& b) {
  return Json::parse(a.dump()) == Json::parse(b.dump());
}

TEST(Writer, WritesAsAPersonWould) {
  const Ordered value = {{"agneto-cassette", 1},
                         {"calls",
                          {{{"agent", "coder"}, {"reply", "Done.\n\nVERDICT: OK\n"}},
                           {{"agent", "reviewer"}, {"reply", "VERDICT: OK"}, {"delay", "2s"}}}},
                         {"empty", Ordered::array()},
                         {"names", {"a", "b"}}};
  EXPECT_EQ(to_yaml(value), R"(agneto-cassette: 1
calls:
  - agent: coder
    reply: |
      Done.

      VERDICT: OK
  - {agent: reviewer, reply: 'VERDICT: OK', delay: 2s}
empty: []
names: [a, b]
)");
}

TEST(Writer, AnyTextIsReadAsItWas) {
  for (const std::string text : {"",
                                 " ",
                                 "\n",
                                 "\n\n",
                                 "a\n",
                                 "a\n\n",
                                 "\na\n",
                                 " a\n  b\n",
                                 "\ta\nb",
                                 "a \n b\t\n",
                                 "yes",
                                 "1e3",
                                 "0x1F",
                                 "12:30",
                                 "null",
                                 "~",
                                 "true",
                                 "- a",
                                 "a: b",
                                 "a #b",
                                 "#a",
                                 "'",
                                 "\"",
                                 "\\",
                                 "a'b",
                                 "{a}",
                                 "[a]",
                                 "a, b",
                                 "*a",
                                 "&a",
                                 "!a",
                                 "%a",
                                 "@a",
                                 "`a`",
                                 "---\na",
                                 "...",
                                 "--- a",
                                 "a\r\nb\r\n",
                                 "\x1b[31m",
                                 "\x7f",
                                 "\u0085",
                                 "\u2028x",
                                 "\ufeff",
                                 "\u00a0",
                                 "é\nü",
                                 "😀\n😀",
                                 "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a \n+b\n\\ "
                                 "No newline at end of file\n",
                                 "a\n \nb",
                                 "a\n\n \n",
                                 "|",
                                 ">",
                                 "? a",
                                 ": a",
                                 "-",
                                 "?",
                                 "2026-01-31",
                                 "a:",
                                 ".5",
                                 "+1"}) {
    const Ordered value = {{"text", text}, {"list", {text, {{text, text}}}}, {"last", text}};
    EXPECT_TRUE(same(read(to_yaml(value)), value)) << to_yaml(value);
  }
}

TEST(Writer, NumbersStayNumbers) {
  const Ordered value = {{"n", {0, -1, 0.5, 1e20, -2.5e-7, 1e300, 9007199254740993}}};
  EXPECT_TRUE(same(read(to_yaml(value)), value)) << to_yaml(value);
}

TEST(Writer, AnyValueIsReadAsItWas) {
  std::mt19937 random(7);
  const std::string alphabet = "ab \n\t:#-'\"{}[],|>&*!?%\\01e.~\r";
  const std::function<Ordered(int)> some = [&](int depth) -> Ordered {
    const auto kind = random() % (depth > 0 ? 8 : 5);
    if (kind == 5 || kind == 6) {
      Ordered map = Ordered::object();
      for (auto n = random() % 4; n > 0; --n) {
        map["k" + std::to_string(random() % 9)] = some(depth - 1);
      }
      return map;
    }
    if (kind == 7) {
      Ordered list = Ordered::array();
      for (auto n = random() % 4; n > 0; --n) list.push_back(some(depth - 1));
      return list;
    }
    if (kind == 0) return nullptr;
    if (kind == 1) return random() % 2 == 0;
    if (kind == 2) return static_cast<int>(random() % 2000) - 1000;
    std::string text;
    for (auto n = random() % 12; n > 0; --n) text += alphabet[random() % alphabet.size()];
    return text;
  };
  for (int i = 0; i < 3000; ++i) {
    const Ordered value = {{"value", some(4)}, {"end", 1}};
    ASSERT_TRUE(same(read(to_yaml(value)), value)) << to_yaml(value) << value.dump();
  }
}

}  // namespace
}  // namespace agneto::yaml
