#include "agents/attached.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "model/machine.h"

namespace agneto::agents {

namespace {

constexpr std::size_t most_files = 200;
constexpr std::uintmax_t most_bytes = 1u << 20;  // of text, of all of them

bool has_wildcard(std::string_view text) {
  return text.find_first_of("*?[") != text.npos;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) entries.push_back(entry.path());
  std::ranges::sort(entries);
  return entries;
}

bool is_folder(const fs::path& path) {
  std::error_code none;
  return fs::is_directory(fs::symlink_status(path, none));
}

// The names in a pattern; `**` at its end is all that is below, and is as good once as twice.
std::vector<std::string> parts_of(const fs::path& pattern) {
  std::vector<std::string> parts;
  for (const fs::path& part : pattern) {
    if (part != "**" || parts.empty() || parts.back() != "**") parts.push_back(part.string());
  }
  if (!parts.empty() && parts.back() == "**") parts.emplace_back("*");
  return parts;
}

// Finds what one pattern names, looking at each folder once.
class Search {
 public:
  Search(const fs::path& pattern, const std::stop_token& stop)
      : parts_(parts_of(pattern)), stop_(stop) {}

  std::set<fs::path> in(const fs::path& folder) {
    look(folder, 0);
    return std::move(found_);
  }

 private:
  void look(const fs::path& folder, std::size_t at) {
    const bool is_over = found_.size() > most_files || stop_.stop_requested();
    if (at == parts_.size() || is_over || !seen_.emplace(folder, at).second) return;
    const std::string& part = parts_[at];
    if (part == "**") {
      look(folder, at + 1);
      for (const fs::path& entry : entries_of(folder)) {
        if (is_folder(entry) && entry.filename() != ".git") look(entry, at);
      }
    } else if (!has_wildcard(part)) {
      take(folder / part, at);
    } else {
      for (const fs::path& entry : entries_of(folder)) {
        if (::fnmatch(part.c_str(), entry.filename().c_str(), FNM_PERIOD) == 0) take(entry, at);
      }
    }
  }

  void take(const fs::path& path, std::size_t at) {
    std::error_code none;
    if (at + 1 < parts_.size()) return look(path, at + 1);
    if (fs::is_regular_file(path, none)) found_.insert(path);
  }

  const std::vector<std::string> parts_;
  const std::stop_token& stop_;
  std::set<std::pair<fs::path, std::size_t>> seen_;
  std::set<fs::path> found_;
};

// As a line of Markdown shows it, whatever is in it.
std::string shown(const std::string& path) {
  std::string text = printable(path);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '`') c = '?';
  }
  return text;
}

// Does it begin as text does?
bool begins_as_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string begin(4096, '\0');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(stream.gcount()));
  return begin.find('\0') == begin.npos;
}

bool is_text(const std::string& text) {
  return text.find('\0') == text.npos && valid_utf8(text) == text;
}

// A fence that nothing in the text can end.
std::string fenced(const std::string& text) {
  std::size_t longest = 2;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of('`', i), text.size());
    longest = std::max(longest, end - i);
    i = end + 1;
  }
  const std::string fence(longest + 1, '`');
  return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence;
}

}  // namespace

Attachments attach(const fs::path& folder, const std::vector<std::string>& patterns,
                   const std::stop_token& stop) {
  Attachments all;
  std::set<fs::path> known;
  std::uintmax_t bytes = 0;
  const fs::path root = fs::weakly_canonical(folder);
  for (const std::string& pattern : patterns) {
    const fs::path path = fs::path(pattern).lexically_normal();
    const bool leads_out = model::leads_out(path);
    const auto found = leads_out ? std::set<fs::path>() : Search(path, stop).in(folder);
    if (leads_out) all.problem = fmt::format("the file '{}' is not in the worktree", pattern);
    if (found.empty() && !leads_out) all.unmatched.push_back(pattern);
    if (found.empty() && !leads_out && !has_wildcard(pattern)) {
      all.problem = fmt::format("there is no file '{}'", pattern);
    }
    for (const fs::path& file : found) {
      if (!known.insert(file).second) continue;
      AttachedFile& one = all.files.emplace_back();
      one.path = file.lexically_relative(folder).string();
      if (!is_within(fs::weakly_canonical(file), root)) {
        all.problem = fmt::format("the file '{}' is not in the worktree", one.path);
        break;
      }
      std::error_code none;
      const std::uintmax_t size = fs::file_size(file, none);
      if (!none && size > most_bytes && begins_as_text(file)) bytes += size;
      auto text = none || size > most_bytes ? std::nullopt : Disk().read(file);
      if (!text || !is_text(*text)) continue;
      bytes += text->size();
      one.text = std::move(text);
    }
    if (!all.problem.empty()) return all;
    if (known.size() > most_files || bytes > most_bytes) {
      all.problem = fmt::format("'{}' is more than {} files or {} MB of text", pattern, most_files,
                                most_bytes >> 20);
      return all;
    }
  }
  return all;
}

std::string section_of(const std::vector<AttachedFile>& files) {
  if (files.empty()) return {};
  std::string section = "## Files";
  for (const AttachedFile& file : files) {
    section += "\n\n`" + shown(file.path) + "`";
    section += file.text ? "\n\n" + fenced(*file.text) : ", which is no text: open it to see it";
  }
  return section;
}

}  // namespace agneto::agents
