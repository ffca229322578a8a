// The functions of a machine, as its other Lua calls them.
#include <gmock/gmock.h>

#include "script/evaluator_fixture.h"

namespace agneto::script {
namespace {

std::string machine_with(const std::string& functions, const std::string& guard) {
  return "agneto: 1\nname: flow\ninitial: A\ncontext: {list: [1, 2, 3], most: 2}\nfunctions:\n" +
         functions + "states:\n  A:\n    always: {guard: \"" + guard +
         "\", target: B}\n  B: {final: true}\n";
}

struct Functions {
  Functions(const std::string& functions, const std::string& guard) {
    const MemoryFiles files({{"flow.yaml", machine_with(functions, guard)}});
    loaded = model::load("flow.yaml", files, diagnostics);
    if (!loaded.system) return;
    evaluator = make_evaluator(*loaded.system, diagnostics);
    if (evaluator) data = evaluator->create(0, Json::object(), scope, fault);
  }

  // "true", "false", or what is wrong.
  std::string test() {
    if (!data) return render(diagnostics);
    const auto& machine = loaded.system->main();
    const bool yes = evaluator->test(*data, machine.transitions[0].guard, scope, fault);
    return fault ? fault->message : yes ? "true" : "false";
  }

  Diagnostics diagnostics;
  model::Loaded loaded;
  std::unique_ptr<chart::Evaluator> evaluator;
  FakeScope scope;
  std::optional<chart::Fault> fault;
  std::unique_ptr<chart::Data> data;
};

std::string test(const std::string& functions, const std::string& guard) {
  return Functions(functions, guard).test();
}

TEST(Functions, AreCalledByOtherLua) {
  constexpr const char* is_longer = "  is_longer: 'function(list, most) return #list > most end'\n";
  EXPECT_EQ(test(is_longer, "is_longer(ctx.list, ctx.most)"), "true");
  EXPECT_EQ(test(is_longer, "is_longer(ctx.list, 3)"), "false");
}

TEST(Functions, CallOneAnotherAndThemselvesInAnyOrder) {
  EXPECT_EQ(test("  is_even: function(n) return n == 0 or is_odd(n - 1) end\n"
                 "  is_odd: function(n) return n > 0 and is_even(n - 1) end\n",
                 "is_even(10) and is_odd(7)"),
            "true");
}

TEST(Functions, MayStandOverSeveralLines) {
  EXPECT_EQ(
      test("  sum: |\n    function(list)\n      local sum = 0\n      for _, n in ipairs(list) do "
           "sum = sum + n end\n      return sum\n    end\n",
           "sum(ctx.list) == 6"),
      "true");
}

TEST(Functions, FailAtTheirOwnLine) {
  EXPECT_EQ(test("  first:\n    function(list)\n    return list.a.b end\n", "first(ctx.list)"),
            "flow.yaml:7: attempt to index a nil value (field 'a')");
}

// What a guard gives to a function stays as it is.
TEST(Functions, ChangeNothingForAGuard) {
  EXPECT_EQ(test("  take: function(list) table.remove(list) return true end\n", "take(ctx.list)"),
            "flow.yaml:9: a guard may not change ctx.list");
}

TEST(Functions, ThatAreNoneOrSeeTooMuchAreReported) {
  EXPECT_EQ(test("  small: list < 3\n", "small(ctx.list)"),
            R"text(flow.yaml:6:10: error: 'small' is no function [E503/function]
  small: list < 3
         ^~~~~~~~
  help: as in function(list) return #list > 3 end
)text");
  EXPECT_EQ(
      test("  three: 3\n"
           "  counter: (function() local n = 0 return function() n = n + 1 return n end end)()\n"
           "  rounds: function() return ctx.list end\n"
           "  again: function() raise('x') end\n"
           "  tostring: function() return '' end\n"
           "  open: function( return end\n"
           "  short: function short(text, most) return text < most end\n"
           "  long: local function long (text) return text > 3 end\n",
           "true"),
      R"text(flow.yaml:6:10: error: 'three' is no function [E503/function]
  three: 3
         ^
  help: as in function(list) return #list > 3 end
flow.yaml:7:12: error: 'counter' is no function [E503/function]
  counter: (function() local n = 0 return function() n = n + 1 return n end end)()
           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: as in function(list) return #list > 3 end
flow.yaml:8:11: error: the function 'rounds' looks at 'ctx', which it is not given [E503/function]
  rounds: function() return ctx.list end
          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: give it what it needs when it is called; what it comes to depends on nothing else
flow.yaml:9:10: error: the function 'again' looks at 'raise', which it is not given [E503/function]
  again: function() raise('x') end
         ^~~~~~~~~~~~~~~~~~~~~~~~~
  help: give it what it needs when it is called; what it comes to depends on nothing else
flow.yaml:10:3: error: 'tostring' is a name of Lua's own [E407/reserved-name]
  tostring: function() return '' end
  ^~~~~~~~
  help: choose another name
flow.yaml:11:9: error: syntax error in functions.open: <name> or '...' expected near 'return' [E501/lua-syntax]
  open: function( return end
        ^~~~~~~~~~~~~~~~~~~~
flow.yaml:12:10: error: syntax error in functions.short: '(' expected near 'short' [E501/lua-syntax]
  short: function short(text, most) return text < most end
         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: its key is its name: write 'function(text, most)' here
flow.yaml:13:9: error: syntax error in functions.long: unexpected symbol near 'local' [E501/lua-syntax]
  long: local function long (text) return text > 3 end
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: its key is its name: write 'function(text)' here
)text");
}

}  // namespace
}  // namespace agneto::script
