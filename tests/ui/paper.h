// A screen whose output is text: 100 columns and 40 lines, as where there is no terminal.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ui/screen.h"

namespace agneto::ui {

class Paper {
 public:
  explicit Paper(Screen::Style style = {}) : file_(open_memstream(&text_, &size_)), style_(style) {}
  ~Paper() {
    std::fclose(file_);
    std::free(text_);
  }
  Paper(const Paper&) = delete;
  Paper& operator=(const Paper&) = delete;

  std::FILE* file() { return file_; }
  Screen::Style style() const { return style_; }
  // What was written since the last time.
  std::string read() {
    std::fflush(file_);
    std::string all(text_, size_);
    std::string fresh = all.substr(read_);
    read_ = all.size();
    return fresh;
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
  Screen::Style style_;
  std::size_t read_ = 0;
};

// A status as it is drawn: lines that the terminal does not wrap, and the cursor at the first.
inline std::string status_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += (text.empty() ? "\x1b[?7l" : "\n") + line;
  text += "\x1b[?7h\r";
  return lines.size() == 1 ? text : text + "\x1b[" + std::to_string(lines.size() - 1) + "A";
}
// What takes it away again, however the terminal has wrapped it since.
inline const std::string no_status = "\r \x1b[J\r";

constexpr Screen::Style plain{false, false};
constexpr Screen::Style terminal{false, true};
constexpr Screen::Style colourful{true, true};

}  // namespace agneto::ui
