#include "lua/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace agneto::lua {

namespace {

// In alphabetical order.
constexpr std::array<std::string_view, 22> keywords = {
    "and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
    "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
    "repeat",   "return", "then", "true", "until",  "while"};

// Longer ones first.
constexpr std::array<std::string_view, 10> long_symbols = {
    "...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Tokens run() {
    do {
      skip_blanks();
      const std::size_t begin = at_;
      Token token = at_ < text_.size() ? next() : Token{};
      token.begin = static_cast<std::uint32_t>(begin);
      token.end = static_cast<std::uint32_t>(at_);
      found_.all.push_back(std::move(token));
    } while (found_.all.back().kind != Token::Kind::end);
    return std::move(found_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else if (text_.substr(at_, 2) == "--") {
        const std::size_t begin = at_;
        at_ += 2;
        if (long_level() >= 0) {
          long_text();
        } else {
          at_ = std::min(text_.find('\n', at_), text_.size());
        }
        found_.comments.push_back(text_.substr(begin, at_ - begin));
      } else {
        return;
      }
    }
  }

  Token next() {
    const auto begin = at_;
    const auto made = [](Token::Kind kind, std::string_view text) {
      return Token{kind, std::string(text)};
    };
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      skip_number();
      return made(Token::Kind::number, text_.substr(begin, at_ - begin));
    }
    if (is_word(c)) {
      while (is_word(peek())) ++at_;
      const std::string_view word = text_.substr(begin, at_ - begin);
      return made(is_keyword(word) ? Token::Kind::keyword : Token::Kind::name, word);
    }
    if (c == '"' || c == '\'') return made(Token::Kind::string, quoted());
    if (c == '[' && long_level() >= 0) return made(Token::Kind::string, long_text());
    for (const std::string_view symbol : long_symbols) {
      if (text_.substr(at_, symbol.size()) == symbol) {
        at_ += symbol.size();
        return made(Token::Kind::symbol, symbol);
      }
    }
    ++at_;
    return made(Token::Kind::symbol, text_.substr(begin, 1));
  }

  void skip_number() {
    const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    while (is_word(peek()) || peek() == '.') {
      const char c = peek();
      const bool exponent = hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E';
      ++at_;
      if (exponent && (peek() == '+' || peek() == '-')) ++at_;
    }
  }

  // The level of the long bracket that begins here; -1 where none does.
  int long_level() const {
    if (peek() != '[') return -1;
    std::size_t equals = 0;
    while (peek(1 + equals) == '=') ++equals;
    return peek(1 + equals) == '[' ? static_cast<int>(equals) : -1;
  }

  std::string long_text() {
    const auto level = static_cast<std::size_t>(long_level());
    const std::string close = "]" + std::string(level, '=') + "]";
    at_ += level + 2;
    if (peek() == '\n') ++at_;
    const auto begin = at_;
    const auto end = std::min(text_.find(close, at_), text_.size());
    if (end == text_.size()) found_.closed = false;
    at_ = std::min(end + close.size(), text_.size());
    return std::string(text_.substr(begin, end - begin));
  }

  // The escapes that names are written with; others stay as they are.
  std::string quoted() {
    const char quote = text_[at_++];
    std::string value;
    while (at_ < text_.size() && text_[at_] != quote) {
      char c = text_[at_++];
      if (c == '\\' && at_ < text_.size()) {
        c = text_[at_++];
        if (c == 'n') {
          c = '\n';
        } else if (c == 't') {
          c = '\t';
        } else if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
          value += '\\';
        }
      }
      value += c;
    }
    if (at_ == text_.size()) found_.closed = false;
    at_ = std::min(at_ + 1, text_.size());
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Tokens found_;
};

}  // namespace

Tokens tokens(std::string_view text) {
  return Lexer(text).run();
}

bool is_keyword(std::string_view word) {
  return std::binary_search(keywords.begin(), keywords.end(), word);
}

}  // namespace agneto::lua
