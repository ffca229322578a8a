// The terminal as several writers share it: lines that stay, a status that is redrawn below them,
// and somebody who asks a question meanwhile.
#pragma once

#include <cstdio>
#include <initializer_list>
#include <mutex>
#include <string>
#include <vector>

#include "ui/styled.h"

namespace agneto::ui {

// Thread-safe. Each call writes once, so that nothing flickers; a write that fails is not
// reported: a run does not end because nobody can read about it.
//
// More than 25 names: lines, the status below them and a question share one terminal and its lock.
class Screen {
 public:
  struct Style {
    bool colors = false;   // NO_COLOR and TERM=dumb say no
    bool redraws = false;  // a terminal that can move its cursor
    bool ascii = false;    // the locale that is set (LC_ALL, LC_CTYPE, LANG) is not UTF-8
  };
  static Style style_of(std::FILE* file);

  Screen(std::FILE* out, Style style) : out_(out), style_(style) {}
  ~Screen();

  // What stays. A terminal gets it wrapped at its width, all but the first line indented; `as_is`
  // leaves that to the terminal, so that it can be copied. Where there is no terminal it is one
  // line, whatever it holds.
  static constexpr std::size_t as_is = std::string::npos;
  void line(Styled text, std::size_t indent = 0);
  // Replaces the status below the lines, each cut to one line; nothing where the terminal cannot
  // redraw. Of more lines than there is room for, the first are left out.
  void status(std::vector<Styled> lines);
  // How many lines a status may have now: half of the terminal, so that the log is seen above it.
  std::size_t status_room() const;
  // Between hold and release lines are kept back and the status is hidden: a question is asked.
  void hold();
  void release();
  // Writes at once, also while held, and as it is: the question itself.
  void write(const Styled& text);
  // The terminal's bell: somebody is waited for. Nothing where it cannot redraw.
  void ring();

  // In columns and lines; 100 and 40 where it is no terminal.
  std::size_t width() const;
  std::size_t height() const;
  const Style& style() const { return style_; }
  int descriptor() const;

 private:
  struct Line {
    Styled text;
    std::size_t indent;
  };
  Styled fit_to_print(Styled text) const;
  std::string rendered(const Line& line) const;
  std::string status_cleared();
  std::string status_drawn();
  void put(const std::string& text);

  std::FILE* out_;
  Style style_;
  std::mutex mutex_;
  std::vector<Styled> status_;
  bool drawn_ = false;  // is the status on the screen now?
  bool held_ = false;
  std::vector<Line> kept_;
};

// The value of the first of these variables of the environment that has one.
std::string variable(std::initializer_list<const char*> names, const char* otherwise);

}  // namespace agneto::ui
