#include "base/json.h"
#include "base/text.h"
#include "lint/report/format.h"

namespace agneto::lint {

namespace {

Json place_json(const Span& span) {
  if (!span) return nullptr;
  const Region where = region(span);
  return {{"path", valid_utf8(where.path)},
          {"line", where.line},
          {"column", where.column},
          {"end_line", where.end_line},
          {"end_column", where.end_column}};
}

Json trace_of(const Diagnostic& diagnostic) {
  if (diagnostic.trace.empty()) return nullptr;
  Json events = Json::array();
  for (std::size_t i = 1; i < diagnostic.trace.size(); ++i) {
    events.push_back(valid_utf8(diagnostic.trace[i]));
  }
  return {{"command", valid_utf8(diagnostic.trace.front())}, {"events", std::move(events)}};
}

Json finding_of(const Finding& finding) {
  const Diagnostic& diagnostic = finding.diagnostic;
  Json related = Json::array();
  for (const Diagnostic::Related& one : diagnostic.related) {
    related.push_back({{"message", valid_utf8(one.message)}, {"place", place_json(one.span)}});
  }
  return {{"code", rule_of(diagnostic).code},
          {"rule", rule_of(diagnostic).name},
          {"severity", to_text(diagnostic.severity)},
          {"message", valid_utf8(diagnostic.message)},
          {"help", diagnostic.help.empty() ? Json() : Json(valid_utf8(diagnostic.help))},
          {"fix", diagnostic.fix ? Json{{"place", place_json(diagnostic.fix->span)},
                                        {"text", valid_utf8(diagnostic.fix->text)}}
                                 : Json()},
          {"place", place_json(diagnostic.span)},
          {"related", std::move(related)},
          {"trace", trace_of(diagnostic)},
          {"suppressed", finding.suppressed ? Json(valid_utf8(*finding.suppressed)) : Json()}};
}

}  // namespace

std::string write_json(const Report& report, const Tool& tool) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(finding_of(finding));
  Json files = Json::array();
  for (const std::string& file : report.files) files.push_back(valid_utf8(file));
  Json cut_short = Json::array();
  for (const CutShort& one : report.cut_short) {
    cut_short.push_back({{"file", valid_utf8(one.file.string())},
                         {"machine", one.machine},
                         {"configurations", one.configurations},
                         {"why", one.why}});
  }
  Json document = {{"version", 1},
                   {"agneto", tool.version},
                   {"files", std::move(files)},
                   {"findings", std::move(findings)},
                   {"cut_short", std::move(cut_short)},
                   {"summary",
                    {{"errors", report.errors},
                     {"warnings", report.warnings},
                     {"suppressed", report.suppressed}}}};
  for (const Assessment& assessment : report.assessments) {
    document["report"].push_back(to_json(assessment));
  }
  return document.dump(2) + "\n";
}

}  // namespace agneto::lint
