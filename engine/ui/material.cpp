#include "ui/material.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "base/text.h"

namespace agneto::ui {
namespace {

constexpr std::size_t margin = 2;

// ---- Diffs

bool starts_diff(std::string_view line) {
  return line.starts_with("diff --git ");
}

// Can the line belong to the diff that began before it?
bool in_diff(std::string_view line) {
  if (line.empty()) return true;
  for (std::string_view start :
       {"diff ", "index ", "--- ", "+++ ", "@@", "+", "-", " ", "\\", "new file", "deleted file",
        "similarity ", "dissimilarity ", "rename ", "copy ", "old mode", "new mode", "Binary ",
        "GIT binary"}) {
    if (line.starts_with(start)) return true;
  }
  return false;
}

struct ChangedFile {
  std::string name;
  std::string note;
  int added = 0, removed = 0;
};

// "diff --git a/NAME b/NAME" -> NAME; a name with odd characters is in quotes.
std::string name_of(std::string_view line) {
  auto names = line.substr(std::string_view("diff --git ").size());
  auto second = names.substr(names.size() / 2);
  for (std::string_view start : {" b/", " \"b/"}) {
    if (!second.starts_with(start)) continue;
    second.remove_prefix(start.size());
    if (second.ends_with('"')) second.remove_suffix(1);
    return std::string(second);
  }
  return std::string(names);
}

std::vector<ChangedFile> changed_files(const std::vector<std::string_view>& lines) {
  std::vector<ChangedFile> files;
  bool hunk = false;
  for (auto line : lines) {
    if (starts_diff(line)) {
      files.push_back({name_of(line), "", 0, 0});
      hunk = false;
    } else if (files.empty()) {
      continue;
    } else if (line.starts_with("@@")) {
      hunk = true;
    } else if (hunk && line.starts_with("+")) {
      ++files.back().added;
    } else if (hunk && line.starts_with("-")) {
      ++files.back().removed;
    } else if (line.starts_with("new file")) {
      files.back().note = "new";
    } else if (line.starts_with("deleted file")) {
      files.back().note = "deleted";
    } else if (line.starts_with("rename from ")) {
      files.back().note = "was " + std::string(line.substr(12));
    } else if (line.starts_with("rename to ")) {
      files.back().name = line.substr(10);
    } else if (line.starts_with("Binary ") || line.starts_with("GIT binary")) {
      files.back().note = "binary";
    }
  }
  return files;
}

Styled counts(int added, int removed) {
  return Styled(Color::green, fmt::format("+{}", added)) + " " +
         Styled(Color::red, fmt::format("-{}", removed));
}

std::vector<Styled> diff_summary(const std::vector<std::string_view>& diff, std::size_t width) {
  auto files = changed_files(diff);
  std::size_t column = 0;
  int added = 0, removed = 0;
  for (const auto& file : files) {
    column = std::max(column, display_width(file.name));
    added += file.added;
    removed += file.removed;
  }
  column = std::min(column, std::max<std::size_t>(width, 40) - 20);
  std::vector<Styled> lines;
  for (const auto& file : files) {
    Styled line = Styled(std::string(margin, ' ')) + Styled(file.name).fitted(column);
    std::size_t used = std::min(display_width(file.name), column);
    line += std::string(column - used + 2, ' ') + counts(file.added, file.removed);
    if (!file.note.empty()) line.add(Color::dim, "  (" + file.note + ")");
    lines.push_back(line.fitted(width));
  }
  if (files.size() > 1) {
    lines.push_back(Styled(fmt::format("  {} files  ", files.size())) + counts(added, removed));
  }
  return lines;
}

// ---- Markdown

// The fence that the line opens or closes: "```" and longer, or tildes.
std::string_view fence_of(std::string_view line) {
  line = trim(line);
  auto length = std::min(line.find_first_not_of(line.starts_with('~') ? '~' : '`'), line.size());
  return length >= 3 ? line.substr(0, length) : std::string_view();
}

bool closes(std::string_view line, std::string_view fence) {
  return !fence.empty() && trim(line).find_first_not_of(fence.front()) == std::string_view::npos &&
         trim(line).size() >= fence.size();
}

// "## Title" -> "Title", where the line is a heading.
std::string_view heading(std::string_view line) {
  auto level = line.find_first_not_of('#');
  bool is = level != std::string_view::npos && level >= 1 && level <= 6 && line[level] == ' ';
  return is ? trim(line.substr(level)) : std::string_view();
}

// Where the text of the line begins, after its spaces and the mark of a list.
std::size_t text_column(std::string_view line) {
  auto at = std::min(line.find_first_not_of(' '), line.size());
  auto mark = at;
  while (mark < line.size() && std::isdigit(static_cast<unsigned char>(line[mark]))) ++mark;
  bool number = mark > at && mark < line.size() && (line[mark] == '.' || line[mark] == ')');
  bool bullet = mark == at && mark < line.size() && (line[mark] == '-' || line[mark] == '*');
  if ((number || bullet) && mark + 1 < line.size() && line[mark + 1] == ' ') return mark + 2;
  return at;
}

}  // namespace

std::vector<Styled> summarise(std::string_view material, std::size_t width, std::size_t height) {
  std::string clean = printable(material);
  clean.erase(0, clean.find_first_not_of("\n"));
  auto source = split_lines(std::string_view(clean).substr(0, clean.find_last_not_of(" \t\n") + 1));
  const std::string space(margin, ' ');
  std::vector<Styled> result;
  auto show = [&](std::vector<Styled> lines) {
    std::move(lines.begin(), lines.end(), std::back_inserter(result));
  };
  std::string_view fence;
  for (std::size_t i = 0; i < source.size(); ++i) {
    std::string_view line = source[i];
    if (starts_diff(line)) {
      std::size_t end = i;
      while (end < source.size() && in_diff(source[end])) ++end;
      auto from = source.begin();
      show(diff_summary(
          {from + static_cast<std::ptrdiff_t>(i), from + static_cast<std::ptrdiff_t>(end)}, width));
      i = end - 1;
    } else if (!fence.empty()) {
      if (closes(line, fence)) {
        fence = {};
      } else {
        Styled code(Color::dim, "│ ");
        show((Styled(space) + code.add(Color::cyan, line)).wrapped(width, margin + 2));
      }
    } else if (auto opened = fence_of(line); !opened.empty()) {
      fence = opened;
    } else if (auto title = heading(line); !title.empty()) {
      show((Styled(space) + Styled(Color::bold, title)).wrapped(width, margin));
    } else {
      show(Styled(space + std::string(line)).wrapped(width, margin + text_column(line)));
    }
  }
  if (result.size() > height) {
    const std::size_t kept = std::max<std::size_t>(height, 1) - 1;
    const std::size_t more = result.size() - kept;
    result.resize(kept);
    result.push_back({Color::dim, fmt::format("{}… {} more lines", space, more)});
  }
  return result;
}

Styled coloured_diff(std::string_view diff) {
  Styled text;
  bool hunk = false;
  for (auto line : split_lines(diff)) {
    hunk = line.starts_with("@@") || (hunk && !starts_diff(line));
    Color color = line.starts_with("@@")  ? Color::cyan
                  : !hunk                 ? Color::bold
                  : line.starts_with("+") ? Color::green
                  : line.starts_with("-") ? Color::red
                                          : Color::none;
    text.add(color, line).add(Color::none, "\n");
  }
  return text;
}

}  // namespace agneto::ui
