#include "lua/prompt.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "lua/lexer.h"
#include "lua/tree.h"

namespace agneto::lua {

namespace {

// What a hook's `m` has.
constexpr std::array<std::string_view, 9> members = {
    "attempt", "ctx", "inputs", "last_error", "run", "state", "task", "verdicts", "workspace"};

// The words that begin what is no expression, and what Lua wants behind it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> statements = {
    {{"if", "then"}, {"elseif", "then"}, {"else", ""}, {"for", "do"}, {"end", ""}}};

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(c) < ' ') {
      const std::string code = std::to_string(static_cast<int>(c));
      result += '\\' + std::string(3 - code.size(), '0') + code;
    } else {
      result += c;
    }
  }
  return result + '"';
}

class Translation {
 public:
  explicit Translation(std::string_view text) : text_(text) {}

  PromptModule module() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    result_.lua =
        R"(local agneto = require "agneto" return {prompt = function(m) local _out = {} )";
    while (at_ < text_.size() && result_.problem.empty()) {
      const std::size_t open = text_.find("{{", at_);
      literal(text_.substr(at_, open - at_), open != text_.npos);
      if (open == text_.npos) break;
      braces(open);
    }
    if (!open_.empty()) fail(open_.back(), "'if' or 'for' without an 'end' behind it");
    result_.lua += " return table.concat(_out) end}\n";
    return std::move(result_);
  }

 private:
  // A line at a time, so that a line here is one there.
  void literal(std::string_view text, bool braces_follow) {
    const bool alone = braces_follow && is_alone(at_ + text.size());
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end);
      const bool is_indent = alone && text.empty() && !line.ends_with('\n');
      if (!is_indent) {
        result_.lua += "_out[#_out + 1] = ";
        note_place(at_);
        result_.lua += quoted(line);
        note_place(at_ + line.size());
        result_.lua += ' ';
      }
      at_ += line.size();
      if (line.ends_with('\n')) result_.lua += '\n';
    }
  }

  // Does a statement stand between these braces, and nothing else on their line?
  bool is_alone(std::size_t open) const {
    const std::size_t close = text_.find("}}", open);
    if (close == text_.npos || !statement(text_.substr(open + 2, close - open - 2))) return false;
    const std::size_t begin = open == 0 ? 0 : text_.rfind('\n', open - 1) + 1;  // npos + 1 is 0
    const std::size_t end = std::min(text_.find('\n', close), text_.size());
    return trim(text_.substr(begin, open - begin)).empty() &&
           trim(text_.substr(close + 2, end - close - 2)).empty();
  }

  void braces(std::size_t open) {
    const std::size_t close = text_.find("}}", open);
    if (close == text_.npos) return fail(open, "'{{' without '}}' behind it");
    const std::string_view code = text_.substr(open + 2, close - open - 2);
    at_ = close + 2;
    const auto* word = statement(code);
    const std::size_t begin = word ? code.find(word->first) + word->first.size() : 0;
    const std::string why = why_not(word ? word->first : "", code.substr(begin), open);
    if (!why.empty()) return fail(open, why);
    result_.lua += word ? std::string(word->first) + ' ' : "_out[#_out + 1] = ";
    const bool asks = word && word->second == "then";
    if (!word || asks) result_.lua += asks ? "agneto.holds(" : "agneto.text(";
    lua(code.substr(begin), open + 2 + begin);
    if (!word || asks) result_.lua += ')';
    result_.lua += word ? ' ' + std::string(word->second) + ' ' : " ";
    if (word && is_alone(open)) skip_line_end();
  }

  // What is wrong with the code behind that word, which is empty before an expression.
  std::string why_not(std::string_view word, std::string_view code, std::size_t place) {
    if (!tokens(code).comments.empty()) return "a comment between '{{' and '}}'";
    if (!tokens(code).closed) return "a text that does not end between '{{' and '}}'";
    const std::string_view text = trim(code);
    if (word == "end" || word == "else") {
      if (!text.empty()) return fmt::format("'{}' stands alone between '{{{{' and '}}}}'", word);
      if (open_.empty()) return fmt::format("'{}' without an 'if' before it", word);
      if (word == "end") open_.pop_back();
      return {};
    }
    if (word == "for") {
      if (!parse_statements(fmt::format("for {} do end", text))) {
        return fmt::format("'for {}' is not as in: for _, item in ipairs(ctx.list)", text);
      }
    } else {
      if (word.empty() && text.empty()) return "nothing between '{{' and '}}'";
      if (!parse_expression(text)) return fmt::format("'{}' is no expression of Lua", text);
      if (word == "elseif" && open_.empty()) return "'elseif' without an 'if' before it";
    }
    if (word == "for" || word == "if") open_.push_back(place);
    return {};
  }

  static const std::pair<std::string_view, std::string_view>* statement(std::string_view code) {
    const std::string_view text = trim(code);
    for (const auto& each : statements) {
      const std::string_view word = each.first;
      if (text.starts_with(word) && (text.size() == word.size() || !is_word(text[word.size()]))) {
        return &each;
      }
    }
    return nullptr;
  }

  // The code, with the names of m's members as such.
  void lua(std::string_view code, std::size_t place) {
    const std::vector<Token> all = tokens(code).all;
    std::size_t done = 0;
    const auto copy = [&](std::size_t end) {
      note_place(place + done);
      result_.lua += code.substr(done, end - done);
      done = end;
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_member = all[i].kind == Token::Kind::name &&
                             std::ranges::find(members, all[i].text) != members.end();
      if (!is_member || (i > 0 && (all[i - 1].is(".") || all[i - 1].is(":")))) continue;
      if (i + 1 < all.size() && all[i + 1].is("=")) continue;  // a key of a table
      copy(all[i].begin);
      result_.lua += "m.";
    }
    copy(code.size());
  }

  void note_place(std::size_t in_text) { result_.places.emplace_back(result_.lua.size(), in_text); }

  void skip_line_end() {
    const std::size_t end = text_.find('\n', at_);
    at_ = end == text_.npos ? text_.size() : end + 1;
    if (end != text_.npos) result_.lua += '\n';
  }

  void fail(std::size_t place, std::string why) {
    if (!result_.problem.empty()) return;
    result_.problem = std::move(why);
    result_.line =
        1 + static_cast<int>(std::count(text_.begin(),
                                        text_.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;  // where the statements begin that have no `end` yet
  PromptModule result_;
};

}  // namespace

bool is_prompt(const std::filesystem::path& file) {
  return file.extension() == ".md";
}

std::uint32_t PromptModule::in_prompt(std::uint32_t in_lua) const {
  const auto next =
      std::ranges::upper_bound(places, in_lua, {}, [](const auto& place) { return place.first; });
  if (next == places.begin()) return 0;
  const auto& [lua_place, place] = *std::prev(next);
  return place + (in_lua - lua_place);
}

PromptModule module_of_prompt(std::string_view text) {
  return Translation(text).module();
}

}  // namespace agneto::lua
