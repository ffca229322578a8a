#include "lua/tree.h"

#include "lua/parser.h"

namespace agneto::lua {

Node Parser::statements() {
  Node result = block();
  expect_end();
  return result;
}

Node Parser::expression_alone() {
  Node result = make(Kind::block);
  Node back = make(Kind::statement, "return");
  back.children.push_back(expression());
  expect_end();
  result.children.push_back(finish(std::move(back)));
  return finish(std::move(result));
}

namespace {

std::optional<Node> parse(std::string_view text, Node (Parser::*read)()) {
  try {
    return (Parser(text).*read)();
  } catch (const NotLua&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Node> parse_statements(std::string_view text) {
  return parse(text, &Parser::statements);
}

std::optional<Node> parse_expression(std::string_view text) {
  return parse(text, &Parser::expression_alone);
}

void walk(const Node& node, const std::function<void(const Node&)>& visit) {
  visit(node);
  for (const Node& child : node.children) walk(child, visit);
}

const Node* function_in(const std::optional<Node>& expression) {
  const auto is_alone = [](const Node& node) { return node.children.size() == 1; };
  if (!expression || !is_alone(*expression) || !is_alone(expression->children[0])) return nullptr;
  const Node& value = expression->children[0].children[0];
  return value.kind == Node::Kind::function ? &value : nullptr;
}

const std::string* literal_text(const Node& node) {
  return node.kind == Node::Kind::string ? &node.text : nullptr;
}

const std::string* field_of(const Node& node, std::string_view name) {
  if (node.kind != Node::Kind::index || !node.children[0].is(Node::Kind::global, name)) {
    return nullptr;
  }
  return literal_text(node.children[1]);
}

}  // namespace agneto::lua
