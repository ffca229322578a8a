#include "script/scan.h"

#include <algorithm>
#include <cctype>

namespace agneto::script {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

struct Token {
  enum class Kind { word, string, symbol, end };
  Kind kind = Kind::end;
  std::string_view text;  // of a string: what is between the quotes
  bool operator==(std::string_view other) const { return kind != Kind::string && text == other; }
};

// Cuts the text into tokens, blanking comments in `code` on the way.
class Tokens {
 public:
  Tokens(std::string_view text, Scan& out) : text_(text), out_(out) { out_.code = text; }

  Token next() {
    skip_blanks();
    if (at_ >= text_.size()) return {};
    const auto begin = at_;
    const char c = text_[at_];
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
      return {Token::Kind::word, text_.substr(begin, at_ - begin)};
    }
    if (std::isdigit(static_cast<unsigned char>(c))) {  // no name may begin within "1e5" or "0xFF"
      while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.')) {
        // "1..2" is malformed, "1 ..x" a concatenation; both end the number harmlessly here.
        ++at_;
      }
      return {Token::Kind::symbol, text_.substr(begin, at_ - begin)};
    }
    if (c == '"' || c == '\'') return quoted(c);
    if (c == '[' && long_level() >= 0) return long_string();
    ++at_;
    return {Token::Kind::symbol, text_.substr(begin, 1)};
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == '\n') {
        end_line(false);
      } else if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        ++at_;
      } else if (text_.substr(at_, 2) == "--") {
        skip_comment();
      } else {
        return;
      }
    }
  }

  void end_line(bool in_string) {
    out_.in_string.push_back(in_string);
    ++at_;
  }

  void skip_comment() {
    const auto begin = at_;
    at_ += 2;
    if (at_ < text_.size() && text_[at_] == '[' && long_level() >= 0) {
      skip_long(false);
    } else {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    }
    out_.comments.push_back(text_.substr(begin, at_ - begin));
    for (auto i = begin; i < at_; ++i) {
      if (out_.code[i] != '\n') out_.code[i] = ' ';
    }
  }

  // Of a long bracket at the current place; -1: there is none.
  int long_level() const {
    auto i = at_ + 1;
    while (i < text_.size() && text_[i] == '=') ++i;
    return i < text_.size() && text_[i] == '[' ? static_cast<int>(i - at_ - 1) : -1;
  }

  std::string_view skip_long(bool is_string) {
    const int level = long_level();
    const std::string close = "]" + std::string(static_cast<std::size_t>(level), '=') + "]";
    const auto begin = at_ + static_cast<std::size_t>(level) + 2;
    const auto found = text_.find(close, begin);
    const auto end = found == std::string_view::npos ? text_.size() : found;
    if (found == std::string_view::npos) out_.balanced = false;
    for (at_ = begin; at_ < end;) {
      if (text_[at_] == '\n') {
        end_line(is_string);
      } else {
        ++at_;
      }
    }
    at_ = std::min(text_.size(), end + close.size());
    return text_.substr(begin, end - begin);
  }

  Token long_string() { return {Token::Kind::string, skip_long(true)}; }

  Token quoted(char quote) {
    const auto begin = ++at_;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size() && text_[at_] == '\n') {
        end_line(true);
      } else {
        ++at_;
      }
    }
    const auto end = std::min(at_, text_.size());
    if (at_ >= text_.size()) out_.balanced = false;
    at_ = std::min(at_ + 1, text_.size());
    return {Token::Kind::string, text_.substr(begin, end - begin)};
  }

  std::string_view text_;
  Scan& out_;
  std::size_t at_ = 0;
};

// Follows brackets and blocks, as one nesting.
class Nesting {
 public:
  void see(const Token& token) {
    if (token.kind == Token::Kind::string) return;
    if (token == "(" || token == "[" || token == "{") {
      open_.push_back(token.text[0]);
    } else if (token == "function" || token == "do" || token == "if") {
      open_.push_back('e');  // closed by `end`
    } else if (token == "repeat") {
      open_.push_back('u');  // closed by `until`
    } else if (token == ")") {
      close('(');
    } else if (token == "]") {
      close('[');
    } else if (token == "}") {
      close('{');
    } else if (token == "end") {
      close('e');
    } else if (token == "until") {
      close('u');
    }
  }
  bool balanced() const { return sound_ && open_.empty(); }

 private:
  void close(char kind) {
    if (open_.empty() || open_.back() != kind) {
      sound_ = false;
    } else {
      open_.pop_back();
    }
  }
  std::vector<char> open_;
  bool sound_ = true;
};

}  // namespace

Scan scan(std::string_view text) {
  Scan result;
  Tokens source(text, result);
  std::vector<Token> tokens;
  Nesting nesting;
  for (Token token = source.next(); token.kind != Token::Kind::end; token = source.next()) {
    nesting.see(token);
    tokens.push_back(token);
  }
  result.blank = tokens.empty();
  result.balanced = result.balanced && nesting.balanced();
  tokens.resize(tokens.size() + 3);  // so that looking ahead needs no care

  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const bool field =
        i > 0 && (tokens[i - 1] == "." || tokens[i - 1] == ":") && !(i > 1 && tokens[i - 2] == ".");
    if (tokens[i].kind != Token::Kind::word || field) continue;
    if (tokens[i] == "event") result.event = true;
    if (tokens[i] == "run") result.run = true;
    if (tokens[i] == "function" || tokens[i] == "table" || tokens[i] == "_ENV") {
      result.may_change = true;
    }
    if (!(tokens[i] == "ctx")) continue;
    const Token& name = tokens[i + 2];
    const bool dotted = tokens[i + 1] == "." && name.kind == Token::Kind::word;
    const bool indexed = tokens[i + 1] == "[" && name.kind == Token::Kind::string &&
                         tokens[i + 3] == "]" && name.text.find('\\') == std::string_view::npos;
    if (dotted || indexed) {
      result.context_names.push_back(name.text);
    } else {
      result.whole_context = true;
    }
  }
  return result;
}

}  // namespace agneto::script
