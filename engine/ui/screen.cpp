#include "ui/screen.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

namespace agneto::ui {

namespace {

// Where no locale is set, as in many containers, UTF-8 is what a reader most likely expects.
bool other_than_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (!value || !*value) continue;
    std::string locale(value);
    for (char& c : locale) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return locale.find("utf-8") == std::string::npos && locale.find("utf8") == std::string::npos;
  }
  return false;
}

}  // namespace

Screen::Style Screen::style_of(std::FILE* file) {
  Style style;
  bool terminal = isatty(fileno(file)) != 0;
  const char* term = std::getenv("TERM");
  bool dumb = !term || std::string_view(term) == "dumb" || std::string_view(term).empty();
  const char* no_color = std::getenv("NO_COLOR");
  style.redraws = terminal && !dumb;
  style.ascii = other_than_utf8();
  style.colors = style.redraws && !(no_color && *no_color);
  return style;
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

Styled Screen::fit_to_print(Styled text) const {
  return style_.ascii ? text.in_ascii() : text;
}

std::size_t Screen::width() const {
  winsize size{};
  if (ioctl(descriptor(), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 100;
}

std::size_t Screen::height() const {
  winsize size{};
  if (ioctl(descriptor(), TIOCGWINSZ, &size) == 0 && size.ws_row > 0) return size.ws_row;
  return 40;
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

// A terminal that became narrower since has wrapped the lines.
std::string Screen::status_cleared() {
  std::size_t columns = width();
  std::size_t rows = 0;
  for (std::size_t drawn : drawn_) {
    rows += std::max<std::size_t>(1, (drawn + columns - 1) / columns);
  }
  drawn_.clear();
  return rows == 0 ? "" : fmt::format("\x1b[{}A\r\x1b[J", rows);
}

std::string Screen::status_drawn() {
  std::string text;
  std::size_t room = std::max<std::size_t>(height(), 2) - 1;
  std::size_t first = status_.size() > room ? status_.size() - room : 0;
  for (std::size_t i = first; i < status_.size(); ++i) {
    Styled line = status_[i].fitted(width() - 1);
    drawn_.push_back(line.width());
    text += line.render(style_.colors) + "\n";
  }
  return text;
}

void Screen::put(const std::string& text) {
  // Again, for the "…" of a line that was cut to fit.
  const std::string printed = style_.ascii ? ascii_symbols(text) : text;
  std::fwrite(printed.data(), 1, printed.size(), out_);
  std::fflush(out_);
}

}  // namespace agneto::ui
