#include "lua/parser.h"

namespace agneto::lua {

bool Parser::block_ends() const {
  return now().kind == Token::Kind::end || sees("end") || sees("else") || sees("elseif") ||
         sees("until");
}

Node Parser::block() {
  const auto outer = scope_.size();
  Node result = open_block();
  scope_.resize(outer);
  return result;
}

Node Parser::open_block() {
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

Node Parser::statement() {
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
    if (!block_ends() && !sees(";")) expressions(node);
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

void Parser::conditions(Node& node) {
  do {
    node.children.push_back(expression());
    expect("then");
    node.children.push_back(block());
  } while (take("elseif"));
  if (take("else")) node.children.push_back(block());
  expect("end");
}

void Parser::loop(Node& node) {
  std::vector<std::string> names = {name()};
  while (take(",")) names.push_back(name());
  expect(sees("=") ? "=" : "in");
  expressions(node);
  expect("do");
  const auto outer = scope_.size();
  for (std::string& one : names) node.declarations.push_back(declare(std::move(one)));
  node.children.push_back(block());
  scope_.resize(outer);
  expect("end");
}

Node Parser::named_function() {
  Node node = make(Kind::assignment);
  node.targets = 1;
  Node target = variable(named(Kind::global));
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

Node Parser::local() {
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
  if (take("=")) expressions(node);
  for (std::string& one : names) node.declarations.push_back(declare(std::move(one)));
  return node;
}

Node Parser::call_or_assignment() {
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
  expressions(node);
  return node;
}

}  // namespace agneto::lua
