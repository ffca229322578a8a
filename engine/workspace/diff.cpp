#include "workspace/diff.h"

#include <fmt/format.h>

#include <algorithm>

namespace agneto::workspace {

namespace {

// Splits a diff into those of its files; each begins with a line "diff --git …".
std::vector<std::string_view> by_file(std::string_view diff) {
  std::vector<std::string_view> files;
  while (!diff.empty()) {
    const std::size_t next = diff.find("\ndiff --git ");
    const std::size_t size = next == std::string_view::npos ? diff.size() : next + 1;
    files.push_back(diff.substr(0, size));
    diff.remove_prefix(size);
  }
  return files;
}

// Whole lines from the start of `text`, at most `limit` bytes.
std::string_view whole_lines(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  const std::size_t end = text.substr(0, limit).rfind('\n');
  return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

// Raw entries are ":OLDMODE NEWMODE OLD NEW STATUS", the path, and for a rename the new path, each
// with a NUL behind it.
Names names_in(std::string_view raw) {
  const std::vector<std::string> parts = split(raw, '\0');
  Names names;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view entry = parts[i];
    const char status = entry[entry.rfind(' ') + 1];
    names.files.push_back(parts.at(++i));
    if (status == 'R' || status == 'C') names.files.push_back(parts.at(++i));
    if (status == 'A' && entry.substr(8, 6) == "160000") {
      names.repositories.push_back(names.files.back());
    }
  }
  return names;
}

}  // namespace

Names changed_names(const Git& git, const std::string& from, const std::string& to) {
  return names_in(
      git.text({"diff-tree", "-r", "--raw", "-z", "--ignore-submodules=none", from, to, "--"}));
}

Changes compare(const Git& git, const std::string& from, const std::string& to) {
  // The raw entries, an empty one (and no path is empty), the patch.
  const std::string output =
      git.setting("core.bigFileThreshold=16m")
          .text({"diff-tree", "-r", "-M", "--raw", "-p", "-z", "--no-ext-diff", "--no-textconv",
                 "--no-color", "--ignore-submodules=none", from, to, "--"});
  const std::string_view text = output;
  const std::size_t end = text.find(std::string(2, '\0'));
  Changes changes;
  changes.files = names_in(text.substr(0, end)).files;
  if (end != text.npos) changes.diff = bounded_diff(text.substr(end + 2), diff_limit);
  if (!changes.diff.empty() && changes.diff.back() != '\n') changes.diff += '\n';
  return changes;
}

std::string bounded_diff(std::string_view diff, std::size_t limit) {
  if (diff.size() <= limit) return valid_utf8(diff);
  const std::vector<std::string_view> files = by_file(diff);
  std::string result;
  std::size_t room = limit, unnamed = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::string_view shown = whole_lines(files[i], room / (files.size() - i));
    if (shown.empty()) shown = whole_lines(files[i], std::min(room, files[i].find('\n') + 1));
    if (shown.empty()) {
      ++unnamed;
      continue;
    }
    result += shown;
    if (!shown.ends_with('\n')) result += '\n';
    room -= shown.size();
    if (shown.size() < files[i].size()) {
      result += fmt::format("[{} more bytes of this file's diff are not shown]\n",
                            files[i].size() - shown.size());
    }
  }
  result += fmt::format("[this diff of {} files has {} bytes and is cut to about {}", files.size(),
                        diff.size(), limit);
  if (unnamed > 0) result += fmt::format("; {} files are not shown at all", unnamed);
  return valid_utf8(result + "]\n");
}

}  // namespace agneto::workspace
