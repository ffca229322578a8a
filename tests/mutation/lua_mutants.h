// Mistakes in a piece of Lua: in a guard or an action, or in a module of hooks.
#pragma once

#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lua/lexer.h"
#include "lua/tree.h"

namespace agneto::mutation {

// Is given the kind of the mistake, what stood there and the whole text with the mistake in it.
using LuaMistake =
    std::function<void(const std::string& kind, const std::string& was, std::string text)>;

namespace lua = lua;

inline std::string with(const std::string& text, std::size_t begin, std::size_t end,
                        const std::string& instead) {
  return text.substr(0, begin) + instead + text.substr(end);
}

// The wrong operator or number in place of each.
inline void wrong_tokens(const std::string& text, const LuaMistake& mistake) {
  static const std::map<std::string, std::pair<std::string, std::string>> others = {
      {"<", {"wrong-comparison", "<="}},     {"<=", {"wrong-comparison", "<"}},
      {">", {"wrong-comparison", ">="}},     {">=", {"wrong-comparison", ">"}},
      {"==", {"wrong-comparison", "~="}},    {"~=", {"wrong-comparison", "=="}},
      {"+", {"wrong-operator", "-"}},        {"-", {"wrong-operator", "+"}},
      {"and", {"wrong-operator", "or"}},     {"or", {"wrong-operator", "and"}},
      {"true", {"wrong-constant", "false"}}, {"false", {"wrong-constant", "true"}}};
  using TokenKind = lua::Token::Kind;
  for (const lua::Token& token : lua::tokens(text).all) {
    if (token.kind == TokenKind::number) {
      mistake("wrong-constant", token.text,
              with(text, token.begin, token.end, std::to_string(std::stoi(token.text) + 1)));
    } else if (token.kind == TokenKind::symbol || token.kind == TokenKind::keyword) {
      const auto other = others.find(token.text);
      if (other == others.end()) continue;
      mistake(other->second.first, token.text,
              with(text, token.begin, token.end, other->second.second));
    }
  }
}

// `ctx.X`, `inputs.X`, `event.X` with a letter of X left out; each name that is not `done` yet.
inline void misspelt_names(const std::string& text, std::set<std::string>& done,
                           const LuaMistake& mistake) {
  const auto all = lua::tokens(text).all;
  for (std::size_t i = 2; i < all.size(); ++i) {
    const std::string& table = all[i - 2].text;
    if (all[i - 1].text != "." || (table != "ctx" && table != "inputs" && table != "event")) {
      continue;
    }
    const lua::Token& name = all[i];
    const std::string whole = table + "." + name.text;
    if (!done.insert(whole).second) continue;
    mistake("misspelt-name", whole,
            with(text, name.begin, name.end, name.text.substr(0, name.text.size() - 1)));
  }
}

// A statement left out, where there are several.
inline void dropped_statements(const std::string& text, const LuaMistake& mistake) {
  const auto tree = lua::parse_statements(text);
  if (!tree || tree->children.size() < 2) return;
  for (const lua::Node& statement : tree->children) {
    std::string was = text.substr(statement.begin, statement.end - statement.begin);
    was = was.substr(0, was.find('\n'));
    mistake("drop-statement", was, with(text, statement.begin, statement.end, ""));
  }
}

// The verdict that a line of a prompt begins with; empty: with none.
inline std::string verdict_at(const std::string& line) {
  const std::string word = line.substr(0, line.find_first_of(", "));
  const bool is_upper =
      word.size() > 2 && word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == word.npos;
  return is_upper ? word : "";
}

// Of a module of hooks: verdicts that its text speaks of, functions and fields that it names.
inline void module_mistakes(const std::string& text, const LuaMistake& mistake) {
  const auto all = lua::tokens(text).all;
  std::set<std::string> done;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const lua::Token& token = all[i];
    if (token.kind == lua::Token::Kind::string) {
      const std::string word = verdict_at(token.text);
      const std::size_t at = text.find(word, token.begin);
      if (word.empty() || at > token.end) continue;
      mistake("rename-verdict", word, with(text, at, at + word.size(), word + "ED"));
    } else if (token.kind == lua::Token::Kind::name && i >= 2 && all[i - 1].text == ".") {
      const std::string whole = all[i - 2].text + "." + token.text;
      if (!done.insert(whole).second) continue;
      mistake("misspelt-name", whole,
              with(text, token.begin, token.end, token.text.substr(0, token.text.size() - 1)));
    }
  }
}

}  // namespace agneto::mutation
