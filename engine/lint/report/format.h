// A report as text for people, or as what other programs read. A format of programs a file
// (format_NAME.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lint/report/report.h"

namespace agneto::lint {

struct Tool {
  std::string version = {};        // of this program
  Severity bar = Severity::error;  // what --fail-on says: findings below it are no failures
};

struct Format {
  std::string_view name;
  std::string_view description;
  std::string (*write)(const Report& report, const Tool& tool);
};

// text, json, sarif, github, junit.
const std::vector<Format>& formats();

// As `render`: empty where nothing was found.
std::string write_text(const Report& report, const Tool& tool);
// "flow.yaml: 'flow' was not explored as a whole: …", and what looks at more.
std::string to_text(const CutShort& one);
// {"version": 1, "findings": [...], "summary": {...}}; see docs/lint.md.
std::string write_json(const Report& report, const Tool& tool);
// SARIF 2.1.0.
std::string write_sarif(const Report& report, const Tool& tool);
// Workflow commands of GitHub Actions, a line each: annotations of a pull request.
std::string write_github(const Report& report, const Tool& tool);
// JUnit's XML: a suite a file, a failed test a finding.
std::string write_junit(const Report& report, const Tool& tool);

// Where a span is, for programs: lines and columns from 1, columns in characters (code points), the
// end behind the last. Nowhere: line 0.
struct Region {
  std::string path;
  int line = 0;
  int column = 0;
  int end_line = 0;
  int end_column = 0;
};
Region region(const Span& span);

// Its rule. What is said of tests of workflows has none, and gets one without a code.
const Rule& rule_of(const Diagnostic& diagnostic);

// The message with its help and its trace behind it.
std::string whole_message(const Diagnostic& diagnostic);

}  // namespace agneto::lint
