#include "ui/json_lines.h"

namespace agneto::ui {
namespace {

// JSON leaves DEL and the second set of control characters (U+0080 to U+009F) as they are; a
// terminal would obey them.
std::string without_controls(const std::string& json) {
  std::string text;
  text.reserve(json.size() + 1);
  for (std::size_t i = 0; i < json.size(); ++i) {
    auto next = i + 1 < json.size() ? static_cast<unsigned char>(json[i + 1]) : 0;
    if (json[i] == '\x7f') {
      text += "\\u007f";
    } else if (json[i] == '\xC2' && next >= 0x80 && next <= 0x9F) {
      text += next < 0x90 ? "\\u008" : "\\u009";
      text += "0123456789abcdef"[next & 0xF];
      ++i;
    } else {
      text += json[i];
    }
  }
  return text;
}

}  // namespace

std::string to_line(const Json& json) {
  return without_controls(to_text(json)) + '\n';
}

void JsonLines::event(const record::RunEvent& event) {
  std::string line = to_line(record::to_json(event));
  std::fwrite(line.data(), 1, line.size(), out_);
  std::fflush(out_);
}

}  // namespace agneto::ui
