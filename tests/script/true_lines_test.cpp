// Lua stands inside YAML in many ways; its errors are shown where a person wrote it.
#include <gtest/gtest.h>

#include "script/evaluator_fixture.h"

namespace agneto::script {
namespace {

struct Loaded {
  explicit Loaded(const std::string& text, const std::string& base = "") {
    MemoryFiles files;
    files.add("workflows/flow.yaml", text);
    files.add("workflows/base.yaml", base);
    loaded = model::load("workflows/flow.yaml", files, diagnostics);
    if (loaded.draft) evaluator = make_evaluator(*loaded.draft, diagnostics);
  }

  // The faults of all blocks and expressions, in document order, one a line.
  std::string faults() {
    if (!evaluator || !loaded.system) return render(diagnostics);
    std::optional<chart::Fault> fault;
    FakeScope scope;
    auto data = evaluator->create(0, Json::object(), scope, fault);
    std::string all;
    const auto& machine = loaded.system->main();
    for (model::CodeId id = 0; id < machine.code.size(); ++id) {
      fault.reset();
      if (machine.code[id].kind == model::Code::Kind::expression) {
        evaluator->value(*data, id, scope, fault);
      } else {
        evaluator->run(*data, id, scope, fault);
      }
      if (fault) all += fault->message + "\n";
    }
    return all;
  }

