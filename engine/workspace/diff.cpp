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

// Takes raw entries off the front: ":OLDMODE NEWMODE OLD NEW STATUS", the path, and for a rename
// the new path, each with a NUL behind it.
Names take_names(std::string_view& rest) {
  const auto next = [&rest] {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
  };
  Names names;
  while (!rest.empty() && rest[0] == ':') {
    const std::string_view entry = next();
    const char status = entry[entry.rfind(' ') + 1];
    names.files.emplace_back(next());
    if (status == 'R' || status == 'C') names.files.emplace_back(next());
    if (status == 'A' && entry.substr(8, 6) == "160000") {
      names.repositories.push_back(names.files.back());
    }
  }
  return names;
}

}  // namespace

Names changed_names(const Git& git, const std::string& from, const std::string& to) {
  const std::string output = git.text({"diff-tree", "-r", "--raw", "-z", from, to, "--"});
  std::string_view rest = output;
  return take_names(rest);
}

Changes compare(const Git& git, const std::string& from, const std::string& to) {
  // The raw entries, an empty one, the patch.
  const std::string output =
      git.setting("core.bigFileThreshold=1m")
          .text({"diff-tree", "-r", "-M", "--raw", "-p", "-z", "--no-ext-diff", "--no-textconv",
                 "--no-color", from, to, "--"});
  std::string_view rest = output;
  Changes changes;
  changes.files = take_names(rest).files;
  if (!rest.empty() && rest[0] == '\0') rest.remove_prefix(1);
  changes.diff = bounded_diff(rest, diff_limit);
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
