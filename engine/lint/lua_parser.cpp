#include <algorithm>
#include <map>
#include <utility>

#include "lint/lua.h"
#include "lint/lua_lexer.h"

namespace agneto::lint::lua {

namespace {

using Kind = Node::Kind;

constexpr int unary_priority = 12;
constexpr int most_nested = 200;  // as Lua itself

struct Priority {
  int left = 0;
  int right = 0;
};

const std::map<std::string_view, Priority>& operators() {
  static const std::map<std::string_view, Priority> all = {
      {"or", {1, 1}},  {"and", {2, 2}}, {"<", {3, 3}},   {">", {3, 3}},    {"<=", {3, 3}},
      {">=", {3, 3}},  {"~=", {3, 3}},  {"==", {3, 3}},  {"|", {4, 4}},    {"~", {5, 5}},
      {"&", {6, 6}},   {"<<", {7, 7}},  {">>", {7, 7}},  {"..", {9, 8}},   {"+", {10, 10}},
      {"-", {10, 10}}, {"*", {11, 11}}, {"/", {11, 11}}, {"//", {11, 11}}, {"%", {11, 11}},
      {"^", {14, 13}}};
  return all;
}

// Thrown where the text is no Lua; ends the parse.
struct NotLua {};

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(tokens(text)) {}

  Node statements() {
    Node result = block();
    expect_end();
    return result;
  }

