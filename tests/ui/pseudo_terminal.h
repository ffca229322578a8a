// A person's terminal: what they type, and what they see.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace agneto::ui {

// Lines are edited by the terminal as usual, but nothing is echoed and line ends stay "\n".
class PseudoTerminal {
 public:
  explicit PseudoTerminal(unsigned short columns = 80, unsigned short lines = 40) {
    winsize size{lines, columns, 0, 0};
    if (openpty(&person_, &program_, nullptr, nullptr, &size) != 0) {
      throw std::runtime_error("no pseudo-terminal");
    }
    termios settings{};
    tcgetattr(program_, &settings);
    settings.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHOE | ECHOK | ECHOCTL);
    settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);
    tcsetattr(program_, TCSANOW, &settings);
    file_ = fdopen(dup(program_), "w");
  }
  ~PseudoTerminal() {
    std::fclose(file_);
    close(program_);
    close(person_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  int program() const { return program_; }
  std::FILE* file() { return file_; }

  void resize(unsigned short columns, unsigned short lines) {
    winsize size{lines, columns, 0, 0};
    ioctl(person_, TIOCSWINSZ, &size);
  }

  void type(const std::string& text) {
    ASSERT_EQ(write(person_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  // Until the program could read what was typed.
  void arrived() {
    pollfd wait{program_, POLLIN, 0};
    ASSERT_EQ(poll(&wait, 1, patience_ms), 1) << "nothing arrived";
  }

  // Is anything left that the next program would read, entered or not?
  bool has_input() const {
    termios settings{};
    tcgetattr(program_, &settings);
    termios at_once = settings;
    at_once.c_lflag &= ~static_cast<tcflag_t>(ICANON);
    tcsetattr(program_, TCSANOW, &at_once);
    pollfd wait{program_, POLLIN, 0};
    const bool has = poll(&wait, 1, 0) > 0;
    tcsetattr(program_, TCSANOW, &settings);
    return has;
  }

  // What the program has written since the last call, up to and with `text`, for which it waits.
  std::string shows(const std::string& text) {
    while (seen_.find(text) == std::string::npos) {
      pollfd wait{person_, POLLIN, 0};
      char buffer[4096];
      ssize_t got = poll(&wait, 1, patience_ms) == 1 ? read(person_, buffer, sizeof buffer) : 0;
      if (got <= 0) {
        ADD_FAILURE() << "the terminal does not show '" << text << "' but:\n" << seen_;
        return "";
      }
      seen_.append(buffer, static_cast<std::size_t>(got));
    }
    std::size_t end = seen_.find(text) + text.size();
    std::string shown = seen_.substr(0, end);
    seen_.erase(0, end);
    return shown;
  }

  static constexpr int patience_ms = 60'000;  // only a test that fails waits so long

 private:
  int person_ = -1;
  int program_ = -1;
  std::FILE* file_ = nullptr;
  std::string seen_;
};

}  // namespace agneto::ui
