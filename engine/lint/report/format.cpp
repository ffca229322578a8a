#include "lint/report/format.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/explore/explore.h"

namespace agneto::lint {

namespace {

// How many characters stand in the line in front of `offset`.
int characters(const Source& source, int line, std::size_t offset) {
  const std::size_t start = source.line_start(line);
  const std::string_view text = source.line(line);
  const std::string_view before = text.substr(0, offset - std::min(start, offset));
  return static_cast<int>(std::ranges::count_if(
      before, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      {"text", "for people", write_text},
      {"json", "for programs", write_json},
      {"sarif", "SARIF 2.1.0, for code scanning", write_sarif},
      {"github", "annotations in GitHub Actions", write_github},
      {"junit", "JUnit's XML, for CI servers", write_junit},
  };
  return all;
}

std::string write_text(const Report& report, const Tool&) {
  std::string text;
  for (const Finding& finding : report.findings) {
    if (!finding.suppressed) text += render(finding.diagnostic);
  }
  for (const CutShort& one : report.cut_short) text += to_text(one) + "\n";
  for (const Assessment& assessment : report.assessments) text += to_text(assessment);
  return text;
}

std::string to_text(const CutShort& one) {
  std::string text =
      fmt::format("{}: '{}' was not explored as a whole: ", one.file.string(), one.machine);
  if (one.configurations > 0) {
    text += fmt::format("{} configurations were looked at, and ", one.configurations);
  }
  return printable(text +
                   fmt::format("{}; dead ends, loops and lost events in the rest are not found",
                               one.why)) +
         (one.why == reason(Exploration::Extent::over_budget)
              ? "\n  help: `lint: {configurations: NUMBER}` in .agneto/config.yaml looks at more"
              : "");
}

Region region(const Span& span) {
  if (!span) return {};
  const Source& source = *span.source;
  const int line = source.position(span.begin).line;
  const int end_line = source.position(span.end).line;
  return {source.path(), line, characters(source, line, span.begin) + 1, end_line,
          characters(source, end_line, span.end) + 1};
}

const Rule& rule_of(const Diagnostic& diagnostic) {
  static const Rule none{"", "other", "", ""};
  return diagnostic.rule ? *diagnostic.rule : none;
}

std::string whole_message(const Diagnostic& diagnostic) {
  std::string text = diagnostic.message;
  if (!diagnostic.help.empty()) text += "\nhelp: " + diagnostic.help;
  for (std::size_t i = 0; i < diagnostic.trace.size(); ++i) {
    text += (i == 0 ? "\ntrace: " : "\n  ") + diagnostic.trace[i];
  }
  return text;
}

}  // namespace agneto::lint
