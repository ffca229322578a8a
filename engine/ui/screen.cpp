#include "ui/screen.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace agneto::ui {
namespace {

const char* code_of(Color color) {
  switch (color) {
    case Color::none:
      return "0";
    case Color::dim:
      return "2";
    case Color::bold:
      return "1";
    case Color::red:
      return "31";
    case Color::green:
      return "32";
    case Color::yellow:
      return "33";
    case Color::blue:
      return "34";
    case Color::magenta:
      return "35";
    case Color::cyan:
      return "36";
  }
  return "0";
}

}  // namespace

Screen::Style Screen::style_of(std::FILE* file) {
  Style style;
  bool terminal = isatty(fileno(file)) != 0;
  const char* term = std::getenv("TERM");
  bool dumb = !term || std::string_view(term) == "dumb" || std::string_view(term).empty();
  const char* no_color = std::getenv("NO_COLOR");
  style.redraws = terminal && !dumb;
  style.colors = style.redraws && !(no_color && *no_color);
  return style;
}

Screen::~Screen() {
  std::lock_guard lock(mutex_);
  clear_status();
  for (const auto& kept : kept_) fmt::print(out_, "{}\n", kept);
  std::fflush(out_);
}

void Screen::line(std::string_view text) {
  std::lock_guard lock(mutex_);
  if (held_) {
    kept_.emplace_back(text);
    return;
  }
  clear_status();
  fmt::print(out_, "{}\n", text);
  draw_status();
  std::fflush(out_);
}

void Screen::status(std::vector<std::string> lines) {
  std::lock_guard lock(mutex_);
  if (!style_.redraws || (lines == status_ && drawn_ == lines.size())) return;
  status_ = std::move(lines);
  if (held_) return;
  clear_status();
  draw_status();
  std::fflush(out_);
}

void Screen::hold() {
  std::lock_guard lock(mutex_);
  clear_status();
  held_ = true;
  std::fflush(out_);
}

void Screen::release() {
  std::lock_guard lock(mutex_);
  held_ = false;
  for (const auto& kept : kept_) fmt::print(out_, "{}\n", kept);
  kept_.clear();
  draw_status();
  std::fflush(out_);
}

void Screen::write(std::string_view text) {
  std::lock_guard lock(mutex_);
  fmt::print(out_, "{}", text);
  std::fflush(out_);
}

std::string Screen::paint(Color color, std::string_view text) const {
  if (!style_.colors || color == Color::none) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(color), text);
}

int Screen::width() const {
  winsize size{};
  if (ioctl(fileno(out_), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 100;
}

void Screen::clear_status() {
  if (drawn_ == 0) return;
  fmt::print(out_, "\x1b[{}A\x1b[J", drawn_);
  drawn_ = 0;
}

void Screen::draw_status() {
  if (held_ || !style_.redraws) return;
  for (const auto& text : status_) fmt::print(out_, "{}\x1b[K\n", text);
  drawn_ = status_.size();
}

}  // namespace agneto::ui
