#include "ui/line_editor.h"

#include <histedit.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "ui/screen.h"

namespace agneto::ui {
namespace {

class PlainEditor : public LineEditor {
 public:
  explicit PlainEditor(std::string prompt) : prompt_(std::move(prompt)) {}

  std::optional<std::string> read() override {
    std::cout << prompt_ << std::flush;
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    return line;
  }

 private:
  std::string prompt_;
};

std::string common_start(const std::vector<std::string>& words) {
  std::string start = words.front();
  for (const auto& word : words) {
    const auto [at, other] = std::mismatch(start.begin(), start.end(), word.begin(), word.end());
    start.erase(at, start.end());
  }
  return start;
}

// While it lives Ctrl+C ends no more than a read.
class Interruptible {
 public:
  Interruptible() {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    sigaction(SIGINT, &action, &former_);
  }
  ~Interruptible() { sigaction(SIGINT, &former_, nullptr); }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  struct sigaction former_ {};
};

class KeyEditor : public LineEditor {
 public:
  KeyEditor(std::string prompt, Completer completer)
      : prompt_(std::move(prompt)), completer_(std::move(completer)) {
    std::setlocale(LC_CTYPE, "");
    editor_ = el_init("agneto", stdin, stdout, stderr);
    el_set(editor_, EL_CLIENTDATA, this);
    el_set(
        editor_, EL_PROMPT, +[](EditLine* editor) {
          return const_cast<char*>(self(editor)->prompt_.c_str());  // is not written to
        });
    el_set(editor_, EL_EDITOR, "emacs");
    el_set(editor_, EL_SIGNAL, 1);  // Ctrl+Z and a change of the window's size
    el_set(
        editor_, EL_ADDFN, "complete", "Complete the word",
        +[](EditLine* editor, int) { return self(editor)->complete(); });
    el_set(editor_, EL_BIND, "^I", "complete", nullptr);
    history_ = history_init();
    HistEvent event;
    history(history_, &event, H_SETSIZE, 1000);
    el_set(editor_, EL_HIST, history, history_);
  }

  ~KeyEditor() override {
    history_end(history_);
    el_end(editor_);
  }

  std::optional<std::string> read() override {
    const Interruptible until_read;
    for (;;) {
      int count = 0;
      errno = 0;
      const char* text = el_gets(editor_, &count);
      if (text && count > 0) {
        std::string line(text, static_cast<std::size_t>(count));
        while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
        HistEvent event;
        if (!line.empty()) history(history_, &event, H_ENTER, line.c_str());
        return line;
      }
      std::cout << std::endl;
      if (errno != EINTR) return std::nullopt;
      el_reset(editor_);
    }
  }

 private:
  static KeyEditor* self(EditLine* editor) {
    KeyEditor* editor_of = nullptr;
    el_get(editor, EL_CLIENTDATA, &editor_of);
    return editor_of;
  }

  unsigned char complete() {
    const LineInfo* line = el_line(editor_);
    const std::string_view before(line->buffer,
                                  static_cast<std::size_t>(line->cursor - line->buffer));
    const std::vector<std::string> words = completer_(before);
    if (words.empty()) return CC_ERROR;
    const std::size_t typed = before.size() - (before.find_last_of(" \t") + 1);
    std::string more = common_start(words).substr(typed);
    if (words.size() == 1) more += ' ';
    if (!more.empty()) return el_insertstr(editor_, more.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    std::cout << '\n';
    for (const auto& word : words) std::cout << "  " << word << '\n';
    std::cout << std::flush;
    return CC_REDISPLAY;
  }

  std::string prompt_;
  Completer completer_;
  EditLine* editor_;
  History* history_;
};

}  // namespace

std::unique_ptr<LineEditor> make_line_editor(const std::string& prompt,
                                             LineEditor::Completer completer) {
  if (variable({"TERM"}, "dumb") == "dumb") return std::make_unique<PlainEditor>(prompt);
  return std::make_unique<KeyEditor>(prompt, std::move(completer));
}

}  // namespace agneto::ui
