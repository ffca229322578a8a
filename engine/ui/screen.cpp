#include "ui/screen.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/text.h"

namespace agneto::ui {

namespace {

// Where no locale is set, as in many containers, UTF-8 is what a reader most likely expects.
bool other_than_utf8() {
  const std::string locale = lower(variable({"LC_ALL", "LC_CTYPE", "LANG"}, "utf-8"));
  return locale.find("utf-8") == std::string::npos && locale.find("utf8") == std::string::npos;
}

// In columns and lines; nothing where it is no terminal.
winsize size_of(int descriptor) {
  winsize size{};
  ioctl(descriptor, TIOCGWINSZ, &size);
  return size;
}

}  // namespace

Screen::Style Screen::style_of(std::FILE* file) {
  const bool redraws = isatty(fileno(file)) != 0 && variable({"TERM"}, "dumb") != "dumb";
  return {redraws && variable({"NO_COLOR"}, "").empty(), redraws, other_than_utf8()};
}

std::string variable(std::initializer_list<const char*> names, const char* otherwise) {
  for (const char* name : names) {
    if (const char* value = std::getenv(name); value && *value) return value;
  }
  return otherwise;
}

Screen::~Screen() {
  std::lock_guard lock(mutex_);
  std::string text = status_cleared();
  for (const Line& kept : kept_) text += rendered(kept);
  put(text);
}

void Screen::line(Styled text, std::size_t indent) {
  std::lock_guard lock(mutex_);
  Line line{fit_to_print(std::move(text)), indent};
  if (held_) {
    kept_.push_back(std::move(line));
    return;
  }
  std::string all = status_cleared() + rendered(line);
  put(all + status_drawn());
}

void Screen::status(std::vector<Styled> lines) {
  std::lock_guard lock(mutex_);
  for (Styled& line : lines) line = fit_to_print(std::move(line));
  if (!style_.redraws || lines == status_) return;
  status_ = std::move(lines);
  if (held_) return;
  std::string all = status_cleared();
  put(all + status_drawn());
}

void Screen::hold() {
  std::lock_guard lock(mutex_);
  put(status_cleared());
  held_ = true;
}

void Screen::release() {
  std::lock_guard lock(mutex_);
  held_ = false;
  std::string text;
  for (const Line& kept : kept_) text += rendered(kept);
  kept_.clear();
  put(text + status_drawn());
}

void Screen::write(const Styled& text) {
  std::lock_guard lock(mutex_);
  put(fit_to_print(text).render(style_.colors));
}

void Screen::ring() {
  std::lock_guard lock(mutex_);
  if (style_.redraws) put("\a");
}

Styled Screen::fit_to_print(Styled text) const {
  return style_.ascii ? text.in_ascii() : text;
}

std::size_t Screen::width() const {
  const std::size_t columns = size_of(descriptor()).ws_col;
  return columns > 0 ? columns : 100;
}

std::size_t Screen::height() const {
  const std::size_t lines = size_of(descriptor()).ws_row;
  return lines > 0 ? lines : 40;
}

std::size_t Screen::status_room() const {
  return std::max<std::size_t>(height() / 2, 2);
}

int Screen::descriptor() const {
  return fileno(out_);
}

std::string Screen::rendered(const Line& line) const {
  if (!style_.redraws || line.indent == as_is) {
    return line.text.joined().render(style_.colors) + "\n";
  }
  std::string text;
  for (const Styled& part : line.text.wrapped(width(), line.indent)) {
    text += part.render(style_.colors) + "\n";
  }
  return text;
}

// The cursor is where the status begins, however a terminal of another size now has its lines. That
// may be the first column of the first line, and what tmux is told to clear from there it keeps in
// its scrollback.
std::string Screen::status_cleared() {
  return std::exchange(drawn_, false) ? "\r \x1b[J\r" : "";
}

// The terminal cuts what does not fit: it may be narrower already than it says.
std::string Screen::status_drawn() {
  if (status_.empty()) return "";
  drawn_ = true;
  const std::size_t below = std::min(status_.size(), status_room()) - 1;
  std::string text = "\x1b[?7l";
  for (std::size_t i = status_.size() - 1 - below; i < status_.size(); ++i) {
    text += status_[i].fitted(width() - 1).render(style_.colors);
    if (i + 1 < status_.size()) text += "\n";
  }
  return text + "\x1b[?7h\r" + (below > 0 ? fmt::format("\x1b[{}A", below) : "");
}

void Screen::put(const std::string& text) {
  // Again, for the "…" of a line that was cut to fit.
  const std::string printed = style_.ascii ? ascii_symbols(text) : text;
  std::fwrite(printed.data(), 1, printed.size(), out_);
  std::fflush(out_);
}

}  // namespace agneto::ui
