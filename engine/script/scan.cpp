#include "script/scan.h"

#include <algorithm>
#include <map>

#include "lua/lexer.h"

namespace agneto::script {

namespace {

using lua::Token;

// Follows brackets and blocks, as one nesting.
class Nesting {
 public:
  void see(const Token& token) {
    static const std::map<std::string_view, std::string_view> closing = {
        {"(", ")"},    {"[", "]"},    {"{", "}"},         {"function", "end"},
        {"do", "end"}, {"if", "end"}, {"repeat", "until"}};
    if (token.kind != Token::Kind::symbol && token.kind != Token::Kind::keyword) return;
    if (const auto opens = closing.find(token.text); opens != closing.end()) {
      open_.push_back(opens->second);
    } else if (token.is(")") || token.is("]") || token.is("}") || token.is("end") ||
               token.is("until")) {
      sound_ = sound_ && !open_.empty() && open_.back() == token.text;
      if (!open_.empty()) open_.pop_back();
    }
  }
  bool balanced() const { return sound_ && open_.empty(); }

 private:
  std::vector<std::string_view> open_;  // what closes them, the innermost last
  bool sound_ = true;
};

// Is the end of each line part of a string?
std::vector<bool> lines_in_string(std::string_view text, const std::vector<Token>& tokens) {
  std::vector<bool> result;
  auto token = tokens.begin();
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
    while (token->kind != Token::Kind::end && token->end <= at) ++token;
    result.push_back(token->kind == Token::Kind::string && token->begin < at);
  }
  return result;
}

}  // namespace

Scan scan(std::string_view text) {
  const lua::Tokens found = lua::tokens(text);
  std::vector<Token> tokens = found.all;
  Scan result;
  result.code = text;
  result.comments = found.comments;
  for (const std::string_view comment : found.comments) {
    const auto begin = result.code.begin() + (comment.data() - text.data());
    std::replace_if(
        begin, begin + static_cast<std::ptrdiff_t>(comment.size()),
        [](char c) { return c != '\n'; }, ' ');
  }
  result.in_string = lines_in_string(text, tokens);
  Nesting nesting;
  for (const Token& token : tokens) nesting.see(token);
  result.balanced = found.closed && nesting.balanced();
  result.blank = tokens.size() == 1;
  tokens.resize(tokens.size() + 3);  // so that looking ahead needs no care

  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool is_field = i > 0 && (tokens[i - 1].is(".") || tokens[i - 1].is(":"));
    if (is_field) continue;
    if (token.is("event")) result.event = true;
    if (token.is("run")) result.run = true;
    if (token.is("function") || token.is("table") || token.is("_ENV")) result.may_change = true;
    if (!token.is("ctx")) continue;
    const Token& name = tokens[i + 2];
    const bool dotted = tokens[i + 1].is(".") && name.kind == Token::Kind::name;
    const bool indexed =
        tokens[i + 1].is("[") && name.kind == Token::Kind::string && tokens[i + 3].is("]") &&
        text.substr(name.begin, name.end - name.begin).find('\\') == std::string_view::npos;
    if (dotted || indexed) {
      result.context_names.push_back(name.text);
    } else {
      result.whole_context = true;
    }
  }
  return result;
}

}  // namespace agneto::script
