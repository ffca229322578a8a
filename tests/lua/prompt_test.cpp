#include "lua/prompt.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace agneto::lua {
namespace {

std::string body_of(std::string_view text) {
  const PromptModule module = module_of_prompt(text);
  if (!module.problem.empty()) return std::to_string(module.line) + ": " + module.problem;
  constexpr std::string_view begin =
      R"(local agneto = require "agneto" return {prompt = function(m) local _out = {} )";
  constexpr std::string_view end = " return table.concat(_out) end}\n";
  EXPECT_TRUE(module.lua.starts_with(begin) && module.lua.ends_with(end)) << module.lua;
  return module.lua.substr(begin.size(), module.lua.size() - begin.size() - end.size());
}

TEST(Prompt, IsLuaWithTheSameLines) {
  EXPECT_EQ(body_of("Do it:\n{{ctx.plan}}, \"now\" \\\n"),
            "_out[#_out + 1] = \"Do it:\\n\" \n"
            "_out[#_out + 1] = agneto.text(m.ctx.plan) "
            "_out[#_out + 1] = \", \\\"now\\\" \\\\\\n\" \n");
  EXPECT_EQ(body_of(""), "");
  EXPECT_EQ(body_of("\xEF\xBB\xBF{{ run.id }}"), "_out[#_out + 1] = agneto.text( m.run.id ) ");
  EXPECT_EQ(body_of("a\tb\x01"), "_out[#_out + 1] = \"a\\009b\\001\" ");
}

TEST(Prompt, NamesWhatHooksSee) {
  const auto code = [](const std::string& expression) {
    const std::string whole = body_of("{{" + expression + "}}");
    return whole.substr(30, whole.size() - 32);
  };
  EXPECT_EQ(code("#ctx.items + attempt"), "#m.ctx.items + m.attempt");
  EXPECT_EQ(code("event.ctx.run .. other:task()"), "event.ctx.run .. other:task()");
  EXPECT_EQ(code("f({run = run, [task] = 'ctx'})"), "f({run = m.run, [m.task] = 'ctx'})");
  EXPECT_EQ(code("m.ctx"), "m.ctx");
}

TEST(Prompt, HasConditionsAndLoopsWhichLeaveNoLines) {
  EXPECT_EQ(body_of("A\n  {{if ctx.x}}  \nB\n{{ else }}\nC{{end}}\n"),
            "_out[#_out + 1] = \"A\\n\" \n"
            "if agneto.holds( m.ctx.x) then \n"
            "_out[#_out + 1] = \"B\\n\" \n"
            "else    \n"
            "_out[#_out + 1] = \"C\" end   _out[#_out + 1] = \"\\n\" \n");
  EXPECT_EQ(body_of("{{for _, item in ipairs(ctx.list)}}\n- {{item}}\n{{end}}"),
            "for  _, item in ipairs(m.ctx.list) do \n"
            "_out[#_out + 1] = \"- \" _out[#_out + 1] = agneto.text(item) "
            "_out[#_out + 1] = \"\\n\" \n"
            "end   ");
  EXPECT_EQ(body_of("{{iffy}}"), "_out[#_out + 1] = agneto.text(iffy) ");
}

TEST(Prompt, SaysWhereItIsWrong) {
  EXPECT_EQ(body_of("a\n{{ctx.x"), "2: '{{' without '}}' behind it");
  EXPECT_EQ(body_of("a\n\n{{ }}"), "3: nothing between '{{' and '}}'");
  EXPECT_EQ(body_of("{{ctx.x -- more}}"), "1: a comment between '{{' and '}}'");
  EXPECT_EQ(body_of("{{[[a}}"), "1: a text that does not end between '{{' and '}}'");
  EXPECT_EQ(body_of("{{ctx.x) os.exit(}}"), "1: 'ctx.x) os.exit(' is no expression of Lua");
  EXPECT_EQ(body_of("{{if}}{{end}}"), "1: '' is no expression of Lua");
  EXPECT_EQ(body_of("{{for x}}{{end}}"),
            "1: 'for x' is not as in: for _, item in ipairs(ctx.list)");
  EXPECT_EQ(body_of("\n{{if ctx.x}}\n"), "2: 'if' or 'for' without an 'end' behind it");
  EXPECT_EQ(body_of("{{end}}"), "1: 'end' without an 'if' before it");
  EXPECT_EQ(body_of("{{else if ctx.x}}"), "1: 'else' stands alone between '{{' and '}}'");
  EXPECT_EQ(body_of("{{elseif ctx.x}}"), "1: 'elseif' without an 'if' before it");
}

TEST(Prompt, KnowsWherePiecesOfItStand) {
  const std::string text = "One\n{{if ctx.a and ctx.bee}}x{{end}}";
  const PromptModule module = module_of_prompt(text);
  for (const char* word : {"ctx.a", "and", "ctx.bee"}) {
    EXPECT_EQ(module.in_prompt(static_cast<std::uint32_t>(module.lua.find(word))), text.find(word))
        << word;
  }
  EXPECT_EQ(module.in_prompt(0), 0u);
}

TEST(Prompt, IsMarkdown) {
  EXPECT_TRUE(is_prompt("a/coder.md"));
  EXPECT_FALSE(is_prompt("a/coder.lua"));
}

}  // namespace
}  // namespace agneto::lua
