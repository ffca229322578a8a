#include "yaml/quick_parse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <sstream>

namespace agneto::yaml {
namespace {

// What a parser gives, a line each. The place of nothing is not the same in both.
class Recorder : public YAML::EventHandler {
  using Mark = YAML::Mark;
  using Style = YAML::EmitterStyle::value;

 public:
  std::string text;

  void OnDocumentStart(const Mark&) override { text += "document\n"; }
  void OnDocumentEnd() override { text += "end\n"; }
  void OnNull(const Mark&, YAML::anchor_t anchor) override { note("null", 0, "", anchor, ""); }
  void OnAlias(const Mark& mark, YAML::anchor_t) override { note("alias", mark.pos, "", 0, ""); }
  void OnScalar(const Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    note("scalar", mark.pos, tag, anchor, value);
  }
  void OnSequenceStart(const Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       Style style) override {
    note("list", mark.pos, tag, anchor, style == YAML::EmitterStyle::Flow ? "[" : "");
  }
  void OnSequenceEnd() override { text += "end of list\n"; }
  void OnMapStart(const Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  Style style) override {
    note("map", mark.pos, tag, anchor, style == YAML::EmitterStyle::Flow ? "{" : "");
  }
  void OnMapEnd() override { text += "end of map\n"; }

 private:
  void note(std::string_view what, int at, const std::string& tag, YAML::anchor_t anchor,
            const std::string& value) {
    const bool own = tag != "?" && tag != "!" && !tag.empty();
    text += fmt::format("{} at {}{}{} '{}'\n", what, at, own ? " tagged" : "",
                        anchor == 0 ? "" : " anchored", value);
  }
};

std::string by_yaml_cpp(const std::string& text) {
  std::istringstream stream(text);
  Recorder recorder;
  YAML::Parser parser(stream);
  while (parser.HandleNextDocument(recorder)) {
  }
  return recorder.text;
}

TEST(QuickParse, GivesWhatYamlCppGives) {
  for (const std::string text : {
           "a: 1\nb: 'it''s'\nc: \"\\u00e9\\n\\x41\"\n",
           "a:\n- b\n-\n- c: d\n  e: [f, {g: h}, 'i', ]\n- - j\n  - k\n",
           "{a: , b: ~, c: null, d: {}, e: []}\n",
           "a: ü 日本 x\nb: é\nc: 'ü'\nd: |\n  é\n  日\ne: f\n",
           "a: |\n  b\n   c\n\n  d\n\ne: >-\n  f\n  g\n\n  h\n",
           "a: |2+\n   b\n\n\nc: >1-\n  d\n e\n",
           "a: b\n  c\n\n  d # e\nf: g#h\n# i\n",
           "? a\n: b\n? - c\n: d\n",
           "a: !t b\nc: &d e\nf: !t\n  g: h\ni: &j\n  - k\n",
           "# only\n---\na: b\n...\n",
           "---\na: b\n---\nc: d\n",
           "a: b\r\nc: |\r\n  d\r\n  e\r\nf: 'g\r\n  h'\r\n",
           "\"a\": {'b':c, \"d\": e:f, g: http://h/i}\n",
           "[a: b, c, {d}]\n",
           "a\n",
       }) {
    Recorder recorder;
    EXPECT_TRUE(quick_parse(text, recorder)) << text;
    EXPECT_EQ(recorder.text, by_yaml_cpp(text)) << text;
  }
}

TEST(QuickParse, LeavesToYamlCppWhatTheTwoTakeDifferently) {
  for (const std::string text : {
           "",                                // there is nothing
           "a: *b\n",                         // an alias
           "%YAML 1.2\n---\na: b\n",          // a directive
           "a: b\u2028c\n", "a: b\u0085c\n",  // line ends of Unicode
           "a: {b: c?}\n", "a: [?b, c]\n",    // a question mark in brackets
           "a: b: c\n", "a: 'b\n", "a: [b\n", "a:\n\t- b\n", "- a\nb: c\n",  // mistakes
       }) {
    Recorder recorder;
    EXPECT_FALSE(quick_parse(text, recorder)) << text;
  }
}

// In and out of brackets again, what counts is where the text stands.
TEST(QuickParse, TakesQuestionMarksOutsideOfBrackets) {
  const std::string text = "a: [b, {c: 'd?'}]\ne: f? g\nh: {i: j}\nk: l?\n";
  Recorder recorder;
  EXPECT_TRUE(quick_parse(text, recorder));
  EXPECT_EQ(recorder.text, by_yaml_cpp(text));
}

struct Halt {};

class Halting : public Recorder {
  void OnNull(const YAML::Mark&, YAML::anchor_t) override { throw Halt{}; }
};

TEST(QuickParse, PassesOnWhatIsThrown) {
  Halting halting;
  EXPECT_THROW(quick_parse("a: b\nc:\n", halting), Halt);
}

}  // namespace
}  // namespace agneto::yaml
