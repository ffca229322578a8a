#include <map>

#include "lua/parser.h"

namespace agneto::lua {

namespace {

constexpr int unary_priority = 12;

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

}  // namespace

void Parser::expressions(Node& node) {
  do {
    node.children.push_back(expression());
  } while (take(","));
}

Node Parser::expression(int least) {
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

Node Parser::unary_or_simple() {
  if (!sees("not") && !sees("-") && !sees("#") && !sees("~")) return simple();
  Node node = make(Kind::unary, now().text);
  ++at_;
  node.children.push_back(expression(unary_priority));
  return finish(std::move(node));
}

Node Parser::simple() {
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

Node Parser::suffixed() {
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

Node Parser::primary() {
  if (take("(")) {
    Node inner = expression();
    expect(")");
    return inner;
  }
  return variable(named(Kind::global));
}

Node Parser::field_of_name(Node object) {
  Node whole = make(Kind::index);
  whole.begin = object.begin;
  whole.children.push_back(std::move(object));
  whole.children.push_back(named(Kind::string));
  return finish(std::move(whole));
}

Node Parser::arguments(Node call, Node callee) {
  call.begin = callee.begin;
  call.children.push_back(std::move(callee));
  if (take("(")) {
    if (!sees(")")) expressions(call);
    expect(")");
  } else {
    if (!sees("{") && now().kind != Token::Kind::string) throw NotLua();
    call.children.push_back(simple());
  }
  return finish(std::move(call));
}

Node Parser::table() {
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
      field.children.push_back(named(Kind::string));
      expect("=");
    }
    field.children.push_back(expression());
    node.children.push_back(finish(std::move(field)));
    if (!take(",") && !take(";")) break;
  }
  expect("}");
  return finish(std::move(node));
}

Node Parser::function_body(bool is_method) {
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

}  // namespace agneto::lua
