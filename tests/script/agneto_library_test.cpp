// scripts/lib/agneto.lua: what hooks call, and what reads a reply where they do not.
#include <gtest/gtest.h>

#include "script/hooks.h"
#include "support/paths.h"

namespace agneto::script {
namespace {

namespace fs = std::filesystem;

const Json verdicts = {
    {{"name", "APPROVED"}, {"fields", Json::array()}},
    {{"name", "REVISE"},
     {"fields", {{{"name", "feedback"}, {"type", "string"}, {"optional", false}}}}},
    {{"name", "RATED"},
     {"fields",
      {{{"name", "level"}, {"type", "enum [low, high]"}, {"optional", false}},
       {{"name", "items"}, {"type", "[string]"}, {"optional", true}},
       {{"name", "n"}, {"type", "integer"}, {"optional", false}}}}}};

class LibraryAndHook : public MemoryFiles {
 public:
  explicit LibraryAndHook(const std::string& body) {
    add("lib/agneto.lua",
        Disk().read(fs::path(AGNETO_SOURCE_DIR) / "scripts/lib/agneto.lua").value());
    add("h.lua", "local agneto = require 'agneto'\nreturn {prompt = function(m) " + body + " end}");
  }
};

std::string result(const std::string& body, const Json& m = Json::object()) {
  const LibraryAndHook files(body);
  Hooks hooks(files, {{""}, "lib"});
  return hooks.prompt("h.lua", "", m);
}

// "NAME {fields}", "nothing", or what is wrong with the reply.
std::string read(const std::string& reply) {
  const LibraryAndHook files("return ''");
  Hooks hooks(files, {{""}, "lib"});
  const auto found = hooks.parse("h.lua", "", reply, {{"verdicts", verdicts}});
  if (found && !found->problem.empty()) return found->problem;
  return found ? found->name + " " + to_text(found->fields) : "nothing";
}

std::string fenced(const std::string& text, const std::string& lang = "json") {
  return "```" + lang + "\n" + text + "\n```\n";
}

TEST(ReadVerdict, FromTheLastFencedObject) {
  EXPECT_EQ(read("Fine.\n\n" + fenced(R"({"verdict": "APPROVED"})")), "APPROVED {}");
  EXPECT_EQ(read(fenced(R"({"verdict": "APPROVED"})") + "On second thoughts:\n" +
                 fenced("{\n  \"verdict\": \"REVISE\",\n  \"feedback\": \"a ``` b\"\n}") + "Done."),
            R"(REVISE {"feedback":"a ``` b"})");
  EXPECT_EQ(read(fenced(R"({"verdict": "APPROVED"})") + fenced(R"({"x": 1})") + fenced("[1]") +
                 fenced("{broken") + fenced(R"({"verdict": 3})")),
            "APPROVED {}");
  EXPECT_EQ(read("  ```JSON\r\n{\"verdict\": \"APPROVED\"}\r\n  ```\r\n"), "APPROVED {}");
  EXPECT_EQ(read("```json\n{\"verdict\": \"APPROVED\"}"), "APPROVED {}");  // no closing fence
}

TEST(ReadVerdict, NotFromAFenceInAFenceOrOfAnotherKind) {
  EXPECT_EQ(read("````markdown\n" + fenced(R"({"verdict": "APPROVED"})") + "````\n"), "nothing");
  EXPECT_EQ(read(fenced(R"({"verdict": "APPROVED"})", "yaml")), "nothing");
  EXPECT_EQ(read(fenced(R"({"verdict": "APPROVED"})", "jsonl")), "nothing");
}

TEST(ReadVerdict, FromAReplyThatIsOneObject) {
  EXPECT_EQ(read(R"({"verdict": "REVISE", "feedback": "Why?"})"), R"(REVISE {"feedback":"Why?"})");
  EXPECT_EQ(read("\n  {\"verdict\": \"APPROVED\", \"feedback\": null}\n"),
            R"(APPROVED {"feedback":null})");
}

TEST(ReadVerdict, FromTheLastLine) {
  EXPECT_EQ(read("All good.\n\nVERDICT: APPROVED\n\n"), "APPROVED {}");
  EXPECT_EQ(read("**VERDICT: APPROVED**"), "APPROVED {}");
  EXPECT_EQ(read("**VERDICT:** `APPROVED`."), "APPROVED {}");
  EXPECT_EQ(read("## VERDICT: __APPROVED__"), "APPROVED {}");
  EXPECT_EQ(read("VERDICT:APPROVED\r\n"), "APPROVED {}");
  EXPECT_EQ(read("VERDICT: SOMETHING_ELSE"), "SOMETHING_ELSE {}");  // judged by the caller
}

TEST(ReadVerdict, ABareLineOfAVerdictWithOneTextTakesTheTextBefore) {
  EXPECT_EQ(read("Please add a test.\nAnd a comment.\n\nVERDICT: REVISE"),
            R"(REVISE {"feedback":"Please add a test.\nAnd a comment."})");
  EXPECT_EQ(read("VERDICT: REVISE"), "REVISE {}");
  EXPECT_EQ(read("Level low.\nVERDICT: RATED"), "RATED {}");
}

TEST(ReadVerdict, NeverFromProse) {
  for (const char* reply :
       {"so not replying ALL_TASKS_COMPLETE", "APPROVED", "The verdict is APPROVED.",
        "I would say VERDICT: APPROVED", "VERDICT: APPROVED once the tests pass",
        "VERDICT: APPROVED\nBut wait.", "verdict: approved?", "VERDICT:", "VERDICT: ", "",
        "My VERDICT: APPROVED", "- VERDICT: APPROVED or REVISE", "{\"verdict\": \"\"}",
        "[{\"verdict\": \"APPROVED\"}]", "null", "\"VERDICT: APPROVED\"",
        "Reply with `{\"verdict\": \"APPROVED\"}`."}) {
    EXPECT_EQ(read(reply), "nothing") << reply;
  }
}

TEST(ReadVerdict, ABlockAndALastLineMustAgree) {
  const std::string block = fenced(R"({"verdict": "REVISE", "feedback": "x"})");
  EXPECT_EQ(read(block + "VERDICT: REVISE"), R"(REVISE {"feedback":"x"})");
  EXPECT_EQ(read(block + "VERDICT: APPROVED"),
            "the reply's block has the verdict 'REVISE', its last line 'APPROVED'");
}

TEST(ReadVerdict, BrokenJsonIsToldAsSuch) {
  const std::string broken = "the JSON in the reply cannot be decoded";
  EXPECT_EQ(read("{\"verdict\": }"), broken);
  EXPECT_EQ(read("{\"verdict\": \"REVISE\", \"feedback\": \"so"), broken);
  EXPECT_EQ(read("Well.\n" + fenced("{\"verdict\": \"APPROVED\",}")), broken);
  EXPECT_EQ(read(fenced("{}") + fenced("{'verdict': 'APPROVED'}")), broken);
  EXPECT_EQ(read(fenced("{") + fenced("{}")), "nothing");
  EXPECT_EQ(read(fenced("{") + "VERDICT: APPROVED"), "APPROVED {}");
}

// Output that a program floods is no reason for an error in Lua: a verdict at its end is found, and
// where there is none, there is none.
TEST(ReadVerdict, FromTheEndOfAnyReply) {
  const std::string block = fenced(R"({"verdict": "APPROVED"})");
  const auto flood = [](const std::string& line) {
    std::string text;
    while (text.size() < 300'000) text += line;
    return text;
  };
  for (const char* line : {"y\n", "\n", " ", "`", "```\n", "```json\n", "```json\n```\n", "**> ",
                           "a long line without an end, ", "{\"verdict\": ", "VERDICT: "}) {
    const std::string long_text = flood(line);
    const std::string_view text = line;
    const bool broken = text.starts_with('{') || text == "```json\n```\n";
    EXPECT_EQ(read(long_text), broken ? "the JSON in the reply cannot be decoded" : "nothing")
        << line;
    EXPECT_EQ(read(long_text + "\nVERDICT: APPROVED\n"), "APPROVED {}") << line;
  }
  for (const char* line : {"y\n", "\n", " ", "a long line without an end, ", "```\n```\n"}) {
    EXPECT_EQ(read(flood(line) + "\n" + block), "APPROVED {}") << line;
  }
  EXPECT_EQ(read("```\n" + flood("y\n") + "```\n" + block), "APPROVED {}") << "cut inside a fence";
  EXPECT_EQ(read(fenced(R"({"verdict": "APPROVED"})") + flood("y\n")), "nothing") << "not the end";
}

TEST(ReadVerdict, ATextOfAnyLengthIsNotAField) {
  EXPECT_EQ(read(std::string(200'000, 'y') + "\nVERDICT: REVISE").substr(0, 25),
            R"(REVISE {"feedback":"yyyyy)");
  EXPECT_EQ(read(std::string(300'000, 'y') + "\nVERDICT: REVISE"), "nothing");
}

TEST(VerdictFormat, TellsHowToEndAndWithWhat) {
  const LibraryAndHook files("return ''");
  Hooks hooks(files, {{""}, "lib"});
  EXPECT_EQ(hooks.verdict_format(verdicts),
            "## How to end your reply\n"
            "\n"
            "End your reply with your verdict: one JSON object in a fenced block, with nothing "
            "after it. For example:\n"
            "\n"
            "```json\n"
            "{\"verdict\": \"APPROVED\"}\n"
            "```\n"
            "\n"
            "The verdict is one of:\n"
            "\n"
            "- `APPROVED`\n"
            "- `REVISE`, with `feedback` (string)\n"
            "- `RATED`, with `level` (one of low, high), `items` (list of string, may be null), "
            "`n` (integer)\n"
            "\n"
            "Give exactly the fields of the verdict that you choose. A reply without such a block, "
            "or with another verdict, cannot be used.\n");
  EXPECT_EQ(hooks.verdict_format(Json::array()), "");
}

TEST(VerdictFormat, TellsTheProvidersWayInsteadOfABlock) {
  const LibraryAndHook files("return ''");
  Hooks hooks(files, {{""}, "lib"});
  EXPECT_EQ(hooks.verdict_format(verdicts, "Give your verdict by lamp."),
            "## How to end your reply\n"
            "\n"
            "Give your verdict by lamp.\n"
            "\n"
            "The verdict is one of:\n"
            "\n"
            "- `APPROVED`\n"
            "- `REVISE`, with `feedback` (string)\n"
            "- `RATED`, with `level` (one of low, high), `items` (list of string, may be null), "
            "`n` (integer)\n"
            "\n"
            "Fields that the verdict you choose does not have are null.\n");
}

TEST(VerdictFormat, ItsOwnExampleCanBeRead) {
  const LibraryAndHook files("return ''");
  Hooks hooks(files, {{""}, "lib"});
  const Json one = Json::array({verdicts[2]});
  const auto found = hooks.parse("h.lua", "", hooks.verdict_format(one), {{"verdicts", one}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name + to_text(found->fields), R"(RATED{"items":["..."],"level":"low","n":1})");
}

TEST(AgnetoLibrary, Section) {
  EXPECT_EQ(result("return agneto.section('Plan', 'Do it.\\n\\n')"), "## Plan\n\nDo it.\n");
  EXPECT_EQ(result("return agneto.section('Plan', {a = 1})"), "## Plan\n\n{\"a\":1}\n");
  EXPECT_EQ(result("return agneto.section('Plan', nil) .. agneto.section('Plan', '') .. "
                   "agneto.section('Plan', null)"),
            "");
}

TEST(AgnetoLibrary, FenceIsLongerThanAnyInside) {
  EXPECT_EQ(result("return agneto.fence('x\\n', 'lua')"), "```lua\nx\n```");
  EXPECT_EQ(result("return agneto.fence('a\\n````\\nb')"), "`````\na\n````\nb\n`````");
  EXPECT_EQ(result("return agneto.fence(nil)"), "");
}

TEST(AgnetoLibrary, BulletsAndJoin) {
  EXPECT_EQ(result("return agneto.bullets({'one', 'two\\nlines\\n', '', {3}, null, 4})"),
            "- one\n- two\n  lines\n- [3]\n- 4");
  EXPECT_EQ(result("return agneto.bullets(nil)"), "");
  EXPECT_EQ(result("return agneto.join {'a\\n', nil, '', null, 'b', false or 'c'}"), "a\n\nb\n\nc");
}

TEST(AgnetoLibrary, Render) {
  const Json m = {{"ctx",
                   {{"name", "100% {{ctx.n}}"},
                    {"n", 3},
                    {"list", {"x", "y"}},
                    {"none", nullptr},
                    {"f", 2.0}}}};
  EXPECT_EQ(result("return agneto.render('{{ctx.name}}|{{ ctx.n }}|{{ctx.list}}|{{ctx.list.2}}|"
                   "{{ctx.none}}|{{ctx.no.such}}|{{ctx.f}}|{{ }}|%1', m)",
                   m),
            "100% {{ctx.n}}|3|[\"x\",\"y\"]|y|||2.0|{{ }}|%1");
}

}  // namespace
}  // namespace agneto::script