  Diagnostics diagnostics;
  model::Loaded loaded;
  std::unique_ptr<chart::Evaluator> evaluator;
};

const std::string head =
    "agneto: 1\nname: flow\ninitial: A\ncontext: {n: 0}\nstates:\n  B: {}\n  A:\n";

TEST(TrueLines, OfBothFilesWhereOneExtendsTheOther) {
  const std::string base = head + "    entry: ctx.n = ctx.n + 1\n    exit: error('9 ' .. ctx.n)\n";
  EXPECT_EQ(Loaded("agneto: 1\nextends: base.yaml\nstates:\n"
                   "  A: {on: {e1: {do: error('4 ' .. ctx.n), target: B}}}\n",
                   base)
                .faults(),
            "workflows/base.yaml:9: 9 1\n"
            "workflows/flow.yaml:4: 4 1\n");
  EXPECT_EQ(Loaded("agneto: 1\nextends: base.yaml\nstates:\n"
                   "  A: {entry: 'ctx.n = = 1', exit: null}\n",
                   base)
                .faults(),
            "workflows/flow.yaml:4:14: error: syntax error in entry: unexpected symbol near '=' "
            "[E501/lua-syntax]\n"
            "  A: {entry: 'ctx.n = = 1', exit: null}\n"
            "             ^~~~~~~~~~~~~\n");
}

TEST(TrueLines, OfPlainAndQuotedScalarsAndBlocks) {
  EXPECT_EQ(Loaded(head + "    entry: error('8')\n"
                          "    exit:\n"
                          "      - \"error('10')\"\n"
                          "      - |\n"
                          "        local x = 1  -- a comment\n"
                          "\n"
                          "        error('14')\n"
                          "      - >\n"
                          "        local y = 1\n"
                          "        error('17')\n"
                          "    on:\n"
                          "      e1: {guard: error('19'), do: error('19'), target: B}\n"
                          "      e2:\n"
                          "        do: |\n"
                          "          error('22')\n")
                .faults(),
            "workflows/flow.yaml:8: 8\n"
            "workflows/flow.yaml:10: 10\n"
            "workflows/flow.yaml:14: 14\n"
            "workflows/flow.yaml:16: 17\n"  // folded: one line of Lua
            "workflows/flow.yaml:19: 19\n"
            "workflows/flow.yaml:19: 19\n"
            "workflows/flow.yaml:22: 22\n");
}

TEST(TrueLines, OfTemplatesAndLongStrings) {
  EXPECT_EQ(Loaded(head + "    ask:\n"
                          "      question: |\n"
                          "        First {{ctx.n}},\n"
                          "        then {{error('11')}}\n"
                          "      options: {OK: \"{{error('12')}}\"}\n"
                          "    entry: |\n"
                          "      local text = [[one\n"
                          "        two -- no comment]] --[[ but\n"
                          "        this is]] error('16')\n"
                          "    exit: error('17 ' .. \"--\")\n"
                          "    on: {OK: B}\n")
                .faults(),
            "workflows/flow.yaml:11: 11\n"
            "workflows/flow.yaml:12: 12\n"
            "workflows/flow.yaml:16: 16\n"
            "workflows/flow.yaml:17: 17 --\n");
}

TEST(TrueLines, OfAllSyntaxErrorsAtOnce) {
  EXPECT_EQ(Loaded(head + "    entry: |\n"
                          "      local x = 1\n"
                          "      if x then\n"
                          "    on:\n"
                          "      e1: {guard: ctx.n = 1, target: B}\n"
                          "      e2: {guard: 'ctx.n != 1', target: B}\n"
                          "      e3: {do: ctx = 1, target: B}\n"
                          "      e4: {do: ctx.n += 1, target: B}\n"
                          "      e5: {do: ctx.n = 1, target: B}\n"
                          "      e6: {guard: '-- nothing', target: B}\n")
                .faults(),
            "workflows/flow.yaml:10:7: error: syntax error in entry: 'end' expected near <eof> "
            "[E501/lua-syntax]\n"
            "      if x then\n"
            "      ^~~~~~~~~\n"
            "workflows/flow.yaml:12:19: error: syntax error in guard: <eof> expected near '=' "
            "[E501/lua-syntax]\n"
            "      e1: {guard: ctx.n = 1, target: B}\n"
            "                  ^~~~~~~~~\n"
            "  help: a guard is an expression; write '==' to compare\n"
            "workflows/flow.yaml:13:19: error: syntax error in guard: <eof> expected near '!' "
            "[E501/lua-syntax]\n"
            "      e2: {guard: 'ctx.n != 1', target: B}\n"
            "                  ^~~~~~~~~~~~\n"
            "  help: write '~=' for not equal\n"
            "workflows/flow.yaml:14:16: error: syntax error in do: attempt to assign to const "
            "variable 'ctx' [E501/lua-syntax]\n"
            "      e3: {do: ctx = 1, target: B}\n"
            "               ^~~~~~~\n"
            "  help: assign to its entries: ctx.name = value\n"
            "workflows/flow.yaml:15:16: error: syntax error in do: syntax error near '+' "
            "[E501/lua-syntax]\n"
            "      e4: {do: ctx.n += 1, target: B}\n"
            "               ^~~~~~~~~~\n"
            "  help: write 'ctx.n = ctx.n + 1'\n"
            "workflows/flow.yaml:17:19: error: the guard is empty [E501/lua-syntax]\n"
            "      e6: {guard: '-- nothing', target: B}\n"
            "                  ^~~~~~~~~~~~\n"
            "  help: an expression is needed; in YAML ' #' starts a comment, so put Lua with '#' "
            "in a block scalar '|'\n");
}

TEST(TrueLines, WhatOtherLanguagesWrite) {
  const auto help_of = [](const std::string& key, const std::string& code) {
    std::string quoted = "'";
    for (const char c : code) quoted += c == '\'' ? "''" : std::string(1, c);
    const std::string faults =
        Loaded(head + "    on: {e: {" + key + ": " + quoted + "', target: B}}\n").faults();
    const std::size_t at = faults.find("  help: ");
    return at == std::string::npos ? faults : faults.substr(at + 8, faults.size() - at - 9);
  };
  const auto action = [&](const std::string& code) { return help_of("do", code); };
  const auto guard = [&](const std::string& code) { return help_of("guard", code); };
  EXPECT_EQ(action("ctx.n++"), "write 'ctx.n = ctx.n + 1'");
  EXPECT_EQ(action("ctx.n--"), "write 'ctx.n = ctx.n - 1'");
  EXPECT_EQ(action("ctx.m = 1; ctx.n += 2; ctx.m = 2"), "write 'ctx.n = ctx.n + 2'");
  EXPECT_EQ(action("ctx.s += \"x\""), "write 'ctx.s = ctx.s .. \"x\"'");
  EXPECT_EQ(action("ctx.s ..= 'x'"), "write 'ctx.s = ctx.s .. 'x''");
  EXPECT_EQ(action("if (ctx.n > 1) { ctx.n = 1 }"),
            "Lua has no braces around statements: 'if CONDITION then ... end'");
  EXPECT_EQ(action("let x = 1"), "write 'local'");
  EXPECT_EQ(action("if ctx.n == 1: ctx.n = 2"), "write 'if CONDITION then ... end'");
  EXPECT_EQ(action("if a then b() else if c then d() end"),
            "write 'elseif', which needs no end of its own");
  EXPECT_EQ(action("ctx.n = 1; // one"), "a comment begins with '--'");
  EXPECT_EQ(action("ctx.n = ctx.n > 1 ? 2 : 3"), "write 'CONDITION and A or B'");
  EXPECT_EQ(guard("ctx.n === 1"), "write '==' to compare");
  EXPECT_EQ(guard("ctx.n !== 1"), "write '~=' for not equal");
  EXPECT_EQ(guard("ctx.n <> 1"), "write '~=' for not equal");
  EXPECT_EQ(guard("ctx.n is 1"), "write '==' to compare");
  EXPECT_EQ(guard("!ctx.n"), "write 'not'");
  EXPECT_EQ(guard("a && b"), "write 'and'");
  EXPECT_EQ(guard("a || b"), "write 'or'");
  EXPECT_EQ(guard("${{ ctx.n }}"), "this is Lua already, and needs no braces");
}

TEST(TrueLines, ACommandThatIsNoLua) {
  EXPECT_EQ(Loaded(head + "    run: {command: make test}\n").faults(),
            "workflows/flow.yaml:8:20: error: syntax error in command: <eof> expected near 'test' "
            "[E501/lua-syntax]\n"
            "    run: {command: make test}\n"
            "                   ^~~~~~~~~\n"
            "  help: it is Lua; a command that is known is written as argv: [make, test]\n");
}

TEST(TrueLines, AnExpressionIsOneValue) {
  EXPECT_EQ(Loaded(head + "    on: {e: {guard: '1, 2', target: B}}\n").faults(),
            "workflows/flow.yaml:8:21: error: syntax error in guard: ')' expected near ',' "
            "[E501/lua-syntax]\n"
            "    on: {e: {guard: '1, 2', target: B}}\n"
            "                    ^~~~~~\n");
}

TEST(TrueLines, OfTheWithOfAForEach) {
  const std::string start = R"yaml(agneto: 1
name: flow
initial: PANEL
states:
  PANEL:
    for_each:
      items: "{1, 2}"
      machine: flow.yaml
      with: 
        plan: |
)yaml";
  const std::string end =
      "    on: {any: DONE}\n  DONE: {final: true}\ninputs: {plan: {type: any, default: 1}}\n";
  EXPECT_EQ(Loaded(start + "          item.x ..\n          index.y\n" + end).faults(),
            "workflows/flow.yaml:11: attempt to index a null value (local 'item')\n");
  EXPECT_EQ(
      Loaded(start + "          item = 2\n" + end).faults(),
      R"text(workflows/flow.yaml:11:11: error: syntax error in with.plan: <eof> expected near '=' [E501/lua-syntax]
          item = 2
          ^~~~~~~~
  help: a with.plan is an expression; write '==' to compare
)text");
}

}  // namespace
}  // namespace agneto::script
