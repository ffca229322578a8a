#include <fmt/format.h>

#include <map>

#include "base/xml.h"
#include "lint/report/format.h"

namespace agneto::lint {

namespace {

struct Suite {
  std::string cases;
  int tests = 0;
  int failures = 0;
  int skipped = 0;
};

void add(Suite& suite, const std::string& path, const Finding& finding, Severity bar) {
  const Diagnostic& diagnostic = finding.diagnostic;
  const Region where = region(diagnostic.span);
  const bool fails = diagnostic.severity == Severity::error || bar == Severity::warning;
  ++suite.tests;
  suite.cases +=
      fmt::format("    <testcase classname=\"{}\" name=\"{} {}:{}\">\n", xml_attribute(path),
                  rule_of(diagnostic).id(), where.line, where.column);
  if (finding.suppressed) {
    ++suite.skipped;
    suite.cases +=
        fmt::format("      <skipped message=\"{}\"/>\n", xml_attribute(*finding.suppressed));
  } else if (fails) {
    ++suite.failures;
    suite.cases += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                               to_text(diagnostic.severity), xml_attribute(diagnostic.message),
                               xml_text(render(diagnostic)));
  } else {
    suite.cases += fmt::format("      <system-out>{}</system-out>\n", xml_text(render(diagnostic)));
  }
  suite.cases += "    </testcase>\n";
}

}  // namespace

std::string write_junit(const Report& report, const Tool& tool) {
  std::map<std::string, Suite> suites;
  for (const std::string& file : report.files) suites[file];
  for (const Finding& finding : report.findings) {
    std::string path = region(finding.diagnostic.span).path;
    if (path.empty()) path = "agneto";
    add(suites[path], path, finding, tool.bar);
  }
  Suite all;
  for (auto& [path, suite] : suites) {
    if (suite.tests == 0) {
      suite.tests = 1;
      suite.cases = fmt::format("    <testcase classname=\"{}\" name=\"nothing found\"/>\n",
                                xml_attribute(path));
    }
    all.tests += suite.tests;
    all.failures += suite.failures;
    all.skipped += suite.skipped;
    all.cases += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}"
        "  </testsuite>\n",
        xml_attribute(path), suite.tests, suite.failures, suite.skipped, suite.cases);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"agneto lint\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n{}"
      "</testsuites>\n",
      all.tests, all.failures, all.cases);
}

}  // namespace agneto::lint
