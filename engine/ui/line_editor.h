// Reads lines that a person types, with completion and history where the terminal can do it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agneto::ui {

class LineEditor {
 public:
  // Returns the words that the last word of the text before the cursor can become.
  using Completer = std::function<std::vector<std::string>(std::string_view)>;

  virtual ~LineEditor() = default;
  // Returns a line without its end; nothing at the end of the input.
  virtual std::optional<std::string> read() = 0;
};

// The editor uses standard input and output. It has keys of its own, unless TERM says that the
// terminal is too plain for them. Ctrl+C drops the line.
std::unique_ptr<LineEditor> make_line_editor(const std::string& prompt,
                                             LineEditor::Completer completer);

}  // namespace agneto::ui
