#include "workspace/refs.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace agneto::workspace {

namespace {

bool is_trailer(std::string_view line) {
  const std::size_t colon = line.find(": ");
  return colon != std::string_view::npos && colon > 0 &&
         std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](unsigned char c) { return std::isalnum(c) || c == '-'; });
}

// Does the message end in a paragraph (not its first) of nothing but trailers?
bool ends_in_trailers(std::string_view message) {
  const std::size_t paragraph = message.rfind("\n\n");
  if (paragraph == std::string_view::npos) return false;
  const auto lines = split_lines(message.substr(paragraph + 2));
  return std::all_of(lines.begin(), lines.end(), is_trailer);
}

// A file's name has at most 255 bytes; what is longer than `limit` ends in a word of its own.
std::string bounded(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  return std::string(text.substr(0, limit - 17)) + "-" + sha256(text).substr(0, 16);
}

}  // namespace

std::string fork_run(const std::string& run, std::string_view label) {
  std::string name = run + ".";
  for (char c : label) {
    if (c == '#' || c == '[') {
      name += '.';
    } else if (c == '/') {
      name += '+';
    } else if (c != ']') {
      name += c;
    }
  }
  return bounded(name, 180);
}

std::string ref_part(std::string_view label) {
  std::string part;
  for (unsigned char c : bounded(label, 120)) {
    if (c == '/') {
      part += '+';
    } else if (std::isalnum(c) || c == '#' || c == '_' || c == '-') {
      part += static_cast<char>(c);
    } else if (!part.empty() && part.back() != '.') {
      part += '.';  // two in a row, and one at either end, are not legal
    }
  }
  if (part.ends_with('.')) part.pop_back();
  return part;
}

std::string with_trailer(std::string_view message, std::string_view effect) {
  std::string text(trim(printable(valid_utf8(message))));
  if (text.empty()) text = "Work of the agents";
  text += ends_in_trailers(text) ? "\n" : "\n\n";
  return text.append("Agneto-Effect: ").append(effect) + "\n";
}

std::string_view last_word(std::string_view text) {
  text = trim(text);
  const std::size_t space = text.rfind(' ');
  return space == std::string_view::npos ? text : text.substr(space + 1);
}

}  // namespace agneto::workspace
