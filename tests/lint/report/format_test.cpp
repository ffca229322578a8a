#include "lint/report/format.h"

#include "base/json.h"
#include "lint/catalogue.h"
#include "lint/linting.h"

namespace agneto::lint {
namespace {

// An error and a warning in the second line of a file with characters of several bytes.
Report awkward() {
  static const auto source = std::make_shared<const Source>(
      "/team/a b,c%/ü.yaml", "agneto: 1\nü: <one> & \"two\"\nmore: 1\n");
  Report report;
  report.files = {"/team/a b,c%/ü.yaml", "/team/clean.yaml"};
  const std::uint32_t line = 10;
  Diagnostic error{find_rule("E203"),
                   Severity::error,
                   "there is no 'a & b', or <c>: 100%\x1b[31m",
                   {source.get(), line + 4, line + 9},
                   "did you mean \"x\"?",
                   {{{source.get(), 0, 6}, "first defined here"}}};
  Diagnostic warning{find_rule("W414"),
                     Severity::warning,
                     "over two\nlines",
                     {source.get(), line + 12, line + 24},
                     {},
                     {}};
  report.findings = {{error, {}}, {warning, {}}, {warning, "for \"later\""}};
  report.findings[1].diagnostic.trace = {"agneto simulate a%.yaml --events -", R"({"event":"ok"})"};
  report.errors = 1;
  report.warnings = 1;
  report.suppressed = 1;
  return report;
}

TEST(Region, CountsCharacters) {
  const Report report = awkward();
  const Region first = region(report.findings[0].diagnostic.span);
  EXPECT_EQ(first.line, 2);
  EXPECT_EQ(first.column, 4);
  EXPECT_EQ(first.end_line, 2);
  EXPECT_EQ(first.end_column, 9);
  EXPECT_EQ(region({}).line, 0);
}

TEST(Json, HasEverything) {
  const Json document = Json::parse(write_json(awkward(), {"1.0"}));
  EXPECT_EQ(document["version"], 1);
  EXPECT_EQ(document["agneto"], "1.0");
  EXPECT_EQ(document["files"], Json({"/team/a b,c%/ü.yaml", "/team/clean.yaml"}));
  EXPECT_EQ(document["summary"], Json({{"errors", 1}, {"warnings", 1}, {"suppressed", 1}}));
  EXPECT_EQ(document["findings"].size(), 3U);
  EXPECT_EQ(document["findings"][0],
            Json({{"code", "E203"},
                  {"rule", "undefined-target"},
                  {"severity", "error"},
                  {"message", "there is no 'a & b', or <c>: 100%\x1b[31m"},
                  {"help", "did you mean \"x\"?"},
                  {"place",
                   {{"path", "/team/a b,c%/ü.yaml"},
                    {"line", 2},
                    {"column", 4},
                    {"end_line", 2},
                    {"end_column", 9}}},
                  {"related", Json::array({{{"message", "first defined here"},
                                            {"place",
                                             {{"path", "/team/a b,c%/ü.yaml"},
                                              {"line", 1},
                                              {"column", 1},
                                              {"end_line", 1},
                                              {"end_column", 7}}}}})},
                  {"fix", nullptr},
                  {"suppressed", nullptr},
                  {"trace", nullptr}}));
  EXPECT_EQ(
      document["findings"][1]["trace"],
      Json({{"command", "agneto simulate a%.yaml --events -"}, {"events", {R"({"event":"ok"})"}}}));
  EXPECT_EQ(document["findings"][2]["suppressed"], "for \"later\"");
}

TEST(Sarif, HasResultsAndTheirRules) {
  const Json document = Json::parse(write_sarif(awkward(), {"1.0"}));
  EXPECT_EQ(document["version"], "2.1.0");
  const Json& run = document["runs"][0];
  const Json& rules = run["tool"]["driver"]["rules"];
  EXPECT_EQ(rules.size(), catalogue().size());
  ASSERT_EQ(run["results"].size(), 3U);
  const Json& error = run["results"][0];
  EXPECT_EQ(error["ruleId"], "E203");
  EXPECT_EQ(rules[error["ruleIndex"].get<std::size_t>()]["id"], "E203");
  EXPECT_EQ(error["level"], "error");
  const Json& place = error["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "file:///team/a%20b%2Cc%25/%C3%BC.yaml");
  EXPECT_EQ(place["region"],
            Json({{"startLine", 2}, {"startColumn", 4}, {"endLine", 2}, {"endColumn", 9}}));
  EXPECT_EQ(error["relatedLocations"][0]["message"]["text"], "first defined here");
  EXPECT_FALSE(error.contains("suppressions"));
  EXPECT_FALSE(error.contains("codeFlows"));
  const Json& flow = run["results"][1]["codeFlows"][0];
  EXPECT_EQ(flow["message"]["text"], "what leads there");
  const Json& steps = flow["threadFlows"][0]["locations"];
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0]["location"]["message"]["text"], "agneto simulate a%.yaml --events -");
  EXPECT_EQ(steps[1]["executionOrder"], 2);
  EXPECT_EQ(steps[1]["location"]["message"]["text"], R"({"event":"ok"})");
  EXPECT_EQ(steps[1]["location"]["physicalLocation"],
            run["results"][1]["locations"][0]["physicalLocation"]);
  EXPECT_EQ(run["results"][2]["suppressions"],
            Json::array({{{"kind", "inSource"}, {"justification", "for \"later\""}}}));
}

TEST(Sarif, OfARelativePathIsRelative) {
  const Findings findings = lint("none.yaml", MemoryFiles(), "/lib");
  Report report;
  report.findings = {{findings.diagnostics.sorted().front(), {}}};
  const Json document = Json::parse(write_sarif(report, {}));
  EXPECT_FALSE(document["runs"][0]["results"][0].contains("locations"));

  const Source source("flows/one two.yaml", "a: 1\n");
  report.findings[0].diagnostic.span = {&source, 0, 1};
  const Json placed = Json::parse(write_sarif(report, {}));
  EXPECT_EQ(placed["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
                  ["uri"],
            "flows/one%20two.yaml");
}

TEST(Github, EscapesWhatItsCommandsMean) {
  EXPECT_EQ(write_github(awkward(), {}),
            "::error file=/team/a b%2Cc%25/ü.yaml,line=2,endLine=2,col=4,endColumn=9,"
            "title=E203/undefined-target::there is no 'a & b', or <c>: 100%25%0Ahelp: did you "
            "mean \"x\"?%0A/team/a b,c%25/ü.yaml:1:1: note: first defined here\n"
            "::warning file=/team/a b%2Cc%25/ü.yaml,line=2,endLine=3,title=W414/unused-agent::over "
            "two%0Alines%0Atrace: agneto simulate a%25.yaml --events -%0A  {\"event\":\"ok\"}\n");
}

TEST(Github, IsOnePrintableLineOfAnyName) {
  Report report = awkward();
  report.findings.resize(1);
  Diagnostic& diagnostic = report.findings[0].diagnostic;
  const Source strange("/team/a\x1b[1m\rb\x01.yaml", "agneto: 1\n");
  diagnostic.span = {&strange, 0, 6};
  diagnostic.related[0].span = diagnostic.span;
  diagnostic.related[0].message = "see\x1b]0;title\x07 here";
  EXPECT_EQ(write_github(report, {}),
            "::error file=/team/ab.yaml,line=1,endLine=1,col=1,endColumn=7,"
            "title=E203/undefined-target::there is no 'a & b', or <c>: 100%25%0Ahelp: did you "
            "mean \"x\"?%0A/team/ab.yaml:1:1: note: see here\n");
}

TEST(Junit, HasASuiteAFileAndATestAFinding) {
  Report report = awkward();
  for (Finding& finding : report.findings) finding.diagnostic.related.clear();
  const std::string body = write_junit(report, {"1.0", Severity::error});
  EXPECT_EQ(body, R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="agneto lint" tests="4" failures="1" errors="0">
  <testsuite name="/team/a b,c%/ü.yaml" tests="3" failures="1" errors="0" skipped="1">
    <testcase classname="/team/a b,c%/ü.yaml" name="E203/undefined-target 2:4">
      <failure type="error" message="there is no 'a &amp; b', or &lt;c&gt;: 100%">/team/a b,c%/ü.yaml:2:5: error: there is no 'a &amp; b', or &lt;c&gt;: 100% [E203/undefined-target]
ü: &lt;one&gt; &amp; "two"
   ^~~~~
  help: did you mean "x"?
</failure>
    </testcase>
    <testcase classname="/team/a b,c%/ü.yaml" name="W414/unused-agent 2:12">
      <system-out>/team/a b,c%/ü.yaml:2:13: warning: over two
lines [W414/unused-agent]
ü: &lt;one&gt; &amp; "two"
           ^~~~~
more: 1
~~~~~~
  trace: agneto simulate a%.yaml --events -
    {"event":"ok"}
</system-out>
    </testcase>
    <testcase classname="/team/a b,c%/ü.yaml" name="W414/unused-agent 2:12">
      <skipped message="for &quot;later&quot;"/>
    </testcase>
  </testsuite>
  <testsuite name="/team/clean.yaml" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="/team/clean.yaml" name="nothing found"/>
  </testsuite>
</testsuites>
)xml");
}

TEST(Junit, FailsWhatReachesTheBar) {
  const std::string body = write_junit(awkward(), {"1.0", Severity::warning});
  EXPECT_THAT(body, testing::HasSubstr("tests=\"4\" failures=\"2\""));
}

// As those of a workflow's tests.
TEST(LintFormat, WhatIsNoRulesIsSaidInEachOfThem) {
  Report report;
  report.findings.push_back({{nullptr, Severity::error, "there is no state 'A'", {}, {}, {}}, {}});
  report.errors = 1;
  for (const Format& format : formats()) {
    EXPECT_NE(format.write(report, {}).find("there is no state"), std::string::npos) << format.name;
  }
  const Json result = Json::parse(write_sarif(report, {})).at("runs")[0].at("results")[0];
  EXPECT_FALSE(result.contains("ruleId"));
  EXPECT_FALSE(result.contains("ruleIndex"));
}

}  // namespace
}  // namespace agneto::lint
