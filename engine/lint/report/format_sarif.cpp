#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "lint/catalogue.h"
#include "lint/report/format.h"

namespace agneto::lint {

namespace {

// A URI-reference: relative to where lint was started, or with the scheme `file`.
std::string uri(const std::string& path) {
  return (path.starts_with('/') ? "file://" : "") + percent_escaped(path, "-._~/");
}

Json message(std::string_view text) {
  return {{"text", valid_utf8(text)}};
}

Json location(const Span& span) {
  const Region where = region(span);
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", uri(where.path)}}},
            {"region",
             {{"startLine", where.line},
              {"startColumn", where.column},
              {"endLine", where.end_line},
              {"endColumn", where.end_column}}}}}};
}

Json described(const Rule& rule) {
  return {{"id", rule.code},
          {"name", rule.name},
          {"shortDescription", message(rule.description)},
          {"fullDescription", message(rule.explanation)},
          {"help", {{"text", rule.explanation}, {"markdown", rule.explanation}}},
          {"defaultConfiguration", {{"level", to_text(rule.severity())}}}};
}

// The events that show the finding, one after the other; all lead to its place.
Json code_flow(const Diagnostic& diagnostic) {
  Json steps = Json::array();
  for (const std::string& line : diagnostic.trace) {
    Json step = diagnostic.span ? location(diagnostic.span) : Json::object();
    step["message"] = message(line);
    steps.push_back({{"executionOrder", steps.size() + 1}, {"location", std::move(step)}});
  }
  return {{"message", message("what leads there")},
          {"threadFlows", Json::array({{{"locations", std::move(steps)}}})}};
}

Json result_of(const Finding& finding, const std::vector<const Rule*>& rules) {
  const Diagnostic& diagnostic = finding.diagnostic;
  Json result = {{"level", to_text(diagnostic.severity)},
                 {"message", message(whole_message(diagnostic))}};
  if (diagnostic.rule) {
    result["ruleId"] = diagnostic.rule->code;
    result["ruleIndex"] = std::ranges::find(rules, diagnostic.rule) - rules.begin();
  }
  if (diagnostic.span) result["locations"] = Json::array({location(diagnostic.span)});
  Json related = Json::array();
  for (const Diagnostic::Related& one : diagnostic.related) {
    if (!one.span) continue;
    related.push_back(location(one.span));
    related.back()["message"] = message(one.message);
  }
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  if (!diagnostic.trace.empty()) result["codeFlows"] = Json::array({code_flow(diagnostic)});
  if (diagnostic.fix) {
    const Json where = location(diagnostic.fix->span)["physicalLocation"];
    const Json replacement = {{"deletedRegion", where["region"]},
                              {"insertedContent", message(diagnostic.fix->text)}};
    const Json change = {{"artifactLocation", where["artifactLocation"]},
                         {"replacements", Json::array({replacement})}};
    result["fixes"] = Json::array(
        {{{"description", message(diagnostic.help)}, {"artifactChanges", Json::array({change})}}});
  }
  if (finding.suppressed) {
    result["suppressions"] =
        Json::array({{{"kind", "inSource"}, {"justification", valid_utf8(*finding.suppressed)}}});
  }
  return result;
}

}  // namespace

std::string write_sarif(const Report& report, const Tool& tool) {
  std::vector<const Rule*> all = catalogue();
  all.insert(all.end(), report.team_rules.begin(), report.team_rules.end());
  Json rules = Json::array();
  for (const Rule* rule : all) rules.push_back(described(*rule));
  Json results = Json::array();
  for (const Finding& finding : report.findings) results.push_back(result_of(finding, all));
  const Json driver = {{"name", "agneto"}, {"version", tool.version}, {"rules", std::move(rules)}};
  const Json run = {{"tool", {{"driver", driver}}},
                    {"columnKind", "unicodeCodePoints"},
                    {"results", std::move(results)}};
  const Json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", Json::array({run})}};
  return document.dump(2) + "\n";
}

}  // namespace agneto::lint
