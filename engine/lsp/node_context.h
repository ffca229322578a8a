// What each word of a machine's file is there for, by the key table (model/keys.h).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/keys.h"
#include "yaml/tree.h"

namespace agneto::lsp {

// A key, or a scalar that is a value; with what is around it.
struct NodeContext {
  const yaml::Node* node = nullptr;
  // A key: its entry, and where it is a name and no key of the language, the map's shape.
  const yaml::Entry* entry = nullptr;
  const model::Shape* names = nullptr;
  // A value: what may stand there; null where that is not known.
  const std::vector<model::Shape>* shapes = nullptr;

  // The innermost object around it, which construct that is, and under which of its keys (of a key
  // of the language: its own row; null where there is no such key).
  const yaml::Node* object = nullptr;
  const model::Construct* construct = nullptr;
  const model::Key* key = nullptr;
  // The innermost entry of a map of names around it, and that map's shape: an event under `on`.
  const yaml::Entry* named = nullptr;
  const model::Shape* named_in = nullptr;
  const yaml::Entry* state = nullptr;  // the innermost state around it

  bool is_key() const { return entry != nullptr; }
  bool is(model::ConstructId id, std::string_view key_name) const;
  // Is there such a form among what may stand there, or a list of it?
  bool may_be(model::Shape::Form form) const;
  // Lua, or a text with Lua in it.
  bool is_lua() const;
  bool is_template() const { return may_be(model::Shape::Form::templ); }
};

// The node's text; empty where there is no node.
inline std::string text_of(const yaml::Node* node) {
  return node ? node->text : std::string();
}

// Visits keys and values in the order of the file.
void visit(const yaml::Node& root, const std::function<void(const NodeContext&)>& each);

}  // namespace agneto::lsp
