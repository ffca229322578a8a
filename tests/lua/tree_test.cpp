#include "lua/tree.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "support/paths.h"

namespace agneto::lua {
namespace {

using Kind = Node::Kind;

// As nested lists: "(+ 1 (* 2 x))".
std::string shown(const Node& node) {
  std::string text = node.text;
  if (node.kind == Kind::string) text = "'" + text + "'";
  if (node.kind == Kind::local) text += "@" + std::to_string(node.declaration);
  if (node.kind == Kind::nil) text = "nil";
  if (node.kind == Kind::varargs) text = "...";
  if (node.kind == Kind::index) text = ".";
  if (node.kind == Kind::call) text = "call";
  if (node.kind == Kind::method) text = "call:" + text;
  if (node.kind == Kind::table) text = "table";
  if (node.kind == Kind::field) text = "field";
  if (node.kind == Kind::function) text = "function";
  if (node.kind == Kind::assignment) text = "=" + std::to_string(node.targets);
  if (node.kind == Kind::local_declaration) text = "local";
  if (node.kind == Kind::block) text = "do";
  for (const int declaration : node.declarations) text += "@" + std::to_string(declaration);
  if (node.children.empty()) return text;
  for (const Node& child : node.children) text += " " + shown(child);
  return "(" + text + ")";
}

std::string expression(const std::string& text) {
  const auto tree = parse_expression(text);
  return tree ? shown(tree->children[0].children[0]) : "not Lua";
}

std::string statements(const std::string& text) {
  const auto tree = parse_statements(text);
  return tree ? shown(*tree) : "not Lua";
}

TEST(LuaTree, BindsOperatorsAsLuaDoes) {
  EXPECT_EQ(expression("1 + 2 * x"), "(+ 1 (* 2 x))");
  EXPECT_EQ(expression("(1 + 2) * x"), "(* (+ 1 2) x)");
  EXPECT_EQ(expression("a .. b .. c"), "(.. a (.. b c))");
  EXPECT_EQ(expression("-2 ^ 3 ^ 4"), "(- (^ 2 (^ 3 4)))");
  EXPECT_EQ(expression("not a == b and c or d < #e"), "(or (and (== (not a) b) c) (< d (# e)))");
  EXPECT_EQ(expression("1 << 2 + 3 & 4 ~ 5 | ~6 // 7 % 8"),
            "(| (~ (& (<< 1 (+ 2 3)) 4) 5) (% (// (~ 6) 7) 8))");
}

TEST(LuaTree, KnowsFieldsCallsAndTables) {
  EXPECT_EQ(expression("ctx.a['b'].c[1]"), "(. (. (. (. ctx 'a') 'b') 'c') 1)");
  EXPECT_EQ(expression("f(1, 'x'){}:g 'y' [[z]]"),
            "(call (call:g (call (call f 1 'x') table) 'y') 'z')");
  EXPECT_EQ(expression("{1, a = 2; ['b'] = nil, ...,}"),
            "(table (field 1) (field 'a' 2) (field 'b' nil) (field ...))");
  EXPECT_EQ(expression("0xA.8p-1 + .5e+3 .. x"), "(.. (+ 0xA.8p-1 .5e+3) x)");
}

TEST(LuaTree, TellsLocalNamesFromGlobalOnes) {
  EXPECT_EQ(statements("local a = a; a = b"), "(do (local@0 a) (=1 a@0 b))");
  EXPECT_EQ(statements("local function f(x) return f(x, y) end"),
            "(do (local@0 (function@1 (return (call f@0 x@1 y)))))");
  EXPECT_EQ(statements("do local a <const> = 1 end print(a)"),
            "(do (do (do (local@0 1))) (call print a))");
  EXPECT_EQ(statements("for i, v in pairs(t) do v() end return i"),
            "(do (for@0@1 (call pairs t) (do (call v@1))) (return i))");
  EXPECT_EQ(statements("repeat local done = f() until done"),
            "(do (repeat (do (local@0 (call f))) done@0))");
}

TEST(LuaTree, KnowsEveryStatement) {
  EXPECT_EQ(statements("if a then b() elseif c then d() else e() end"),
            "(do (if a (do (call b)) c (do (call d)) (do (call e))))");
  EXPECT_EQ(statements("while a do break end goto x ::x:: for i = 1, 2 do end"),
            "(do (while a (do break)) goto :: (for@0 1 2 do))");
  EXPECT_EQ(statements("a.b, c = 1, 2; function m.n:o(...) end"),
            "(do (=2 (. a 'b') c 1 2) (=1 (. (. m 'n') 'o') function@0))");
}

TEST(LuaTree, KnowsWhereThingsStand) {
  const std::string text = "-- one\n  ctx.n = --[[ two ]] ctx.n\n + 1";
  const auto tree = parse_statements(text);
  ASSERT_TRUE(tree);
  const Node& assignment = tree->children[0];
  const auto at = [&](const Node& node) { return text.substr(node.begin, node.end - node.begin); };
  EXPECT_EQ(at(assignment), "ctx.n = --[[ two ]] ctx.n\n + 1");
  EXPECT_EQ(at(assignment.children[0]), "ctx.n");
  EXPECT_EQ(at(assignment.children[1]), "ctx.n\n + 1");
}

TEST(LuaTree, IsNoneOfWhatIsNoLua) {
  for (const char* text : {"a =", "= 1", "a b", "if a then", "f(", "{", "\"", "a.1", "return 1 2",
                           "local 1", "x = = 2", "f() = 1", "end", "1"}) {
    EXPECT_EQ(statements(text), "not Lua") << text;
  }
  for (const char* text : {"", "a = 1", "a b", "(", "return 1", "f(;)"}) {
    EXPECT_EQ(expression(text), "not Lua") << text;
  }
  EXPECT_EQ(expression(std::string(100000, '(')), "not Lua");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "do ";
  EXPECT_EQ(statements(deep), "not Lua");
}

TEST(LuaTree, IsMadeOfEveryBundledScript) {
  int scripts = 0;
  for (const auto& file :
       fs::recursive_directory_iterator(fs::path(AGNETO_SOURCE_DIR) / "scripts")) {
    if (file.path().extension() != ".lua") continue;
    EXPECT_TRUE(parse_statements(Disk().read(file.path()).value_or("="))) << file;
    ++scripts;
  }
  EXPECT_GT(scripts, 8);
}

}  // namespace
}  // namespace agneto::lua
