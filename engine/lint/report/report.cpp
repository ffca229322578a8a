#include "lint/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <set>
#include <thread>
#include <tuple>

#include "lint/catalogue.h"
#include "lint/report/rules.h"
#include "lint/report/suppression.h"
#include "lint/shell/rules.h"

namespace agneto::lint {

namespace {

// Calls `each` with 0 to count - 1 from as many threads as there are processors, or fewer. What one
// call throws is thrown once all have ended.
template <typename Each>
void in_parallel(std::size_t count, Each each) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> thrown(count);
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        each(i);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
    }
  };
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < std::min(count, processors); ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& error : thrown) {
    if (error) std::rethrow_exception(error);
  }
}

std::string path_of(const Span& span) {
  return span ? span.source->path() : std::string();
}

// Was it found by `check_modules`, which is done again for all workflows together?
bool is_of_modules(const Diagnostic& diagnostic, const Findings& findings) {
  const LintRule* one = find_lint_rule(*diagnostic.rule);
  if (!one) return false;
  return std::holds_alternative<ModuleCheck>(one->check) ||
         (std::holds_alternative<TypedCheck>(one->check) &&
          std::ranges::any_of(findings.modules, [&](const auto& module) {
            return module->source->path() == path_of(diagnostic.span);
          }));
}

// What is left of a suppression: its author's words.
std::string plain_comment(const Suppression& suppression) {
  return (suppression.span.text().starts_with('#') ? "# " : "-- ") + suppression.reason;
}

// Findings of one file, however many workflows it is a part of.
class Merger {
 public:
  explicit Merger(const Policy& policy) : policy_(policy) {}

  void add(const Findings& findings) {
    for (Diagnostic diagnostic : findings.diagnostics.sorted()) {
      if (is_of_modules(diagnostic, findings)) continue;
      const model::Machine* above = extending(diagnostic.span.source, findings);
      add(std::move(diagnostic), above);
    }
    if (!findings.diagnostics.has_errors()) note_files(findings);
    if (!findings.draft) return add_configuration(findings);
    for (const model::Machine& machine : findings.draft->machines) {
      for (const SourcePtr& source : machine.sources) {
        if (!read(source, findings) || !files_.insert(source->path()).second) continue;
        Diagnostics wrong;
        add_suppressions(suppressions(machine, source, policy_.team().get(), wrong), wrong,
                         source->path());
      }
    }
    for (const auto& module : findings.modules) {
      const SourcePtr& source = module->source;
      note_checked(*source, findings);
      if (!modules_.insert(source->path()).second) continue;
      Diagnostics wrong;
      add_suppressions(suppressions(source, policy_.team().get(), wrong), wrong, source->path());
    }
  }

  void finish(Report& report) {
    Diagnostics of_modules;
    check_modules(report.keep, policy_.parameters(), of_modules);
    for (const Diagnostic& diagnostic : of_modules.sorted()) add(diagnostic);
    for (std::size_t i = 0; i < findings_.size(); ++i) suppress(findings_[i], above_[i]);
    report_unused();
    for (const Findings& findings : report.keep) {
      for (const CutShort& one : findings.cut_short) {
        if (std::ranges::count(report.cut_short, one.file, &CutShort::file) > 0) continue;
        report.cut_short.push_back(one);
      }
    }
    std::ranges::stable_sort(findings_, [](const Finding& a, const Finding& b) {
      return comes_before(a.diagnostic, b.diagnostic);
    });
    for (const Finding& finding : findings_) {
      if (finding.suppressed) {
        ++report.suppressed;
      } else {
        ++(finding.diagnostic.severity == Severity::error ? report.errors : report.warnings);
      }
    }
    keep_told(findings_, [](Finding& finding) -> Diagnostic& { return finding.diagnostic; });
    report.findings = std::move(findings_);
    report.files.assign(files_.begin(), files_.end());
  }

 private:
  struct Used {
    Suppression suppression;
    std::set<const Rule*> rules;
  };

  void add_configuration(const Findings& findings) {
    for (const SourcePtr& source : findings.sources) {
      const std::string& path = source->path();
      if (!files_.insert(path).second) continue;
      Diagnostics wrong;
      add_suppressions(suppressions_in_configuration(source, policy_.team().get(), wrong), wrong,
                       path);
    }
  }

  void add_suppressions(std::vector<Suppression> all, const Diagnostics& wrong,
                        const std::string& path) {
    for (Suppression& one : all) suppressions_[{path, one.line}].push_back({std::move(one), {}});
    for (const Diagnostic& diagnostic : wrong.sorted()) add(diagnostic);
  }

  void note_checked(const Source& source, const Findings& findings) {
    checked_.insert(source.path());
    if (!findings.explored_whole) explored_in_part_.insert(source.path());
    if (findings.shell_checked) shell_checked_.insert(source.path());
  }

  static bool read(const SourcePtr& source, const Findings& findings) {
    return std::ranges::find(findings.sources, source) != findings.sources.end();
  }

  // The machine that extends the file, where that is no machine by itself: of such a file only a
  // part is checked, and it is not for the other one to correct it. Null: there is none.
  static const model::Machine* extending(const Source* source, const Findings& findings) {
    if (!findings.draft) return nullptr;
    const model::Machine* first = nullptr;
    for (const model::Machine& machine : findings.draft->machines) {
      const auto at = std::ranges::find(machine.sources, source, &SourcePtr::get);
      if (at == machine.sources.end()) continue;
      if (at == machine.sources.begin()) return nullptr;
      if (!first) first = &machine;
    }
    return first;
  }

  void note_files(const Findings& findings) {
    for (const SourcePtr& source : findings.sources) {
      if (!extending(source.get(), findings)) note_checked(*source, findings);
    }
  }

