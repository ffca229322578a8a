// The user's own editor and pager, on the terminal of a question.
#pragma once

#include <functional>
#include <string>

namespace agneto::ui {

// Runs them and waits. They get the terminal as a shell would give it: Ctrl+C is theirs, and
// however they end, the terminal is as it was before.
class Program {
 public:
  // The program is told to end once `ended` returns true.
  Program(int in, int out, std::function<bool()> ended)
      : in_(in), out_(out), ended_(std::move(ended)) {}

  // The text as VISUAL, EDITOR or vi leaves it. Throws Error where that fails. Where the editor was
  // told to end, what it has kept of the person's work stays, and the Error says where.
  std::string edit(const std::string& text, const std::string& file_name) const;
  // Shows a text in PAGER or less. False if that cannot be started.
  bool page(const std::string& text) const;

 private:
  int run(const std::string& command, const std::string& file) const;

  int in_, out_;
  std::function<bool()> ended_;
};

}  // namespace agneto::ui
