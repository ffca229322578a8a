// Tokens of Lua to a tree: what tree.cpp, statements.cpp and expressions.cpp share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lua/lexer.h"
#include "lua/tree.h"

namespace agneto::lua {

// Ends the parse where the text is no Lua.
struct NotLua {};

// More than 25 names: Lua has so many constructs, and each has a function.
//
// Parses one text, once. Each function reads from the current token on, and stops behind what it
// has read.
class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(tokens(text).all) {}

  Node statements();
  Node expression_alone();

 private:
  using Kind = Node::Kind;

  static constexpr int most_nested = 200;  // as Lua itself

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
  // A name, as a node of that kind.
  Node named(Kind kind) {
    Node node = make(kind, now().text);
    name();
    return finish(std::move(node));
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

  // statements.cpp
  bool block_ends() const;
  Node block();
  // Leaves its names in scope: the condition of a `repeat` sees them.
  Node open_block();
  Node statement();
  void conditions(Node& node);
  void loop(Node& node);
  Node named_function();
  Node local();
  Node call_or_assignment();

  // expressions.cpp
  // Adds one or more to the children of `node`.
  void expressions(Node& node);
  Node expression(int least = 0);
  Node unary_or_simple();
  Node simple();
  Node suffixed();
  Node primary();
  Node field_of_name(Node object);
  Node arguments(Node call, Node callee);
  Node table();
  Node function_body(bool is_method);

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::vector<std::pair<std::string, int>> scope_;
  int declared_ = 0;
  int depth_ = 0;
};

}  // namespace agneto::lua