  // `above`: the machine that extends the file, where the problem was found in the two together;
  // null where the file has the problem by itself.
  void add(Diagnostic diagnostic, const model::Machine* above = nullptr) {
    const Level level = policy_.level(*diagnostic.rule, path_of(diagnostic.span));
    if (level == Level::off) return;
    diagnostic.severity = level == Level::error ? Severity::error : Severity::warning;
    if (above) diagnostic.fix.reset();
    const auto key = std::tuple(path_of(diagnostic.span), diagnostic.span.begin, diagnostic.rule,
                                diagnostic.message);
    const auto [known, added] = known_.emplace(key, findings_.size());
    if (added) {
      findings_.push_back({std::move(diagnostic), {}});
      above_.push_back({above});
    } else if (!above && above_[known->second].front()) {
      findings_[known->second].diagnostic = std::move(diagnostic);
      above_[known->second] = {nullptr};
    } else if (above && above_[known->second].front()) {
      above_[known->second].push_back(above);
    }
  }

  // By a comment on its line, or, where files that extend its own make it, on their `extends`.
  void suppress(Finding& finding, const std::vector<const model::Machine*>& all_above) {
    if (suppress(finding, finding.diagnostic.span)) return;
    const model::Machine* left = nullptr;
    for (const model::Machine* above : all_above) {
      if (above && !suppress(finding, above->extends) && !left) left = above;
    }
    if (!left) return;
    finding.suppressed.reset();
    std::vector<Diagnostic::Related>& related = finding.diagnostic.related;
    const auto is_there = [&](const Diagnostic::Related& one) {
      return path_of(one.span) == path_of(left->extends) && one.span.begin == left->extends.begin;
    };
    if (std::ranges::any_of(related, is_there)) return;
    related.push_back(
        {left->extends, fmt::format("'{}' is extended here", left->sources[1]->path())});
  }
  bool suppress(Finding& finding, const Span& span) {
    const auto here = suppressions_.find({path_of(span), span.line()});
    if (here == suppressions_.end()) return false;
    bool suppressed = false;
    for (Used& used : here->second) {
      const auto& rules = used.suppression.rules;
      const Rule* rule = finding.diagnostic.rule;
      if (std::ranges::find(rules, rule) == rules.end()) continue;
      used.rules.insert(rule);
      finding.suppressed = used.suppression.reason;
      suppressed = true;
    }
    return suppressed;
  }

  // A rule that is turned off finds nothing, which is not the suppression's fault; where there were
  // errors the checks did not run; exploring may have ended before it came to what it is for; and
  // there may be no program that checks shell text.
  void report_unused() {
    for (const auto& [place, all] : suppressions_) {
      if (!checked_.contains(place.first)) continue;
      for (const Used& used : all) {
        for (const Rule* rule : used.suppression.rules) {
          if (used.rules.contains(rule) || policy_.level(*rule, place.first) == Level::off) {
            continue;
          }
          if (rule == &rules::shellcheck && !shell_checked_.contains(place.first)) continue;
          const LintRule* checked = find_lint_rule(*rule);
          if (checked && checked->explores && explored_in_part_.contains(place.first)) continue;
          Diagnostics found;
          Diagnostic& finding =
              found.report(rules::unused_suppression, used.suppression.span,
                           fmt::format("there is no {} on line {}", rule->id(), place.second));
          const bool alone = used.suppression.rules.size() == 1;
          finding.help = alone ? "remove it, or leave the reason as a plain comment"
                               : "remove it from the comment";
          if (alone) finding.fix = {used.suppression.span, plain_comment(used.suppression)};
          add(finding);
        }
      }
    }
  }

  const Policy& policy_;
  std::vector<Finding> findings_;
  std::vector<std::vector<const model::Machine*>> above_;  // of each of them; one is null: nobody
  std::map<std::tuple<std::string, std::uint32_t, const Rule*, std::string>, std::size_t> known_;
  std::set<std::string> files_;
  std::set<std::string> modules_;
  std::set<std::string> checked_;  // those without errors in what they are a part of
  std::set<std::string> explored_in_part_;
  std::set<std::string> shell_checked_;
  std::map<std::pair<std::string, int>, std::vector<Used>> suppressions_;
};

}  // namespace

Report report(const std::vector<fs::path>& workflows, const Files& files, const fs::path& library,
              const Policy& policy, bool assesses, Findings configuration,
              const ShellChecker& check_shell, const PlaceCheck& check_place) {
  std::vector<Findings> linted(workflows.size());
  std::vector<std::optional<Assessment>> assessments(workflows.size());
  in_parallel(workflows.size(), [&](std::size_t i) {
    linted[i] = lint(workflows[i], files, library,
                     {.explore = policy.explores(),
                      .configurations = policy.configurations(),
                      .team = policy.team(),
                      .parameters = policy.parameters(),
                      .check_place = check_place});
    if (assesses && linted[i].system) assessments[i] = assess(*linted[i].system, files, library);
  });
  if (check_shell) check_shell_text(linted, check_shell);
  linted.push_back(std::move(configuration));
  Report result = report(std::move(linted), policy);
  for (auto& assessment : assessments) {
    if (assessment) result.assessments.push_back(std::move(*assessment));
  }
  return result;
}

Report report(std::vector<Findings> linted, const Policy& policy) {
  Report result;
  result.keep = std::move(linted);
  if (policy.team()) result.team_rules = policy.team()->rules();
  Merger merger(policy);
  for (const Findings& findings : result.keep) merger.add(findings);
  merger.finish(result);
  return result;
}

}  // namespace agneto::lint
