#include "lint/explore/finite_runner.h"

#include <algorithm>

namespace agneto::lint {

using lua::Node;
using Kind = Node::Kind;

bool FiniteRunner::block(const Node& node) {
  return std::all_of(node.children.begin(), node.children.end(),
                     [&](const Node& statement) { return run(statement); });
}

bool FiniteRunner::run(const Node& node) {
  if (node.kind == Kind::assignment) {
    assign(node);
  } else if (node.kind == Kind::call) {
    call(node);
  } else if (node.is(Kind::statement, "if")) {
    return choose(node);
  } else if (node.is(Kind::statement, "do")) {
    return block(node.children[0]);
  } else if (node.is(Kind::statement, "return")) {
    forget(node);
    return false;
  } else {
    forget(node);
  }
  return true;
}

void FiniteRunner::assign(const Node& node) {
  const bool paired = node.targets * 2 == node.children.size();
  std::vector<Value> values(node.targets);
  for (std::size_t i = 0; paired && i < node.targets; ++i) {
    values[i] = reader_.value(node.children[node.targets + i]);
  }
  for (std::size_t i = node.targets; i < node.children.size(); ++i) forget_calls(node.children[i]);
  for (std::size_t i = 0; i < node.targets; ++i) {
    const std::string* name = lua::field_of(node.children[i], "ctx");
    if (name) {
      set(*name, values[i]);
    } else {
      forget(node.children[i]);
    }
  }
}

void FiniteRunner::call(const Node& node) {
  const Node& function = node.children[0];
  const std::string* name =
      node.children.size() > 1 ? lua::literal_text(node.children[1]) : nullptr;
  const bool acts = function.is(Kind::global, "raise") || function.is(Kind::global, "send") ||
                    function.is(Kind::global, "cancel");
  if (!acts) return forget(node);
  if (!name) {
    followed_.lost = true;
  } else if (function.text == "raise") {
    followed_.raised.push_back({*name, &node});
    scope_.raise(*name, nullptr);
  } else if (function.text == "cancel") {
    scope_.cancel(*name);
  } else if (node.children.size() < 4) {
    scope_.send(*name, nullptr, Millis(0), "");
  } else {
    send(*name, node.children[3]);
  }
}

void FiniteRunner::send(const std::string& event, const Node& options) {
  std::string id;
  Millis after{0};
  if (options.kind != Kind::table) followed_.lost = true;
  for (const Node& field : options.children) {
    const std::string* key =
        field.children.size() == 2 ? lua::literal_text(field.children[0]) : nullptr;
    if (!key) {
      followed_.lost = true;
    } else if (*key == "after") {
      after = Millis(1);
    } else if (const std::string* text = lua::literal_text(field.children[1])) {
      id = *text;
    } else {
      followed_.lost = true;
    }
  }
  scope_.send(event, nullptr, after, id);
}

bool FiniteRunner::choose(const Node& node) {
  std::size_t i = 0;
  for (; i + 1 < node.children.size(); i += 2) {
    const auto known = reader_.truth(node.children[i]);
    if (known ? *known : oracle_.ask()) return block(node.children[i + 1]);
  }
  return i == node.children.size() || block(node.children[i]);
}

void FiniteRunner::set(const std::string& name, Value value) {
  const int slot = names_.slot(name);
  if (slot >= 0) data_.context[static_cast<std::size_t>(slot)] = value;
}

// Whatever it names may be another afterwards.
void FiniteRunner::forget(const Node& node) {
  lua::walk(node, [&](const Node& inner) {
    if (const std::string* name = lua::field_of(inner, "ctx")) set(*name, {});
    if (inner.is(Kind::global, "raise") || inner.is(Kind::global, "send") ||
        inner.is(Kind::global, "cancel")) {
      followed_.lost = true;
    }
  });
}

void FiniteRunner::forget_calls(const Node& value) {
  lua::walk(value, [&](const Node& inner) {
    if (inner.kind == Kind::call || inner.kind == Kind::method) forget(inner);
  });
}

}  // namespace agneto::lint
