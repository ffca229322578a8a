// tests/lint/rules/FAMILY/RULE/ has an example of every rule: bad.yaml breaks it and nothing else,
// good.yaml breaks none; other files there are beside either. Those of a configuration are called
// bad.config.yaml and good.config.yaml, those of a team's own rule bad.lua and good.lua. The pages
// in docs/rules are made of them.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>

#include "base/text.h"
#include "lint/catalogue.h"
#include "lint/report/fix.h"
#include "lint/report/report.h"
#include "run/call_settings.h"
#include "run/config.h"
#include "support/paths.h"
#include "yaml/tree.h"

namespace agneto::lint {
namespace {

const fs::path source = AGNETO_SOURCE_DIR;

// By the first digit of a rule's code, from 1: what it is called on its page, and its folder.
struct Family {
  std::string_view title;
  std::string_view folder;
};
constexpr std::array<Family, 6> families = {{{"The document", "document"},
                                             {"Structure", "structure"},
                                             {"Data", "data"},
                                             {"Activities", "activities"},
                                             {"Lua", "lua"},
                                             {"Composition", "composition"}}};

const Family& family_of(const Rule& rule) {
  return families.at(static_cast<std::size_t>(rule.code[1] - '1'));
}

std::string read(const fs::path& file) {
  return Disk().read(file).value_or("");
}

// What is said of an example, and of which rules it is.
struct Said {
  std::string text;
  std::vector<std::string> rules;
};

// Stands for ShellCheck, and finds variables behind a blank.
std::optional<std::vector<ShellRemark>> unquoted(const std::vector<std::string>& scripts) {
  std::vector<ShellRemark> remarks;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    const std::size_t at = scripts[i].find(" $");
    if (at == std::string::npos) continue;
    const auto line =
        1 + static_cast<int>(std::count(
                scripts[i].begin(), scripts[i].begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    const std::size_t start = scripts[i].rfind('\n', at) + 1;
    const auto column = static_cast<int>(at - start) + 2;
    const auto length = static_cast<int>(scripts[i].find_first_of(" \n", at + 1) - at) - 1;
    remarks.push_back({i, line, column, line, column + length, 2086,
                       "Double quote to prevent globbing and word splitting."});
  }
  return remarks;
}

class Example {
 public:
  explicit Example(const Rule& rule)
      : folder_(source / "tests/lint/rules" / family_of(rule).folder / rule.name) {
    for (const auto& file : fs::recursive_directory_iterator(folder_)) {
      if (file.is_directory()) continue;
      const std::string name = file.path().lexically_relative(folder_).string();
      if (!name.starts_with("bad.") && !name.starts_with("good.")) others_[name] = read(file);
    }
  }

  bool is_config() const { return fs::exists(folder_ / "bad.config.yaml"); }
  bool is_team_rule() const { return fs::exists(folder_ / "bad.lua"); }
  std::string text(const std::string& which) const {
    return read(folder_ / (which + (is_config()      ? ".config.yaml"
                                    : is_team_rule() ? ".lua"
                                                     : ".yaml")));
  }
  const std::map<std::string, std::string>& others() const { return others_; }

  MemoryFiles files(const std::string& which) const {
    MemoryFiles files;
    files.add("/team/hooks.lua", "return {prompt = function(m) return 'Do it' end}");
    files.add("/lib/agneto.lua", read(source / "scripts/lib/agneto.lua"));
    if (!is_team_rule()) files.add("/team/flow.yaml", text(which));
    for (const auto& [name, text] : others_) files.add("/team/" + name, text);
    files.add(team_rule, text(which));
    files.add("/team/.agneto/config.yaml", text(which));
    return files;
  }

  Fixed fix() const {
    return lint::fix([&](const Files& now) { return report_of(now); }, files("bad"));
  }

  // What is found in `bad`, and in it with another text in the place of a span.
  Report bad() const { return report_of(files("bad")); }
  Said with(const Span& span, const std::string& text) const {
    MemoryFiles changed = files("bad");
    std::string whole = span.source->text();
    whole.replace(span.begin, span.end - span.begin, text);
    changed.add(span.source->path(), whole);
    return said(report_of(changed));
  }

  Said with(const std::string& was, const std::string& is) const {
    const Report before = bad();
    const Source& source = *before.findings.front().diagnostic.span.source;
    const std::size_t at = source.text().find(was);
    if (at == std::string::npos) return {"there is no '" + was + "'", {}};
    return with(source.span(at, at + was.size()), is);
  }

  Said lint(const std::string& which) const { return said(report_of(files(which))); }

 private:
  static Said said(const Report& report) {
    Said said;
    for (const auto& [diagnostic, suppressed] : report.findings) {
      if (suppressed) continue;
      said.text += std::regex_replace(render(diagnostic), std::regex("/team/"), "");
      said.rules.emplace_back(diagnostic.rule->name);
    }
    return said;
  }

  static constexpr const char* team_rule = "/team/.agneto/lint/example.lua";

  Report report_of(const Files& files) const {
    if (is_team_rule()) {
      Findings found;
      const auto team = std::make_shared<const TeamRules>(std::vector<fs::path>{team_rule}, files,
                                                          "/lib", found.diagnostics);
      found.keep.push_back(team);
      return report({"/team/flow.yaml"}, files, "/lib", Policy(team), false, std::move(found));
    }
    const fs::path drivers = source / "scripts/providers";
    if (!is_config()) {
      const auto check_place = [&](const model::System& system, Diagnostics& wrong) {
        const auto config = std::make_shared<const run::Config>();
        run::check_settings(system, *config, Disk(), {drivers}, wrong);
        return config;
      };
      return report({"/team/flow.yaml"}, files, "/lib", Policy(), false, {}, unquoted, check_place);
    }
    const fs::path file = "/team/.agneto/config.yaml";
    Findings found;
    const Policy policy = load_policy(file, files, found.diagnostics, found.sources);
    const run::Config config = run::load_config(file, files, found.diagnostics);
    found.sources.push_back(config.source);
    run::check_providers(config, Disk(), {drivers}, found.diagnostics);
    run::check_names(config, {{"coder", "reviewer"}, {"review"}}, {}, files, {}, found.diagnostics);
    return report({}, files, "/lib", policy, false, std::move(found));
  }

  const fs::path folder_;
  std::map<std::string, std::string> others_;
};

std::string page_name(const Rule& rule) {
  return fmt::format("{}-{}.md", rule.code, rule.name);
}

std::string capitalised(std::string_view text) {
  std::string result(text);
  if (!result.empty() && result.front() != '`') {
    result.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(result.front())));
  }
  return result;
}

std::string block(const std::string& language, const std::string& text) {
  return fmt::format("```{}\n{}{}```\n", language, text, text.ends_with('\n') ? "" : "\n");
}

// The table of its parameters; nothing where it has none.
std::string parameters_of(const Rule& rule) {
  if (rule.parameters.empty()) return "";
  const Parameter& first = *rule.parameters.front();
  std::string text = fmt::format(
      "\n\n[A team sets](../configuration.md#lint) its parameters, as in\n"
      "`lint: {{rules: {{{}: {{{}: {}}}}}}}`:\n\n| parameter | unless said | |\n|---|---|---|",
      rule.name, first.name, usual_text(first));
  for (const Parameter* one : rule.parameters) {
    text += fmt::format("\n| `{}` | `{}` | {} |", one->name, usual_text(*one), one->meaning);
  }
  return text;
}

std::string page(const Rule& rule, const Example& example) {
  std::string text =
      fmt::format("# {} {}\n\n{}: {}.\n\n{}\n\n## Wrong\n\n", rule.code, rule.name,
                  capitalised(to_text(rule.severity())), rule.description, rule.explanation);
  if (rule.fixable) {
    text.insert(text.rfind("\n\n## Wrong"),
                "\n\n[`agneto lint --fix`](../lint.md#fixing) corrects it.");
  }
  text.insert(text.rfind("\n\n## Wrong"), parameters_of(rule));
  const char* language = example.is_team_rule() ? "lua" : "yaml";
  text += block(language, printable(valid_utf8(example.text("bad"))));
  text += "\n" + block("text", example.lint("bad").text);
  text += "\n## Right\n\n" + block(language, example.text("good"));
  for (const auto& [name, other] : example.others()) {
    text += fmt::format("\nIn both `{}` is\n\n", name);
    text += block(name.ends_with(".lua") ? "lua" : "yaml", other);
  }
  return text + "\n[All rules](README.md)\n";
}

std::string index_page() {
  std::string text =
      "# The rules\n\nWhat [`agneto lint`](../lint.md) finds. `agneto explain E203` says what is "
      "on "
      "these pages, which a\ntest writes from the examples that it checks.\n";
  char family = '0';
  for (const Rule* rule : catalogue()) {
    if (rule->code[1] != family) {
      family = rule->code[1];
      text += fmt::format("\n## {}\n\n| | | finds |\n|---|---|---|\n", family_of(*rule).title);
    }
    text += fmt::format("| {} | [`{}`]({}) | {} |\n", rule->code, rule->name, page_name(*rule),
                        rule->description);
  }
  return text;
}

// After a change of rules, with AGNETO_UPDATE in the environment: writes what is so now.
void expect_page(const std::string& name, const std::string& text) {
  const fs::path file = source / "docs" / "rules" / name;
  if (std::getenv("AGNETO_UPDATE")) {
    fs::create_directories(file.parent_path());
    write_file(file, text);
  } else {
    EXPECT_EQ(read(file), text) << file;
  }
}

class RuleExamples : public testing::TestWithParam<const Rule*> {};

TEST_P(RuleExamples, AreTrue) {
  const Rule& rule = *GetParam();
  const Example example(rule);
  const Said bad = example.lint("bad");
  EXPECT_THAT(bad.rules, testing::Not(testing::IsEmpty()));
  EXPECT_THAT(bad.rules, testing::Each(std::string(rule.name))) << bad.text;
  EXPECT_EQ(example.lint("good").text, "");
  expect_page(page_name(rule), page(rule, example));
}

// What can be corrected is gone afterwards, and nothing else is found instead.
TEST_P(RuleExamples, AreFixedWhereTheRuleSaysSo) {
  const Rule& rule = *GetParam();
  const Example example(rule);
  const Fixed fixed = example.fix();
  EXPECT_EQ(!fixed.steps.empty(), rule.fixable) << testing::PrintToString(fixed.steps);
  EXPECT_EQ(fixed.report.findings.empty(), rule.fixable);
}

// Who does what a help says is not told to take it back.
TEST_P(RuleExamples, AreNoCircle) {
  const Example example(*GetParam());
  const Report before = example.bad();
  for (const Finding& finding : before.findings) {
    const std::string& help = finding.diagnostic.help;
    Span span = finding.diagnostic.span;
    std::smatch meant;
    if (!span || !std::regex_match(help, meant, std::regex("did you mean '([^']+)'\\?"))) continue;
    if (!std::regex_match(std::string(span.text()), std::regex("[\\w.-]+"))) continue;
    span.begin += static_cast<std::uint32_t>(span.text().rfind('.') + 1);  // event.NAME
    const Said after = example.with(span, meant[1]);
    EXPECT_LT(after.rules.size(), before.findings.size()) << help << "\n" << after.text;
    EXPECT_THAT(after.rules, testing::Each(std::string(GetParam()->name))) << after.text;
  }
}

// What the help of a rule says, done in its example: nothing is found any more.
struct Advice {
  const char* rule;
  const char* was;
  const char* is;
};

class Advised : public testing::TestWithParam<Advice> {};

TEST_P(Advised, IsEnough) {
  const auto& [rule, was, is] = GetParam();
  EXPECT_EQ(Example(*find_rule(rule)).with(was, is).text, "");
}

INSTANTIATE_TEST_SUITE_P(
    , Advised,
    testing::Values(
        Advice{"untaken-outcome", "on: {APPROVD: DONE", "on: {APPROVED: DONE, REVISE: DONE"},
        Advice{"guarded-outcome", "ctx.tries + 1}\n", "ctx.tries + 1}\n        - DONE\n"},
        Advice{"no-budget", "initial: ", "limits: {calls: 30}\ninitial: "},
        Advice{"untaken-error", "{CODED: DONE}", "{CODED: DONE, error: FAILED}"},
        Advice{"untaken-done", "    states:\n",
               "    on: {done.state.WORKING: BROKEN}\n    states:\n"},
        Advice{"unbounded-retry", " WORKING\n  DONE",
               "\n        - {guard: ctx.tries >= 3, target: DONE}\n        - WORKING\n  DONE"},
        Advice{"uncommitted-merge", "ok: MERGING, failed: FAILED}\n",
               "ok: COMMITTING, failed: FAILED}\n  COMMITTING:\n"
               "    workspace: {commit: {message: Done}}\n"
               "    on: {ok: MERGING, failed: FAILED}\n"},
        Advice{"ungated-merge", "ok: MERGING, failed: FAILED}\n",
               "ok: CHECKING, failed: FAILED}\n  CHECKING:\n    run: {argv: [make, check]}\n"
               "    on: {ok: MERGING, failed: FAILED}\n"},
        Advice{"unset-name", "ctx.plan}}", "ctx.plan or 'none'}}"},
        Advice{"undecided", "target: WORKING}\n", "target: WORKING}\n      - DONE\n"},
        Advice{"empty-commit", "access: read-only", "access: edit"},
        Advice{"unused-edit", "EDITED: PUBLISHED\n      AGAIN: WRITING",
               "EDITED: {target: PUBLISHED, do: ctx.notes = event.edited}\n"
               "      AGAIN: {target: WRITING, do: ctx.notes = event.feedback}"},
        Advice{"dead-end", "STUCK: {}", "STUCK: {final: true}"},
        Advice{"tight-limit", "calls: 1}", "calls: 2}"}),
    [](const auto& param) {
      return std::regex_replace(std::string(param.param.rule), std::regex("-"), "_");
    });

// `on: {error: STATE}` in a help can be copied into the file.
TEST_P(RuleExamples, AreHelpedInYaml) {
  const Report report = Example(*GetParam()).bad();
  for (const Finding& finding : report.findings) {
    const std::string& help = finding.diagnostic.help;
    const std::regex pair(R"([\w.]+: (\{[^{}]*(\{[^{}]*\}[^{}]*)*\}|\[[^\]]*\]))");
    for (auto at = std::sregex_iterator(help.begin(), help.end(), pair);
         at != std::sregex_iterator(); ++at) {
      const auto text = std::make_shared<const Source>("help", at->str() + "\n");
      if (at->str(1).find(": ") == std::string::npos) continue;  // Lua
      Diagnostics wrong;
      yaml::parse(text, wrong);
      EXPECT_EQ(render(wrong), "") << at->str();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, RuleExamples, testing::ValuesIn(catalogue()), [](const auto& param) {
  return std::regex_replace(std::string(param.param->name), std::regex("-"), "_");
});

TEST(RulePages, AreListed) {
  expect_page("README.md", index_page());
}

TEST(RulePages, AreOfRules) {
  std::set<std::string> names = {"README.md"};
  for (const Rule* rule : catalogue()) names.insert(page_name(*rule));
  for (const auto& file : fs::directory_iterator(source / "docs" / "rules")) {
    EXPECT_TRUE(names.contains(file.path().filename().string())) << file;
  }
}

}  // namespace
}  // namespace agneto::lint
