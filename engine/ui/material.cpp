#include "ui/material.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"

namespace agneto::ui {
namespace {

std::string summarise_diff(const std::vector<std::string_view>& lines, const Screen& screen) {
  struct File {
    std::string name;
    int added = 0, removed = 0;
  };
  std::vector<File> files;
  for (auto line : lines) {
    if (line.starts_with("diff --git ")) {
      auto name =
          line.substr(line.rfind(" b/") == std::string_view::npos ? 11 : line.rfind(" b/") + 3);
      files.push_back({std::string(name)});
    } else if (!files.empty() && line.starts_with("+") && !line.starts_with("+++")) {
      ++files.back().added;
    } else if (!files.empty() && line.starts_with("-") && !line.starts_with("---")) {
      ++files.back().removed;
    }
  }
  std::string text;
  for (const auto& file : files) {
    text += fmt::format("  {}  {} {}\n", file.name,
                        screen.paint(Color::green, fmt::format("+{}", file.added)),
                        screen.paint(Color::red, fmt::format("-{}", file.removed)));
  }
  return text;
}

std::string render_line(std::string_view line, bool code, const Screen& screen) {
  if (code) return screen.paint(Color::dim, line);
  if (line.starts_with("#")) {
    auto title = line.substr(line.find_first_not_of('#'));
    return screen.paint(Color::bold, trim(title));
  }
  return std::string(line);
}

}  // namespace

Material summarise(std::string_view material, const Screen& screen, int limit) {
  std::string clean = printable(trim(material));
  auto lines = split_lines(clean);
  Material result;
  std::size_t diff = 0;
  while (diff < lines.size() && !lines[diff].starts_with("diff --git ")) ++diff;
  bool has_diff = diff < lines.size();
  std::vector<std::string_view> tail(lines.begin() + static_cast<std::ptrdiff_t>(diff),
                                     lines.end());
  lines.resize(diff);
  bool code = false;
  int shown = 0;
  for (auto line : lines) {
    if (shown == limit) {
      result.cut = true;
      break;
    }
    bool fence = trim(line).starts_with("```");
    if (fence) code = !code;
    if (!fence) {
      result.text += "  " + render_line(line, code, screen) + "\n";
      ++shown;
    }
  }
  if (has_diff) {
    result.text += summarise_diff(tail, screen);
    result.cut = true;
  }
  return result;
}

}  // namespace agneto::ui
