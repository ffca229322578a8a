#include "base/error.h"
#include "embed/workflow_impl.h"
#include "lint/report/report.h"

namespace agneto::embed {

namespace {

Finding finding_of(const Diagnostic& diagnostic) {
  Finding finding;
  finding.severity = diagnostic.severity == agneto::Severity::error ? Finding::Severity::error
                                                                    : Finding::Severity::warning;
  if (diagnostic.span) {
    const Position place = diagnostic.span.position();
    finding.path = diagnostic.span.source->path();
    finding.line = place.line;
    finding.column = place.column;
  }
  if (diagnostic.rule) finding.rule = diagnostic.rule->id();
  finding.message = diagnostic.message;
  finding.help = diagnostic.help;
  finding.text = render(diagnostic);
  return finding;
}

std::string place_of(const Finding& finding) {
  if (finding.line == 0) return {};
  return finding.path + ":" + std::to_string(finding.line) + ":" + std::to_string(finding.column);
}

void check_library(const fs::path& library) {
  if (fs::is_regular_file(library / "agneto.lua")) return;
  throw Error(library.string(), "this is not the folder of the hook library: it has no agneto.lua",
              "give share/agneto/scripts/lib of where Agneto is installed; CMake's target "
              "agneto::agneto defines it as AGNETO_LIBRARY");
}

}  // namespace

std::vector<Finding> lint(const fs::path& file, const fs::path& library) {
  check_library(library);
  const lint::Report report = lint::report({file}, Disk(), library, lint::Policy());
  std::vector<Finding> findings;
  for (const lint::Finding& one : report.findings) {
    if (!one.suppressed) findings.push_back(finding_of(one.diagnostic));
  }
  return findings;
}

Workflow::Workflow(const fs::path& file, const fs::path& library) {
  check_library(library);
  const lint::Findings linted = lint::lint(file, Disk(), library, {.explore = false});
  if (linted.diagnostics.has_errors()) {
    std::vector<Finding> errors;
    for (const Diagnostic& one : linted.diagnostics.sorted()) {
      if (one.severity == agneto::Severity::error) errors.push_back(finding_of(one));
    }
    const Finding first = errors.front();
    throw Error(place_of(first), first.message, first.help, std::move(errors));
  }
  impl_ = std::make_shared<const Impl>(Impl{linted.system, {linted.system->roots, library}});
}

const std::string& Workflow::name() const {
  return impl_->system->main().name;
}

}  // namespace agneto::embed
