#include "lint/report/format.h"

namespace agneto::lint {

std::string write_text(const Report& report, const Tool&) {
  std::string text;
  for (const Finding& finding : report.findings) {
    if (!finding.suppressed) text += render(finding.diagnostic);
  }
  for (const Assessment& assessment : report.assessments) text += to_text(assessment);
  return text;
}

}  // namespace agneto::lint
