#include "lint/explore/finite_reader.h"

#include <algorithm>

namespace agneto::lint {

namespace {

using lua::Node;
using Kind = Node::Kind;

bool is_order(const std::string& op) {
  return op == "<" || op == ">" || op == "<=" || op == ">=";
}

}  // namespace

Value FiniteReader::value(const Node& node) const {
  switch (node.kind) {
    case Kind::boolean:
      return of_boolean(node.text == "true");
    case Kind::string:
      return texts_.of(node.text);
    case Kind::number:
      return number(node.text);
    case Kind::index:
      return named(node);
    case Kind::unary:
    case Kind::binary:
    case Kind::call: {
      if (node.kind == Kind::binary) {
        if (const Value result = arithmetic(node); result.known()) return result;
      }
      const std::optional<bool> result = operation(node);
      return result ? of_boolean(*result) : Value();
    }
    default:
      return {};
  }
}

std::optional<bool> FiniteReader::truth(const Node& node) const {
  if (node.kind == Kind::binary && (node.text == "and" || node.text == "or")) {
    const bool deciding = node.text == "or";
    const auto left = truth(node.children[0]);
    const auto right = truth(node.children[1]);
    if (left == deciding || right == deciding) return deciding;
    return left && right ? std::optional(!deciding) : std::nullopt;
  }
  if (const auto result = operation(node)) return result;
  const Value known = value(node);
  if (!known.known()) return std::nullopt;
  return !known.is(Value::Kind::boolean) || known.number != 0;
}

Value FiniteReader::number(const std::string& text) const {
  const bool whole =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return whole && text.size() <= 9 ? of_number(std::stoll(text)) : Value();
}

Value FiniteReader::named(const Node& node) const {
  if (const std::string* name = lua::field_of(node, "ctx")) {
    const int slot = names_.slot(*name);
    return slot < 0 ? Value() : data_.context[static_cast<std::size_t>(slot)];
  }
  if (const std::string* name = lua::field_of(node, "inputs")) {
    const auto found = inputs_.find(*name);
    return found == inputs_.end() ? Value() : found->second;
  }
  if (const std::string* name = lua::field_of(node, "run")) {
    if (*name == "interactive") return of_boolean(scope_.run().interactive);
    if (*name == "auto_merge") return of_boolean(scope_.run().auto_merge);
  }
  if (const std::string* name = lua::field_of(node, "event")) return of_event(*name);
  return {};
}

Value FiniteReader::of_event(const std::string& field) const {
  const chart::Event* event = scope_.event();
  if (!event || field == "data" || field == "source") return {};
  if (field == "name") return texts_.of(event->name);
  if (!event->data.is_object()) return {};
  const auto found = event->data.find(field);
  return found == event->data.end() ? Value() : texts_.of_json(*found);
}

Value FiniteReader::arithmetic(const Node& node) const {
  if (node.text != "+" && node.text != "-") return {};
  const Value left = value(node.children[0]);
  const Value right = value(node.children[1]);
  if (!left.is(Value::Kind::number) || !right.is(Value::Kind::number)) return {};
  return of_number(node.text == "+" ? left.number + right.number : left.number - right.number);
}

// Of what gives a boolean alone.
std::optional<bool> FiniteReader::operation(const Node& node) const {
  if (node.kind == Kind::unary && node.text == "not") {
    const auto inner = truth(node.children[0]);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (node.kind == Kind::call && node.children.size() == 2 &&
      node.children[0].is(Kind::global, "state_in")) {
    const std::string* name = lua::literal_text(node.children[1]);
    return name && !names_.is_wrong(node) ? std::optional(scope_.in(*name)) : std::nullopt;
  }
  if (node.kind != Kind::binary) return std::nullopt;
  const std::optional<bool> result = comparison(node);
  if (comparisons_ && is_order(node.text)) note(node, result);
  return result;
}

std::optional<bool> FiniteReader::comparison(const Node& node) const {
  const bool equality = node.text == "==" || node.text == "~=";
  if (!equality && !is_order(node.text)) return std::nullopt;
  const Value a = value(node.children[0]);
  const Value b = value(node.children[1]);
  if (!a.known() || !b.known() || names_.is_wrong(node)) return std::nullopt;
  if (equality) return (a == b) == (node.text == "==");
  if (!a.is(Value::Kind::number) || !b.is(Value::Kind::number)) return std::nullopt;
  if (node.text == "<") return a.number < b.number;
  if (node.text == ">") return a.number > b.number;
  return node.text == "<=" ? a.number <= b.number : a.number >= b.number;
}

void FiniteReader::note(const Node& node, const std::optional<bool>& result) const {
  Compared& seen = (*comparisons_)[&node];
  if (!result) seen.was_unknown = true;
  if (result) (*result ? seen.was_true : seen.was_false) = true;
}

}  // namespace agneto::lint
