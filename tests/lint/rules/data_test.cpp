// Rules about guards and expressions whose value can be told from the types that are declared.
#include <gmock/gmock.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

// What is said of a guard over entries of many types.
std::string lint_guard(const std::string& guard) {
  return lint_text(R"(agneto: 1
name: flow
context:
  count: 0
  text: ""
  names: {type: "[string]", default: []}
  owner: {type: "string?", default: null}
  ready: false
  maybe: {type: "boolean?", default: null}
  open: {type: any, default: null}
initial: A
states:
  A:
    on:
      go: {guard: ')" + guard + R"(', target: END}
      more:
        target: A
        do:
          - ctx.count, ctx.text, ctx.names, ctx.owner = 1, "", {}, null
          - ctx.ready, ctx.maybe, ctx.open = true, true, 1
      stop: END
  END: {final: true, status: failed}
outputs: {count: ctx.count, text: ctx.text, names: ctx.names, owner: ctx.owner, ready: ctx.ready, maybe: ctx.maybe, open: ctx.open}
)");
}

TEST(ConstantGuard, IsAnythingThatIsTrueInLua) {
  for (const std::string name : {"count", "text", "names", "owner"}) {
    EXPECT_THAT(lint_guard("ctx." + name), testing::HasSubstr("[W306/constant-guard]")) << name;
  }
  for (const char* guard : {"not ctx.text", "ctx.ready and #ctx.names", "ctx.text or ctx.ready"}) {
    EXPECT_THAT(lint_guard(guard), testing::HasSubstr("[W306/constant-guard]")) << guard;
  }
  EXPECT_EQ(lint_guard("ctx.ready and ctx.owner"),
            R"text(/team/flow.yaml:15:34: warning: a value of type string? is true in Lua, whatever it is: also 0, "", an empty list and null [W306/constant-guard]
      go: {guard: 'ctx.ready and ctx.owner', target: END}
                                 ^~~~~~~~~
  help: compare it, as in ctx.count > 0, ctx.text ~= "", #ctx.list > 0, ctx.name ~= null
)text");
}

TEST(ConstantGuard, IsNoBooleanAndNoComparison) {
  for (const char* guard : {"ctx.ready", "ctx.maybe", "ctx.open", "not ctx.ready", "ctx.count > 0",
                            "(ctx.text or \"x\") == \"y\"", "#ctx.names > 0 and ctx.owner ~= null"}) {
    EXPECT_EQ(lint_guard(guard), "") << guard;
  }
}

TEST(ImpossibleComparison, IsOneOfADeclaredValueWithNil) {
  EXPECT_THAT(lint_guard("ctx.owner == nil"),
              testing::HasSubstr("warning: 'owner' is never nil: without a value it is null "
                                 "[W311/impossible-comparison]"));
  EXPECT_THAT(lint_guard("nil ~= ctx.count"), testing::HasSubstr("help: its type allows no null either"));
  for (const char* guard : {"ctx.owner == null", "event.by == nil", "ctx.open ~= null"}) {
    EXPECT_EQ(lint_guard(guard), "") << guard;
  }
}

TEST(WrongOperand, IsWhatLuaFailsOn) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"ctx.count < \"3\"", "a value of type integer cannot be ordered with one of type string"},
      {"#ctx.count > 0", "a value of type integer has no length"},
      {"ctx.text .. ctx.names == \"\"", "'..' cannot join a value of type [string]"},
      {"ctx.names + 1 > 2", "'+' cannot calculate with a value of type [string]"},
      {"ctx.ready > 0", "'>' cannot order a value of type boolean"},
      {"ctx.names.length > 0", "the list 'names' has no field 'length': this is nil"}};
  for (const auto& [guard, message] : all) {
    EXPECT_THAT(lint_guard(guard), testing::HasSubstr("warning: " + message + " [W317/wrong-operand]"))
        << guard;
  }
  for (const char* guard : {"ctx.count < 3", "#ctx.text > 0", "ctx.text .. ctx.count == \"1\"", "ctx.names[1] == \"a\"",
                            "ctx.text + 1 > 2", "ctx.text < \"b\"", "-ctx.count < 0", "ctx.open < 3"}) {
    EXPECT_EQ(lint_guard(guard), "") << guard;
  }
}

}  // namespace
}  // namespace agneto::lint