  Node expression_alone() {
    Node result = make(Kind::block);
    Node back = make(Kind::statement, "return");
    back.children.push_back(expression());
    expect_end();
    result.children.push_back(finish(std::move(back)));
    return finish(std::move(result));
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  const Token& ahead() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  bool sees(std::string_view text) const {
    return (now().kind == Token::Kind::symbol || now().kind == Token::Kind::keyword) &&
           now().text == text;
  }
  bool take(std::string_view text) {
    if (!sees(text)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view text) {
    if (!take(text)) throw NotLua();
  }
  void expect_end() const {
    if (now().kind != Token::Kind::end) throw NotLua();
  }
  std::string name() {
    if (now().kind != Token::Kind::name) throw NotLua();
    return tokens_[at_++].text;
  }

  Node make(Kind kind, std::string text = {}) const {
    Node node;
    node.kind = kind;
    node.text = std::move(text);
    node.begin = now().begin;
    return node;
  }
  Node finish(Node node) const {
    node.end = at_ > 0 ? tokens_[at_ - 1].end : node.begin;
    return node;
  }

  // Scopes: names in the order of their declaration, undone at the end of a block.
  int declare(std::string variable) {
    scope_.emplace_back(std::move(variable), declared_);
    return declared_++;
  }
  Node variable(Node node) const {
    for (auto it = scope_.rbegin(); it != scope_.rend(); ++it) {
      if (it->first != node.text) continue;
      node.kind = Kind::local;
      node.declaration = it->second;
      return node;
    }
    node.kind = Kind::global;
    return node;
  }

  bool block_ends() const {
    return now().kind == Token::Kind::end || sees("end") || sees("else") || sees("elseif") ||
           sees("until");
  }

  Node block() {
    const auto outer = scope_.size();
    Node result = open_block();
    scope_.resize(outer);
    return result;
  }

  // Leaves its names in scope: the condition of a `repeat` sees them.
  Node open_block() {
    if (++depth_ > most_nested) throw NotLua();
    Node result = make(Kind::block);
    while (!block_ends()) {
      if (take(";")) continue;
      const bool last = sees("return");
      result.children.push_back(finish(statement()));
      if (last) break;
    }
    --depth_;
    return finish(std::move(result));
  }

  Node statement() {
    Node node = make(Kind::statement, now().text);
    if (take("do")) {
      node.children.push_back(block());
      expect("end");
    } else if (take("while")) {
      node.children.push_back(expression());
      expect("do");
      node.children.push_back(block());
      expect("end");
    } else if (take("repeat")) {
      const auto outer = scope_.size();
      node.children.push_back(open_block());
      expect("until");
      node.children.push_back(expression());
      scope_.resize(outer);
    } else if (take("if")) {
      conditions(node);
    } else if (take("for")) {
      loop(node);
    } else if (take("function")) {
      return named_function();
    } else if (take("local")) {
      return local();
    } else if (take("return")) {
      if (!block_ends() && !sees(";")) node.children = expressions();
      take(";");
    } else if (take("goto")) {
      name();
    } else if (take("::")) {
      name();
      expect("::");
    } else if (!take("break")) {
      return call_or_assignment();
    }
    return node;
  }

  void conditions(Node& node) {
    do {
      node.children.push_back(expression());
      expect("then");
      node.children.push_back(block());
    } while (take("elseif"));
    if (take("else")) node.children.push_back(block());
    expect("end");
  }

  void loop(Node& node) {
    std::vector<std::string> names = {name()};
    while (take(",")) names.push_back(name());
    expect(sees("=") ? "=" : "in");
    for (Node& value : expressions()) node.children.push_back(std::move(value));
    expect("do");
    const auto outer = scope_.size();
    for (std::string& one : names) node.declarations.push_back(declare(std::move(one)));
    node.children.push_back(block());
    scope_.resize(outer);
    expect("end");
  }

  Node named_function() {
    Node node = make(Kind::assignment);
    node.targets = 1;
    Node target = make(Kind::global, now().text);
    name();
    target = variable(finish(std::move(target)));
    bool is_method = false;
    while (sees(".") || sees(":")) {
      is_method = sees(":");
      ++at_;
      target = field_of_name(std::move(target));
    }
    node.children.push_back(std::move(target));
    node.children.push_back(function_body(is_method));
    return node;
  }

  Node local() {
    Node node = make(Kind::local_declaration);
    if (take("function")) {
      node.declarations.push_back(declare(name()));
      node.children.push_back(function_body(false));
      return node;
    }
    std::vector<std::string> names;
    do {
      names.push_back(name());
      if (take("<")) {
        name();
        expect(">");
      }
    } while (take(","));
    if (take("=")) node.children = expressions();
    for (std::string& one : names) node.declarations.push_back(declare(std::move(one)));
    return node;
  }

  Node call_or_assignment() {
    Node node = make(Kind::assignment);
    Node first = suffixed();
    if (!sees("=") && !sees(",")) {
      if (first.kind != Kind::call && first.kind != Kind::method) throw NotLua();
      return first;
    }
    node.children.push_back(std::move(first));
    while (take(",")) node.children.push_back(suffixed());
    node.targets = node.children.size();
    for (const Node& target : node.children) {
      const bool assignable =
          target.kind == Kind::index || target.kind == Kind::local || target.kind == Kind::global;
      if (!assignable) throw NotLua();
    }
    expect("=");
    for (Node& value : expressions()) node.children.push_back(std::move(value));
    return node;
  }

  std::vector<Node> expressions() {
    std::vector<Node> result;
    do {
      result.push_back(expression());
    } while (take(","));
    return result;
  }

  Node expression(int least = 0) {
    if (++depth_ > most_nested) throw NotLua();
    Node left = unary_or_simple();
    while (now().kind == Token::Kind::symbol || now().kind == Token::Kind::keyword) {
      const auto known = operators().find(now().text);
      if (known == operators().end() || known->second.left <= least) break;
      Node both = make(Kind::binary, now().text);
      ++at_;
      both.begin = left.begin;
      both.children.push_back(std::move(left));
      both.children.push_back(expression(known->second.right));
      left = finish(std::move(both));
    }
    --depth_;
    return left;
  }

  Node unary_or_simple() {
    if (!sees("not") && !sees("-") && !sees("#") && !sees("~")) return simple();
    Node node = make(Kind::unary, now().text);
    ++at_;
    node.children.push_back(expression(unary_priority));
    return finish(std::move(node));
  }

  Node simple() {
    Node node = make(Kind::nil, now().text);
    if (now().kind == Token::Kind::number) {
      node.kind = Kind::number;
    } else if (now().kind == Token::Kind::string) {
      node.kind = Kind::string;
    } else if (sees("true") || sees("false")) {
      node.kind = Kind::boolean;
    } else if (sees("...")) {
      node.kind = Kind::varargs;
    } else if (!sees("nil")) {
      if (sees("{")) return table();
      if (take("function")) return function_body(false);
      return suffixed();
    }
    ++at_;
    return finish(std::move(node));
  }

  Node suffixed() {
    Node node = primary();
    while (true) {
      if (take(".")) {
        node = field_of_name(std::move(node));
      } else if (take("[")) {
        Node whole = make(Kind::index);
        whole.begin = node.begin;
        whole.children.push_back(std::move(node));
        whole.children.push_back(expression());
        expect("]");
        node = finish(std::move(whole));
      } else if (take(":")) {
        Node call = make(Kind::method, name());
        node = arguments(std::move(call), std::move(node));
      } else if (sees("(") || sees("{") || now().kind == Token::Kind::string) {
        node = arguments(make(Kind::call), std::move(node));
      } else {
        return node;
      }
    }
  }

  Node primary() {
    if (take("(")) {
      Node inner = expression();
      expect(")");
      return inner;
    }
    Node node = make(Kind::global, now().text);
    name();
    return variable(finish(std::move(node)));
  }

  Node field_of_name(Node object) {
    Node whole = make(Kind::index);
    whole.begin = object.begin;
    Node key = make(Kind::string, now().text);
    name();
    whole.children.push_back(std::move(object));
    whole.children.push_back(finish(std::move(key)));
    return finish(std::move(whole));
  }

  Node arguments(Node call, Node callee) {
    call.begin = callee.begin;
    call.children.push_back(std::move(callee));
    if (take("(")) {
      if (!sees(")")) {
        for (Node& argument : expressions()) call.children.push_back(std::move(argument));
      }
      expect(")");
    } else {
      if (!sees("{") && now().kind != Token::Kind::string) throw NotLua();
      call.children.push_back(simple());
    }
    return finish(std::move(call));
  }

  Node table() {
    Node node = make(Kind::table);
    expect("{");
    while (!sees("}")) {
      Node field = make(Kind::field);
      if (take("[")) {
        field.children.push_back(expression());
        expect("]");
        expect("=");
      } else if (now().kind == Token::Kind::name && ahead().kind == Token::Kind::symbol &&
                 ahead().text == "=") {
        Node key = make(Kind::string, now().text);
        name();
        field.children.push_back(finish(std::move(key)));
        expect("=");
      }
      field.children.push_back(expression());
      node.children.push_back(finish(std::move(field)));
      if (!take(",") && !take(";")) break;
    }
    expect("}");
    return finish(std::move(node));
  }

  Node function_body(bool is_method) {
    Node node = make(Kind::function);
    const auto outer = scope_.size();
    if (is_method) node.declarations.push_back(declare("self"));
    expect("(");
    while (!sees(")")) {
      if (!take("...")) node.declarations.push_back(declare(name()));
      if (!take(",")) break;
    }
    expect(")");
    Node body = block();
    node.children = std::move(body.children);
    scope_.resize(outer);
    expect("end");
    return finish(std::move(node));
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::vector<std::pair<std::string, int>> scope_;
  int declared_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<Node> parse_statements(std::string_view text) {
  try {
    return Parser(text).statements();
  } catch (const NotLua&) {
    return std::nullopt;
  }
}

std::optional<Node> parse_expression(std::string_view text) {
  try {
    return Parser(text).expression_alone();
  } catch (const NotLua&) {
    return std::nullopt;
  }
}

void walk(const Node& node, const std::function<void(const Node&)>& visit) {
  visit(node);
  for (const Node& child : node.children) walk(child, visit);
}

const std::string* literal_text(const Node& node) {
  return node.kind == Kind::string ? &node.text : nullptr;
}

const std::string* field_of(const Node& node, std::string_view name) {
  if (node.kind != Kind::index || !node.children[0].is(Kind::global, name)) return nullptr;
  return literal_text(node.children[1]);
}

}  // namespace agneto::lint::lua
