#include "syntax/tree.h"

#include <algorithm>

namespace agneto::syntax {

namespace {

std::string_view bytes(const Span& span) {
  return std::string_view(span.source->text()).substr(span.begin, span.end - span.begin);
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Lines below the scalar's first at which line `n` of a flow scalar stands: a run of line ends
// becomes one less in the text (a single one becomes a space), and `\n` in double quotes is one
// that the source does not have.
int flow_line(std::string_view source, Style style, int n) {
  int line = 0;
  int run = 0;
  for (std::size_t i = 0; i < source.size() && n > 0; ++i) {
    const char c = source[i];
    if (c == '\n') {
      ++line;
      ++run;
      n -= run > 1 ? 1 : 0;
    } else if (!is_space(c)) {
      run = 0;
      if (style == Style::double_quoted && c == '\\' && i + 1 < source.size()) {
        ++i;
        n -= source[i] == 'n' ? 1 : 0;
        if (source[i] == '\n') {
          ++line;
          run = 1;
        }
      }
    }
  }
  return line;
}

// The same for a folded block, whose words appear in the source one for one.
int folded_line(std::string_view source, std::string_view text, int n) {
  std::size_t at = std::min(source.find('\n'), source.size());
  int line = 0;
  int blank = 0;  // ends of lines since the last word
  for (std::size_t i = 0; i < text.size() && n >= 0; ++i) {
    if (text[i] == '\n') {
      --n;
      ++blank;
      if (n == 0 && (i + 1 == text.size() || text[i + 1] == '\n')) {
        return line + blank;
      }
    }
    if (is_space(text[i])) {
      continue;
    }
    blank = 0;
    while (at < source.size() && is_space(source[at])) {
      line += source[at] == '\n' ? 1 : 0;
      ++at;
    }
    ++at;
    if (n == 0) {
      break;
    }
  }
  return line;
}

}  // namespace

int Node::line_of(int n) const {
  const int first = span.line();
  switch (style) {
    case Style::literal:
      return first + 1 + n;
    case Style::folded:
      return first + folded_line(bytes(span), text, n);
    default:
      return first + flow_line(bytes(span), style, n);
  }
}

bool Node::is_folded() const {
  if (kind != Kind::scalar || style == Style::literal) {
    return false;
  }
  const std::string_view source = bytes(span);
  return std::count(source.begin(), source.end(), '\n') > (style == Style::folded ? 1 : 0);
}

const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries) {
    if (entry.key.text == key) {
      return &entry.value;
    }
  }
  return nullptr;
}

}  // namespace agneto::syntax
