// Mistakes in a module of hooks: in what it makes prompts of, and in the functions that help it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "lua_mutants.h"

namespace agneto::mutation {

// Of one module; each mistake is given once.
class HookMutants {
 public:
  HookMutants(const std::string& text, const LuaMistake& mistake)
      : text_(text), mistake_(mistake) {}

  void find() {
    wrong_tokens(text_, mistake_);
    swapped_verdicts();
    const auto tree = lua::parse_statements(text_);
    if (tree) look_at(*tree, false);
  }

 private:
  using Kind = lua::Node::Kind;

  std::string source(const lua::Node& node) const {
    return text_.substr(node.begin, node.end - node.begin);
  }

  void make(const std::string& kind, const lua::Node& node, const std::string& instead) {
    make(kind, node, node.begin, node.end, instead);
  }
  void make(const std::string& kind, const lua::Node& node, std::size_t begin, std::size_t end,
            const std::string& instead) {
    const std::string was = source(node);
    mistake_(kind, shortened(was.substr(0, was.find('\n')), 60), with(text_, begin, end, instead));
  }

  void look_at(const lua::Node& node, bool in_function) {
    const bool inside = in_function || node.kind == Kind::function;
    if (node.kind == Kind::table) parts(node);
    if (node.kind == Kind::call) arguments(node);
    if (node.is(Kind::binary, "..")) values(node);
    if (inside && (node.kind == Kind::function || node.kind == Kind::block)) statements(node);
    if (inside && node.is(Kind::statement, "return") && !node.children.empty()) returned(node);
    for (const lua::Node& child : node.children) look_at(child, inside);
  }

  static bool is_words(const lua::Node& node) {
    return node.kind == Kind::string || node.is(Kind::binary, "..");
  }

  // What stands in a list: of a prompt's parts, of rules, of verdicts. The empty text counts as
  // none.
  void parts(const lua::Node& table) {
    for (const lua::Node& field : table.children) {
      if (field.children.size() != 1) continue;
      make(is_words(field.children[0]) ? "drop-line" : "drop-part", field, "\"\"");
    }
  }

  // Of one of the module's own functions, or of the library's.
  void arguments(const lua::Node& call) {
    for (std::size_t i = 1; i + 1 < call.children.size(); ++i) {
      const lua::Node &left = call.children[i], &right = call.children[i + 1];
      if (source(left) == source(right)) continue;
      const std::string between = text_.substr(left.end, right.begin - left.end);
      make("swap-arguments", call, left.begin, right.end, source(right) + between + source(left));
    }
    if (call.children.size() < 2) return;
    const lua::Node& last = call.children.back();
    if (text_[last.end] != ')') return;  // `f {…}`
    const std::size_t begin =
        call.children.size() > 2 ? call.children[call.children.size() - 2].end : last.begin;
    make("drop-argument", call, begin, last.end, "");
  }

  void values(const lua::Node& words) {
    for (const lua::Node& operand : words.children) {
      if (!is_words(operand)) make("drop-value", operand, "\"\"");
    }
  }

  void statements(const lua::Node& block) {
    for (const lua::Node& statement : block.children) {
      const bool acts = statement.kind == Kind::assignment ||
                        (statement.kind == Kind::statement && statement.text != "return");
      if (acts) make("drop-statement", statement, "");
    }
  }

  void returned(const lua::Node& statement) {
    const auto& given = statement.children;
    if (given.size() > 1) {
      make("drop-returned", given.back(), given[given.size() - 2].end, given.back().end, "");
    } else if (given[0].kind != Kind::string || !given[0].text.empty()) {
      make("drop-returned", given[0], "\"\"");
    }
  }

  // Where their text is, that is.
  void swapped_verdicts() {
    std::vector<std::pair<std::size_t, std::string>> all;
    for (const lua::Token& token : lua::tokens(text_).all) {
      if (token.kind != lua::Token::Kind::string) continue;
      const std::string word = verdict_at(token.text);
      const std::size_t at = word.empty() ? text_.npos : text_.find(word, token.begin);
      if (at < token.end) all.emplace_back(at, word);
    }
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const auto& [left, one] = all[i];
      const auto& [right, other] = all[i + 1];
      if (one == other) continue;
      const std::string behind = with(text_, right, right + other.size(), one);
      mistake_("swap-verdicts", one + ", " + other, with(behind, left, left + one.size(), other));
    }
  }

  const std::string& text_;
  const LuaMistake& mistake_;
};

}  // namespace agneto::mutation
