#include "yaml/scanner.h"

#include <algorithm>

namespace agneto::yaml {

namespace {

std::size_t quoted_end(std::string_view source, std::size_t begin) {
  const char quote = source[begin];
  for (std::size_t i = begin + 1; i < source.size(); ++i) {
    if (quote == '"' && source[i] == '\\') {
      ++i;
    } else if (source[i] == quote) {
      if (quote == '"' || i + 1 >= source.size() || source[i + 1] != '\'') return i + 1;
      ++i;
    }
  }
  return std::string_view::npos;
}

// Plain and folded text is spelled by its source but for the white space between the words.
std::size_t spelled_end(std::string_view source, std::size_t begin, std::string_view text) {
  std::size_t at = begin;
  std::size_t end = begin;
  for (const char c : text) {
    if (is_space(c)) continue;
    while (at < source.size() && is_space(source[at])) ++at;
    if (at == source.size()) break;
    end = ++at;
  }
  return end;
}

// Behind `|` or `>` and the indicators that follow it.
std::size_t block_header_end(std::string_view source, std::size_t begin) {
  std::size_t at = begin + 1;
  while (at < source.size() && !is_space(source[at])) ++at;
  return at;
}

// A literal's lines are those below its header, one for one.
std::size_t literal_end(std::string_view source, std::size_t begin, std::string_view text) {
  const std::size_t last = text.find_last_not_of('\n');
  if (last == std::string_view::npos) return block_header_end(source, begin);
  const auto lines =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(last), '\n');
  std::size_t at = begin;
  for (std::ptrdiff_t i = 0; i <= lines && at < source.size(); ++i) {
    at = std::min(source.find('\n', at), source.size() - 1) + 1;
  }
  return line_end(source, at);
}

// Past the quote at `at` and what it holds; 0 where it is an apostrophe, or closed on no line of
// its own.
std::size_t behind_quotes(std::string_view source, std::size_t at) {
  const bool is_quote = source[at] == '"' || source[at] == '\'';
  const char before = at > 0 ? source[at - 1] : ' ';
  if (!is_quote || (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z')) return 0;
  const std::size_t end = source.substr(0, line_end(source, at)).find(source[at], at + 1);
  return end == std::string_view::npos ? 0 : end + 1;
}

// The place of the first of `ends` from `at` on that is in no brackets and quotes, or the line's
// end.
std::size_t find_bare(std::string_view source, std::size_t at, std::string_view ends) {
  const std::size_t last = line_end(source, at);
  int depth = 0;
  while (at < last) {
    if (const std::size_t behind = behind_quotes(source, at); behind > 0) {
      at = behind;
      continue;
    }
    const char c = source[at];
    if (depth == 0 && ends.find(c) != std::string_view::npos) return at;
    if (std::string_view("([{").find(c) != std::string_view::npos) ++depth;
    if (std::string_view(")]}").find(c) != std::string_view::npos && depth > 0) --depth;
    ++at;
  }
  return last;
}

// Does an entry with a key begin there, rather than the rest of a text?
bool begins_entry(std::string_view source, std::size_t at) {
  const std::size_t end = find_bare(source, at, ",]}");
  while ((at = find_bare(source, at, ":")) < end) {
    if (++at == end || is_space(source[at])) return true;
  }
  return false;
}

}  // namespace

Style style_at(std::string_view source, std::size_t begin) {
  switch (begin < source.size() ? source[begin] : '\0') {
    case '\'':
      return Style::single_quoted;
    case '"':
      return Style::double_quoted;
    case '|':
      return Style::literal;
    case '>':
      return Style::folded;
    default:
      return Style::plain;
  }
}

std::size_t scalar_end(std::string_view source, std::size_t begin, std::string_view text) {
  switch (style_at(source, begin)) {
    case Style::single_quoted:
    case Style::double_quoted:
      return quoted_end(source, begin);
    case Style::literal:
      return literal_end(source, begin, text);
    case Style::folded: {
      const std::size_t header = block_header_end(source, begin);
      const std::size_t first = std::min(source.find('\n', header), source.size());
      const std::size_t end = spelled_end(source, first, text);
      return end == first ? header : end;
    }
    case Style::plain:
      break;
  }
  return spelled_end(source, begin, text);
}

std::size_t skip_blanks(std::string_view source, std::size_t at) {
  while (at < source.size() && is_blank(source[at])) ++at;
  return at;
}

std::size_t skip_space(std::string_view source, std::size_t at) {
  while (at < source.size()) {
    const bool comment = source[at] == '#' && (at == 0 || is_space(source[at - 1]));
    if (comment) {
      at = line_end(source, at);
    } else if (is_space(source[at])) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

std::size_t line_end(std::string_view source, std::size_t at) {
  const std::size_t end = std::min(source.find('\n', at), source.size());
  return end > at && end < source.size() && source[end - 1] == '\r' ? end - 1 : end;
}

std::size_t skip_property(std::string_view source, std::size_t at) {
  while (at < source.size() && !is_space(source[at]) &&
         std::string_view(",[]{}").find(source[at]) == std::string_view::npos) {
    ++at;
  }
  return at;
}

std::size_t skip_to(std::string_view source, std::size_t at, char wanted) {
  constexpr std::string_view punctuation = "-?:,[]{}";
  std::size_t i = skip_space(source, at);
  while (i < source.size() && punctuation.find(source[i]) != std::string_view::npos) {
    if (source[i] == wanted) return i + 1;
    i = skip_space(source, i + 1);
  }
  return at;
}

std::size_t unquoted_end(std::string_view source, std::size_t begin, std::size_t at_least) {
  std::size_t end = find_bare(source, begin, ",]}");
  while (end < source.size() && source[end] == ',') {
    if (end >= at_least && begins_entry(source, end + 1)) break;
    end = find_bare(source, end + 1, ",]}");
  }
  end = std::max(end, at_least);
  while (end > at_least && is_space(source[end - 1])) --end;
  return end;
}

bool looks_like_value(std::string_view source, std::size_t at) {
  if (at + 1 >= source.size() || source[at] != '#') return false;
  const auto is_digit = [&](std::size_t i) {
    return i < source.size() && source[i] >= '0' && source[i] <= '9';
  };
  const char next = source[at + 1];
  return (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
         std::string_view("_(\"'{").find(next) != std::string_view::npos ||
         (is_digit(at + 1) && is_digit(at + 2));
}

}  // namespace agneto::yaml
