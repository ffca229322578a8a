// The terminal as several writers share it: lines that stay, a status that is redrawn below them,
// and somebody who asks a question meanwhile.
#pragma once

#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace agneto::ui {

enum class Color { none, dim, bold, red, green, yellow, blue, magenta, cyan };

// Thread-safe.
class Screen {
 public:
  struct Style {
    bool colors = false;   // NO_COLOR and TERM=dumb say no
    bool redraws = false;  // a terminal that can move its cursor
  };
  static Style style_of(std::FILE* file);

  Screen(std::FILE* out, Style style) : out_(out), style_(style) {}
  ~Screen();

  // A line that stays (may hold several, split at \n).
  void line(std::string_view text);
  // Replaces the status below the lines; nothing where the terminal cannot redraw.
  void status(std::vector<std::string> lines);
  // Between hold and release lines are kept back and the status is hidden: a question is asked.
  void hold();
  void release();
  // Writes at once, also while held: the question itself.
  void write(std::string_view text);

  std::string paint(Color color, std::string_view text) const;
  int width() const;
  const Style& style() const { return style_; }

 private:
  void clear_status();
  void draw_status();

  std::FILE* out_;
  Style style_;
  std::mutex mutex_;
  std::vector<std::string> status_;
  std::size_t drawn_ = 0;  // status lines on the screen now
  bool held_ = false;
  std::vector<std::string> kept_;
};

}  // namespace agneto::ui
