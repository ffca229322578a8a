#include "lint/fix.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"

namespace agneto::lint {

namespace {

// A fix may uncover what can be fixed next; each round makes at least one edit.
constexpr int most_rounds = 20;

std::string key(const fs::path& path) {
  return path.lexically_normal().string();
}

// Of what cannot be read at all.
bool is_syntax(const Rule& rule) {
  return rule.name == "lua-syntax" || (rule.code >= "E101" && rule.code < "E113");
}

// What was corrected so far, over the files themselves.
class Corrected : public Files {
 public:
  Corrected(const Files& files, const Corrections& corrections)
      : files_(files), corrections_(corrections) {}

  std::optional<std::string> read(const fs::path& path) const override {
    const auto found = corrections_.find(key(path));
    return found == corrections_.end() ? files_.read(path) : std::optional(found->second.after);
  }

 private:
  const Files& files_;
  const Corrections& corrections_;
};

std::string step_of(const Diagnostic& diagnostic, const Edit& edit) {
  const Position place = edit.span.position();
  const std::string_view text = edit.span.source->text();
  const std::string was(text.substr(edit.span.begin, edit.span.end - edit.span.begin));
  const std::string what = edit.text.empty() ? fmt::format("removed '{}'", trim(was))
                                             : fmt::format("wrote '{}' for '{}'", edit.text, was);
  return fmt::format("{}:{}:{}: {} [{}]", edit.span.source->path(), place.line, place.column,
                     printable(what), diagnostic.rule->id());
}

// The edits of one file, none over another.
struct Edits {
  const Source* source = nullptr;
  std::vector<const Edit*> edits;

  bool overlaps(const Edit& other) const {
    return std::any_of(edits.begin(), edits.end(), [&](const Edit* edit) {
      return other.span.begin < std::max(edit->span.end, edit->span.begin + 1) &&
             edit->span.begin < std::max(other.span.end, other.span.begin + 1);
    });
  }

  std::string apply() {
    std::sort(edits.begin(), edits.end(),
              [](const Edit* a, const Edit* b) { return a->span.begin < b->span.begin; });
    std::string text;
    std::size_t at = 0;
    for (const Edit* edit : edits) {
      text += source->text().substr(at, edit->span.begin - at) + edit->text;
      at = edit->span.end;
    }
    return text + source->text().substr(at);
  }
};

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
    if (file.overlaps(edit)) continue;
    file.source = edit.span.source;
    file.edits.push_back(&edit);
    steps.push_back(step_of(finding.diagnostic, edit));
  }
  return files;
}

// Does it say that the file is not YAML, or no Lua?
bool unreadable(const Report& report, const std::string& path) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
    const Diagnostic& diagnostic = finding.diagnostic;
    return is_syntax(*diagnostic.rule) && diagnostic.span &&
           key(diagnostic.span.source->path()) == path;
  });
}

}  // namespace

Fixed fix(const std::function<Report(const Files&)>& lint, const Files& files) {
  Fixed result;
  std::set<std::string> refused;
  result.report = lint(files);
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<std::string> steps;
    auto edits = edits_of(result.report, refused, steps);
    if (edits.empty()) break;
    Corrections next = result.files;
    for (auto& [path, of] : edits) {
      const auto known = next.try_emplace(path, Correction{of.source->text(), {}}).first;
      known->second.after = of.apply();
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
  for (const auto& [path, correction] : corrections) {
    if (files.read(path) == correction.before) continue;
    throw Error(fmt::format("'{}' was changed while it was looked at", path),
                "nothing was written; run it again");
  }
  for (const auto& [path, correction] : corrections) write_file(path, correction.after);
}

}  // namespace agneto::lint
