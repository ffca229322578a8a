#include "lsp/hooks.h"

#include "lua/tree.h"

namespace agneto::lsp {

namespace {

using lua::Node;

// The key of `NAME = …` in a table or of `X.NAME = …`, or null.
const Node* key_of(const Node& node) {
  if (node.kind == Node::Kind::field && node.children.size() == 2) return &node.children[0];
  if (node.kind == Node::Kind::index) return &node.children[1];
  return nullptr;
}

void add(const Node& key, std::string task, std::vector<HookFunction>& result) {
  for (const HookFunction& known : result) {
    if (known.task == task) return;
  }
  result.push_back({std::move(task), key.begin, key.end});
}

}  // namespace

std::vector<HookFunction> hook_functions(std::string_view text) {
  std::vector<HookFunction> result;
  const auto tree = lua::parse_statements(text);
  if (!tree) return result;
  lua::walk(*tree, [&](const Node& node) {
    const Node* key = key_of(node);
    const std::string* name = key ? lua::literal_text(*key) : nullptr;
    if (!name) return;
    if (*name == "tasks" && node.kind == Node::Kind::field) {
      for (const Node& job : node.children[1].children) {
        const Node* job_key = key_of(job);
        if (job_key && lua::literal_text(*job_key)) add(*job_key, job_key->text, result);
      }
    } else if (node.kind == Node::Kind::index && node.children[0].text == "tasks") {
      add(*key, *name, result);
    } else if (*name == "prompt") {
      add(*key, "", result);
    }
  });
  return result;
}

}  // namespace agneto::lsp
