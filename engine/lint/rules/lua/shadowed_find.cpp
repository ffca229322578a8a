#include <string>
#include <vector>

#include "base/text.h"
#include "lint/hook_functions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// A text that is looked for: reply:find("APPROVED", 1, true).
struct Looked {
  const Node* where;
  std::string what;
  std::string words;
};

// The text, where the condition is nothing but the question whether it is in another.
const std::string* looked_for(const Node& condition) {
  const bool finds =
      condition.is(Node::Kind::method, "find") || condition.is(Node::Kind::method, "match");
  const std::string* words =
      finds && condition.children.size() > 1 ? lua::literal_text(condition.children[1]) : nullptr;
  constexpr std::string_view special = "^$%.[]*+?()";
  return words && !words->empty() && words->find_first_of(special) == words->npos ? words : nullptr;
}

// Does the block end the function, whatever is in it?
bool returns(const Node& block) {
  return block.kind == Node::Kind::block && !block.children.empty() &&
         block.children.back().is(Node::Kind::statement, "return");
}

// Statements of one block, in order: what is asked by those that return where it is found.
void check_block(const Module& module, const Node& block, const Reporter& report) {
  std::vector<Looked> before;
  for (const Node& statement : block.children) {
    if (!statement.is(Node::Kind::statement, "if")) continue;
    const bool returns_always = statement.children.size() > 1 && returns(statement.children[1]);
    for (std::size_t i = 0; i + 1 < statement.children.size(); i += 2) {
      const Node& condition = statement.children[i];
      const std::string* words = looked_for(condition);
      if (!words) continue;
      const std::string text(std::string_view(module.source->text())
                                 .substr(condition.children[0].begin,
                                         condition.children[0].end - condition.children[0].begin));
      for (const Looked& one : before) {
        if (one.what != text || one.words == *words || words->find(one.words) == words->npos) {
          continue;
        }
        report(place(module, condition),
               "'{}' is never found here: '{}', which is in it, is found before", printable(*words),
               printable(one.words))
            .help("look for the longer one first")
            .related(place(module, *one.where), "this is found in both");
        return;
      }
      if (i > 0 || statement.children.size() > 2 || returns_always) {
        before.push_back({&condition, text, *words});
      }
    }
    if (!returns_always) before.clear();
  }
}

}  // namespace

extern const LintRule shadowed_find = {
    {"W521", "shadowed-find", "a text that is looked for behind one that is a part of it",
     R"(`reply:find("APPROVED")` finds `NOT_APPROVED` as well, so that who asks for the shorter one first never
comes to the longer one: what was refused counts as approved. Look for the longer one first, or for the
whole line.)"},
    [](const Module& module, const Users&, const Reporter& report) {
      lua::walk(*module.tree, [&](const Node& node) {
        if (node.kind == Node::Kind::block || node.kind == Node::Kind::function) {
          check_block(module, node, report);
        }
      });
    }};

}  // namespace agneto::lint
