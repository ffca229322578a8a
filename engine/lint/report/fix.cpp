#include "lint/report/fix.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "script/rules.h"

namespace agneto::lint {

namespace {

// A fix may uncover what can be fixed next; each round makes at least one edit.
constexpr int most_rounds = 20;

std::string key(const fs::path& path) {
  return path.lexically_normal().string();
}

// Does the rule speak of a file that cannot be read at all?
bool is_syntax(const Rule& rule) {
  return &rule == &rules::lua_syntax || (rule.code >= "E101" && rule.code < "E113");
}

// Shows what was corrected so far, and else the files themselves.
class Corrected : public FilesOver {
 public:
  Corrected(const Files& files, const Corrections& corrections)
      : FilesOver(files), corrections_(corrections) {}

  std::optional<std::string> read(const fs::path& path) const override {
    const auto found = corrections_.find(key(path));
    return found == corrections_.end() ? FilesOver::read(path) : std::optional(found->second.after);
  }

 private:
  const Corrections& corrections_;
};

std::string step_of(const Diagnostic& diagnostic, const Edit& edit) {
  const Position place = edit.span.position();
  const std::string_view text = edit.span.source->text();
  const std::string was(text.substr(edit.span.begin, edit.span.end - edit.span.begin));
  const auto lines = 1 + std::ranges::count(edit.text, '\n');
  const std::string what = lines > 1 ? fmt::format("indented {} lines anew", lines)
                                     : fmt::format("wrote '{}' for '{}'", edit.text, was);
  return fmt::format("{}:{}:{}: {} [{}]", edit.span.source->path(), place.line, place.column,
                     printable(what), diagnostic.rule->id());
}

using Edits = std::vector<const Edit*>;  // of one file, none over another

bool overlaps(const Edits& edits, const Edit& other) {
  return std::ranges::any_of(edits, [&](const Edit* edit) {
    return other.span.begin < std::max(edit->span.end, edit->span.begin + 1) &&
           edit->span.begin < std::max(other.span.end, other.span.begin + 1);
  });
}

std::string apply(Edits edits, const std::string& before) {
  std::ranges::sort(edits, {}, [](const Edit* edit) { return edit->span.begin; });
  std::string text;
  std::size_t at = 0;
  for (const Edit* edit : edits) {
    text += before.substr(at, edit->span.begin - at) + edit->text;
    at = edit->span.end;
  }
  return text + before.substr(at);
}

// The edits of a report's findings, but of these files; what they do is appended to `steps`.
std::map<std::string, Edits> edits_of(const Report& report, const std::set<std::string>& without,
                                      std::vector<std::string>& steps) {
  std::map<std::string, Edits> files;
  for (const Finding& finding : report.findings) {
    if (finding.suppressed || !finding.diagnostic.fix) continue;
    const Edit& edit = *finding.diagnostic.fix;
    const std::string path = key(edit.span.source->path());
    if (without.contains(path)) continue;
    Edits& file = files[path];
    if (overlaps(file, edit)) continue;
    file.push_back(&edit);
    steps.push_back(step_of(finding.diagnostic, edit));
  }
  return files;
}

// Does it say that the file is not YAML, or no Lua?
bool unreadable(const Report& report, const std::string& path) {
  return std::ranges::any_of(report.findings, [&](const Finding& finding) {
    const Diagnostic& diagnostic = finding.diagnostic;
    return is_syntax(*diagnostic.rule) && diagnostic.span &&
           key(diagnostic.span.source->path()) == path;
  });
}

// Is the file, or the folder in which the new one takes its place? For those who may write
// everything, a file is that nobody is to write.
bool is_read_only(const fs::path& path) {
  std::error_code gone;
  const fs::path target = fs::weakly_canonical(path, gone);
  struct stat status {};
  const bool is_writable = ::stat(target.c_str(), &status) == 0 && (status.st_mode & 0222) != 0 &&
                           ::access(target.c_str(), W_OK) == 0 &&
                           ::access(target.parent_path().c_str(), W_OK) == 0;
  return !is_writable;
}

}  // namespace

Fixed fix(const std::function<Report(const Files&)>& lint, const Files& files) {
  Fixed result;
  std::set<std::string> refused;
  result.report = lint(files);
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<std::string> steps;
    const auto edits = edits_of(result.report, refused, steps);
    if (edits.empty()) break;
    Corrections next = result.files;
    for (const auto& [path, of] : edits) {
      const std::string& before = of.front()->span.source->text();
      next.try_emplace(path, Correction{before, {}}).first->second.after = apply(of, before);
    }
    Report report = lint(Corrected(files, next));
    bool spoilt = false;
    for (const auto& [path, of] : edits) {
      if (!unreadable(report, path) || unreadable(result.report, path)) continue;
      refused.insert(path);
      spoilt = true;
    }
    if (spoilt) continue;
    result.files = std::move(next);
    result.report = std::move(report);
    result.steps.insert(result.steps.end(), steps.begin(), steps.end());
  }
  return result;
}

void write(const Corrections& corrections, const Files& files) {
  std::vector<std::string> left;
  std::vector<std::string> read_only;
  for (const auto& [path, correction] : corrections) {
    if (files.read(path) != correction.before) {
      throw Error(fmt::format("'{}' was changed while it was looked at", path),
                  "nothing was written; run it again");
    }
    left.push_back(fmt::format("'{}'", path));
    if (is_read_only(path)) read_only.push_back(left.back());
  }
  if (!read_only.empty()) {
    throw Error(
        fmt::format("cannot write {}: read-only, or in a folder that is", join(read_only, ", ")),
        "nothing was written; make that writable, or name the other files alone");
  }
  std::vector<std::string> written;
  for (const auto& [path, correction] : corrections) {
    try {
      write_file(path, correction.after);
    } catch (const Error& error) {
      std::string help = error.help().empty() ? "" : error.help() + "; ";
      help += "not written: " + join(left, ", ");
      if (!written.empty()) help += "; written before: " + join(written, ", ");
      throw Error(error.what(), help, error.status());
    }
    written.push_back(left.front());
    left.erase(left.begin());
  }
}

}  // namespace agneto::lint
