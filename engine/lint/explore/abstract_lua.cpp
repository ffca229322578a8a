#include "lint/explore/abstract_lua.h"

#include <algorithm>

#include "lint/expressions.h"

namespace agneto::lint {

namespace {

using Kind = Node::Kind;

bool is_order(const std::string& op) {
  return op == "<" || op == ">" || op == "<=" || op == ">=";
}

}  // namespace

Value whole_number(const std::string& text) {
  const bool whole = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return whole && text.size() <= 9 ? of_number(std::stoll(text)) : Value();
}

Value AbstractLua::value(const Node& node) {
  switch (node.kind) {
    case Kind::boolean:
      return of_boolean(node.text == "true");
    case Kind::string:
      return all_.texts.of(node.text);
    case Kind::number:
      return whole_number(node.text);
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

std::optional<bool> AbstractLua::truth(const Node& node) {
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

Value AbstractLua::named(const Node& node) {
  if (const std::string* name = lua::field_of(node, "ctx")) {
    const int slot = all_.names.slot(*name);
    return slot < 0 ? Value() : data_.context[static_cast<std::size_t>(slot)];
  }
  if (const std::string* name = lua::field_of(node, "inputs")) {
    const InputValues& inputs = all_.beginnings[data_.beginning];
    const auto found = inputs.find(*name);
    return found == inputs.end() ? Value() : found->second;
  }
  if (const std::string* name = lua::field_of(node, "run")) {
    if (*name == "interactive") return of_boolean(scope_.run().interactive);
    if (*name == "auto_merge") return of_boolean(scope_.run().auto_merge);
  }
  if (const std::string* name = lua::field_of(node, "event")) return of_event(*name);
  return {};
}

Value AbstractLua::of_event(const std::string& field) {
  const chart::Event* event = scope_.event();
  if (!event || is_one_of(field, {"data", "source", "origin", "item"})) return {};
  if (field == "name") return all_.texts.of(event->name);
  if (!event->data.is_object()) return {};
  const auto found = event->data.find(field);
  return found == event->data.end() ? Value() : all_.texts.of_json(*found);
}

Value AbstractLua::arithmetic(const Node& node) {
  if (node.text != "+" && node.text != "-") return {};
  const Value left = value(node.children[0]);
  const Value right = value(node.children[1]);
  if (!left.is(Value::Kind::number) || !right.is(Value::Kind::number)) return {};
  return of_number(node.text == "+" ? left.number + right.number : left.number - right.number);
}

// The value of an operation that gives a boolean and nothing else.
std::optional<bool> AbstractLua::operation(const Node& node) {
  if (node.kind == Kind::unary && node.text == "not") {
    const auto inner = truth(node.children[0]);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (const std::string* name = asked_state(node)) {
    return all_.names.is_wrong(node) ? std::nullopt : std::optional(scope_.in(*name));
  }
  if (node.kind != Kind::binary) return std::nullopt;
  const std::optional<bool> result = comparison(node);
  if (is_order(node.text)) {
    Compared& seen = all_.comparisons[&node];
    (!result ? seen.was_unknown : *result ? seen.was_true : seen.was_false) = true;
  }
  return result;
}

std::optional<bool> AbstractLua::comparison(const Node& node) {
  const bool equality = node.text == "==" || node.text == "~=";
  if (!equality && !is_order(node.text)) return std::nullopt;
  const Value a = value(node.children[0]);
  const Value b = value(node.children[1]);
  if (!a.known() || !b.known() || all_.names.is_wrong(node)) return std::nullopt;
  if (equality) return (a == b) == (node.text == "==");
  if (!a.is(Value::Kind::number) || !b.is(Value::Kind::number)) return std::nullopt;
  if (node.text == "<") return a.number < b.number;
  if (node.text == ">") return a.number > b.number;
  return node.text == "<=" ? a.number <= b.number : a.number >= b.number;
}

bool AbstractLua::block(const Node& node) {
  return std::ranges::all_of(node.children, [&](const Node& statement) {
    const Faults* faults = all_.faults;
    if (!faults) return run(statement);
    if (all_.fails(faults->in_statement(statement))) {
      forget_failed(statement);
      all_.failed = true;
      return false;
    }
    const bool goes_on = run(statement);
    if (!faults->in_assigning(statement)) return goes_on;
    // A name may keep its old value.
    for (const Node& target : assigned_to(statement)) forget(target);
    if (all_.fails(true)) all_.failed = true;
    return goes_on;
  });
}

bool AbstractLua::run(const Node& node) {
  if (node.kind == Kind::assignment) {
    assign(node);
  } else if (node.kind == Kind::call) {
    call(node);
  } else if (node.is(Kind::statement, "if")) {
    return choose(node);
  } else if (node.is(Kind::statement, "do")) {
    return block(node.children[0]);
  } else {
    forget(node);
    return !node.is(Kind::statement, "return");
  }
  return true;
}

void AbstractLua::assign(const Node& node) {
  const bool paired = node.targets * 2 == node.children.size();
  std::vector<Value> values(node.targets);
  for (std::size_t i = 0; paired && i < node.targets; ++i) {
    values[i] = value(node.children[node.targets + i]);
  }
  for (std::size_t i = node.targets; i < node.children.size(); ++i) {
    forget_called(node.children[i]);
  }
  for (std::size_t i = 0; i < node.targets; ++i) {
    const std::string* name = lua::field_of(node.children[i], "ctx");
    if (name) {
      set(*name, values[i]);
    } else {
      forget(node.children[i]);
    }
  }
}

void AbstractLua::call(const Node& node) {
  const Node& function = node.children[0];
  const std::string* name =
      node.children.size() > 1 ? lua::literal_text(node.children[1]) : nullptr;
  if (!names_action(function)) return forget(node);
  if (!name) {
    all_.lost = true;
  } else if (function.text == "raise") {
    all_.raised.push_back({*name, &node});
    scope_.raise(*name, nullptr);
  } else if (function.text == "cancel") {
    scope_.cancel(*name);
  } else if (node.children.size() < 4) {
    scope_.send({.event = *name});
  } else {
    send(*name, node.children[3]);
  }
}

void AbstractLua::send(const std::string& event, const Node& options) {
  chart::Outgoing sent{.event = event};
  bool to_other = false;
  if (options.kind != Kind::table) all_.lost = true;
  for (const Node& field : options.children) {
    const std::string* key =
        field.children.size() == 2 ? lua::literal_text(field.children[0]) : nullptr;
    if (!key) {
      all_.lost = true;
    } else if (*key == "after") {
      sent.after = Millis(1);
    } else if (*key == "to") {
      to_other = true;
    } else if (*key == "item") {
      continue;
    } else if (const std::string* text = lua::literal_text(field.children[1])) {
      sent.id = *text;
    } else {
      all_.lost = true;
    }
  }
  // Other machines are explored by themselves, as what is sent to them may come to them at any
  // time. That it may have reached nobody is told at any time, too (alphabet.h). What is left of it
  // is that it takes the place of what was sent with its id.
  if (!to_other) {
    scope_.send(std::move(sent));
  } else if (!sent.id.empty()) {
    scope_.cancel(sent.id);
  }
}

bool AbstractLua::choose(const Node& node) {
  std::size_t i = 0;
  for (; i + 1 < node.children.size(); i += 2) {
    const auto known = truth(node.children[i]);
    if (known ? *known : all_.choices.ask()) return block(node.children[i + 1]);
  }
  return i == node.children.size() || block(node.children[i]);
}

void AbstractLua::set(const std::string& name, Value value) {
  const int slot = all_.names.slot(name);
  if (slot < 0) return;
  if (value.is(Value::Kind::number)) value.number = std::min(value.number, all_.names.most(slot));
  data_.context[static_cast<std::size_t>(slot)] = value;
}

// A function that is called may have changed what it was given.
void AbstractLua::forget_called(const Node& node) {
  lua::walk(node, [&](const Node& inner) {
    if (inner.kind == Kind::call || inner.kind == Kind::method) forget(inner);
  });
}

// What the statement has done before it failed is not known; blocks in it have not run.
void AbstractLua::forget_failed(const Node& node) {
  if (node.kind != Kind::assignment && !node.is(Kind::statement, "if") && !calls_action(node)) {
    return forget(node);
  }
  for (const Node& child : node.children) {
    if (child.kind != Kind::block) forget_called(child);
  }
}

// Forgets every name in it, as it may hold another value afterwards.
void AbstractLua::forget(const Node& node) {
  lua::walk(node, [&](const Node& inner) {
    if (const std::string* name = lua::field_of(inner, "ctx")) set(*name, {});
    if (names_action(inner)) all_.lost = true;
  });
}

}  // namespace agneto::lint
