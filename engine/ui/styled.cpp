#include "ui/styled.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"

namespace agneto::ui {
namespace {

constexpr std::string_view tab = "    ";

// The codes that switch the colours on, in the order of `Color`.
constexpr int codes[] = {0, 2, 1, 31, 32, 33, 34, 35, 36};

}  // namespace

Styled& Styled::add(Color color, std::string_view text) {
  std::string clean;
  for (char c : valid_utf8(printable(text))) clean += c == '\t' ? tab : std::string_view(&c, 1);
  append(color, clean);
  return *this;
}

Styled& Styled::operator+=(const Styled& more) {
  for (const Span& span : std::vector<Span>(more.spans_)) append(span.color, span.text);
  return *this;
}

void Styled::append(Color color, std::string_view clean) {
  if (clean.empty()) return;
  if (!spans_.empty() && spans_.back().color == color) {
    spans_.back().text += clean;
  } else {
    spans_.push_back({color, std::string(clean)});
  }
}

std::size_t Styled::width() const {
  std::size_t columns = 0;
  for (const Span& span : spans_) columns += display_width(span.text);
  return columns;
}

std::string Styled::render(bool colors) const {
  std::string text;
  for (const Span& span : spans_) {
    if (colors && span.color != Color::none) {
      text += fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<int>(span.color)], span.text);
    } else {
      text += span.text;
    }
  }
  return text;
}

Styled Styled::joined() const {
  Styled line;
  bool gap = false;  // a run of line ends and the spaces around them is one space
  for (const Span& span : spans_) {
    std::string text;
    for (std::size_t i = 0; i < span.text.size(); ++i) {
      char c = span.text[i];
      if (c == '\n') {
        while (!text.empty() && text.back() == ' ') text.pop_back();
        gap = true;
      } else if (!gap || c != ' ') {
        if (gap && !(text.empty() && line.empty())) text += ' ';
        gap = false;
        text += c;
      }
    }
    line.append(span.color, text);
  }
  return line;
}

Styled Styled::in_ascii() const {
  Styled line;
  for (const Span& span : spans_) line.append(span.color, ascii_symbols(span.text));
  return line;
}

std::string ascii_symbols(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> symbols[] = {
      {"…", ".."}, {"→", "->"}, {"×", "x"}, {"·", "-"}, {"▶", ">"},
      {"❓", "?"},  {"👤", "?"},  {"─", "-"}, {"│", "|"}};
  std::string ascii;
  for (std::size_t i = 0; i < text.size();) {
    const auto* found = std::ranges::find_if(
        symbols, [&](const auto& symbol) { return text.substr(i).starts_with(symbol.first); });
    bool own = found != std::end(symbols);
    ascii += own ? found->second : text.substr(i, 1);
    i += own ? found->first.size() : 1;
  }
  return ascii;
}

Styled Styled::fitted(std::size_t columns) const {
  Styled line = joined();
  if (line.width() <= columns) return line;
  Styled cut;
  std::size_t left = columns > 0 ? columns - 1 : 0;
  for (const Cell& cell : line.cells()) {
    if (cell.columns > left) {
      cut.append(cell.color, columns > 0 ? "…" : "");
      return cut;
    }
    left -= cell.columns;
    cut.append(cell.color, cell.bytes);
  }
  return cut;
}

std::vector<Styled::Cell> Styled::cells() const {
  std::vector<Cell> cells;
  for (const Span& span : spans_) {
    for (std::size_t i = 0; i < span.text.size();) {
      std::size_t size = character_at(span.text, i).size;
      std::string_view bytes = std::string_view(span.text).substr(i, size);
      cells.push_back({span.color, bytes, display_width(bytes)});
      i += size;
    }
  }
  return cells;
}

std::vector<Styled> Styled::wrapped(std::size_t columns, std::size_t indent) const {
  columns = std::max<std::size_t>(columns, 2);
  indent = std::min(indent, columns / 2);
  const std::vector<Cell> cells = this->cells();
  std::vector<Styled> lines;
  auto take = [&](std::size_t from, std::size_t to) {
    Styled line;
    while (to > from && cells[to - 1].bytes == " ") --to;
    if (!lines.empty() && to > from) line.append(Color::none, std::string(indent, ' '));
    for (std::size_t i = from; i < to; ++i) line.append(cells[i].color, cells[i].bytes);
    lines.push_back(std::move(line));
  };
  std::size_t begin = 0, used = 0;
  std::size_t space = 0;  // just past the last space of this line; `begin` if there was none
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].bytes == "\n") {
      take(begin, i);
      begin = space = i + 1;
      used = indent;
      continue;
    }
    if (used + cells[i].columns > columns && cells[i].bytes != " ") {
      std::size_t end = space > begin ? space : i;
      take(begin, end);
      begin = space = end;
      used = indent;
      for (std::size_t j = begin; j < i; ++j) used += cells[j].columns;
    }
    used += cells[i].columns;
    if (cells[i].bytes == " ") {
      bool only_spaces = std::all_of(cells.begin() + static_cast<std::ptrdiff_t>(begin),
                                     cells.begin() + static_cast<std::ptrdiff_t>(i),
                                     [](const Cell& cell) { return cell.bytes == " "; });
      if (!only_spaces) space = i + 1;
    }
  }
  if (begin < cells.size() || lines.empty()) take(begin, cells.size());
  return lines;
}

}  // namespace agneto::ui
