// Text with colours that is safe on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agneto::ui {

enum class Color { none, dim, bold, red, green, yellow, blue, magenta, cyan };

// Any text can be added: escape sequences and other control characters are dropped, bytes that are
// not UTF-8 are replaced, and tabs become spaces. Only `render` writes escape sequences. Line ends
// stay, so one Styled may have several lines.
class Styled {
 public:
  Styled() = default;
  Styled(std::string_view text) { add(Color::none, text); }
  Styled(const std::string& text) : Styled(std::string_view(text)) {}
  Styled(const char* text) : Styled(std::string_view(text)) {}
  Styled(Color color, std::string_view text) { add(color, text); }

  Styled& add(Color color, std::string_view text);
  Styled& operator+=(const Styled& more);

  bool empty() const { return spans_.empty(); }
  // Columns of the text as one line.
  std::size_t width() const;
  std::string render(bool colors) const;

  // The text as one line of at most `columns`, with "…" at the end if something was cut.
  Styled fitted(std::size_t columns) const;
  // The text as one line of any length.
  Styled joined() const;
  // The text with its symbols as `ascii_symbols` has them.
  Styled in_ascii() const;
  // Lines of at most `columns`, broken at spaces where it can be; all but the first begin with
  // `indent` spaces.
  std::vector<Styled> wrapped(std::size_t columns, std::size_t indent) const;

  friend bool operator==(const Styled&, const Styled&) = default;

 private:
  struct Span {
    Color color;
    std::string text;
    friend bool operator==(const Span&, const Span&) = default;
  };
  // A character; a line may end before it.
  struct Cell {
    Color color;
    std::string_view bytes;  // of a span
    std::size_t columns;
  };
  std::vector<Cell> cells() const;
  void append(Color color, std::string_view clean);

  std::vector<Span> spans_;
};

// Replaces the symbols that this program itself writes (arrows, dots, frames) by ASCII.
std::string ascii_symbols(std::string_view text);

inline Styled operator+(Styled left, const Styled& right) {
  left += right;
  return left;
}

}  // namespace agneto::ui
