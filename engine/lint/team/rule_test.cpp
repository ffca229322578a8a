#include "lint/team/rule_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "lint/report/report.h"

namespace agneto::lint {

namespace {

// What stands behind `expect:` in the line's comment; nothing where it has none.
std::string_view expected_on(std::string_view line) {
  constexpr std::string_view word = "expect:";
  const std::size_t at = line.find(word);
  if (at == line.npos) return {};
  const std::string_view before = trim(line.substr(0, at));
  return before.ends_with('#') || before.ends_with("--") ? trim(line.substr(at + word.size()))
                                                         : std::string_view();
}

bool is_comment(std::string_view line) {
  line = trim(line);
  return line.empty() || line.starts_with('#') || line.starts_with("--");
}

class RuleTest {
 public:
  RuleTest(const fs::path& file, const Files& files, const TeamRules& team)
      : source_(file.string(), files.read(file).value_or("")), team_(team) {
    for (int line = 1; line <= source_.line_count(); ++line) expect(line);
  }

  void compare(const Report& report) {
    for (const auto& [diagnostic, suppressed] : report.findings) {
      if (suppressed) continue;
      const bool is_here = diagnostic.span && diagnostic.span.source->path() == source_.path();
      const bool is_of_team = std::ranges::count(report.team_rules, diagnostic.rule) > 0 && is_here;
      const auto expected = std::pair(diagnostic.span.line(), diagnostic.rule);
      if (is_of_team && expected_.contains(expected)) {
        found_.insert(expected);
      } else if (is_of_team || diagnostic.severity == Severity::error) {
        std::string text = render(diagnostic);
        text.pop_back();  // the line's end
        failures.push_back(std::move(text));
      }
    }
    for (const auto& [line, rule] : expected_) {
      if (!found_.contains({line, rule})) fail(line, rule->id() + " is expected, and not found");
    }
  }

  std::vector<std::string> failures;

 private:
  void fail(int line, const std::string& what) {
    failures.push_back(fmt::format("{}:{}: {}", source_.path(), line, what));
  }

  void expect(int line) {
    std::string_view names = expected_on(source_.line(line));
    int about = line;
    while (about < source_.line_count() && is_comment(source_.line(about))) ++about;
    while (!names.empty()) {
      const std::size_t comma = std::min(names.find(','), names.size());
      const std::string_view name = trim(names.substr(0, comma));
      names.remove_prefix(std::min(comma + 1, names.size()));
      const Rule* rule = find_rule(name, &team_);
      if (rule && std::ranges::count(team_.rules(), rule) > 0) {
        expected_.insert({about, rule});
      } else if (rule) {
        fail(line, rule->id() + " is no rule of the team's own");
      } else {
        fail(line, fmt::format("there is no rule '{}'; {}", name, rule_suggestion(name, &team_)));
      }
    }
  }

  const Source source_;
  const TeamRules& team_;
  std::set<std::pair<int, const Rule*>> expected_, found_;
};

}  // namespace

bool is_rule_test(const fs::path& file) {
  const fs::path tests = fs::absolute(file).lexically_normal().parent_path();
  const fs::path rules = tests.parent_path();
  const std::string name = file.filename().string();
  return name.ends_with(".yaml") && !name.ends_with(".test.yaml") && tests.filename() == "tests" &&
         rules.filename() == "lint" && rules.parent_path().filename() == ".agneto";
}

std::vector<std::string> failures_of_rule_test(const fs::path& file, const Files& files,
                                               const fs::path& library) {
  Findings found;
  const fs::path folder = file.parent_path().parent_path();
  const auto team = read_team_rules(folder, files, library, found.diagnostics);
  found.keep.push_back(team);
  Policy policy(team);
  policy.set_explores(false);
  RuleTest test(file, files, *team);
  test.compare(report({file}, files, library, policy, false, std::move(found)));
  return test.failures;
}

}  // namespace agneto::lint
