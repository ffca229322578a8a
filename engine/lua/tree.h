// Lua as a tree, for checks that look at what a piece of it says. Only what has compiled is parsed:
// there are no messages about syntax here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agneto::lua {

// One shape for everything, so that to look for something is to walk.
struct Node {
  enum class Kind {
    nil,
    boolean,            // text: "true" or "false"
    number,             // text: as written
    string,             // text: its value; also the X of `a.X`
    varargs,            // ...
    local,              // text: the name; declaration
    global,             // text: the name
    index,              // children: what, key
    call,               // children: function, arguments
    method,             // children: object, arguments; text: the method's name
    unary,              // text: the operator; one child
    binary,             // text: the operator; two children
    table,              // children: fields
    field,              // children: key, value; or the value alone
    function,           // children: its statements; declarations: its parameters
    assignment,         // children: `targets` of them are assigned to, the others are values
    local_declaration,  // children: the values; declarations: the names
    statement,  // text: its first word; children: expressions and blocks, as they are written
    block,      // children: statements
  };
  Kind kind = Kind::nil;
  std::string text;
  std::vector<Node> children;
  std::size_t targets = 0;
  int declaration = -1;           // a local: every use of one variable has the same number
  std::vector<int> declarations;  // numbers of a function's parameters, a declaration's names
  std::uint32_t begin = 0;        // where it stands in the text
  std::uint32_t end = 0;

  bool is(Kind what, std::string_view with) const { return kind == what && text == with; }
};

// These give a block, which for an expression holds one `return` statement; nothing where the text
// is no Lua.
std::optional<Node> parse_statements(std::string_view text);
std::optional<Node> parse_expression(std::string_view text);

// The function that an expression's tree is; null where it is something else, or no tree.
const Node* function_in(const std::optional<Node>& expression);

// Visits every node, outermost first, in the order of the text.
void walk(const Node& node, const std::function<void(const Node&)>& visit);

// X where the node is `NAME.X` or `NAME["X"]` with a global NAME; else null.
const std::string* field_of(const Node& node, std::string_view name);

// The text that a string is, or null where the node is no string.
const std::string* literal_text(const Node& node);

}  // namespace agneto::lua
