#include "serve/workflows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "lint/report/format.h"
#include "serve/body.h"

namespace agneto::serve {

namespace {

// What is told of a workflow depends on that.
std::string hash_of(const model::Loaded& loaded) {
  std::string all;
  for (const SourcePtr& source : loaded.sources) all += sha256(source->text());
  return all;
}

Json described(const Offered& workflow) {
  Json json = {{"workflow", workflow.name}, {"runs", workflow.system != nullptr}};
  if (!workflow.system) return json;
  const model::Machine& machine = workflow.system->main();
  json["description"] = machine.description;
  json["inputs"] = Json::array();
  for (const auto& input : machine.inputs) {
    json["inputs"].push_back(
        {{"name", input.name}, {"main", input.main}, {"description", input.description}});
  }
  return json;
}

// As people here know it: what comes with the program stands below its own folder.
std::string known_as(const fs::path& file, const fs::path& folder, const fs::path& share) {
  for (const fs::path& around : {folder, share}) {
    std::error_code none;
    const fs::path within =
        fs::weakly_canonical(file, none).lexically_relative(fs::weakly_canonical(around, none));
    if (!within.empty() && *within.begin() != "..") return valid_utf8(within.string());
  }
  return valid_utf8(file.string());
}

Json described(const lint::Finding& finding, const fs::path& folder, const fs::path& share) {
  const Diagnostic& diagnostic = finding.diagnostic;
  Json json = {{"severity", to_text(diagnostic.severity)},
               {"code", lint::rule_of(diagnostic).code},
               {"message", valid_utf8(diagnostic.message)}};
  if (!diagnostic.help.empty()) json["help"] = valid_utf8(diagnostic.help);
  if (!diagnostic.span) return json;
  const lint::Region where = lint::region(diagnostic.span);
  json["file"] = known_as(where.path, folder, share);
  json["line"] = where.line;
  json["column"] = where.column;
  return json;
}

}  // namespace

std::vector<std::string> offered_names(const fs::path& folder, const run::Resources& resources) {
  std::vector<std::string> names = run::workflow_names(folder, resources);
  std::ranges::move(run::packaged_workflows(folder), std::back_inserter(names));
  return names;
}

std::vector<Offered> offered(const fs::path& folder, const run::Resources& resources) {
  std::vector<Offered> all;
  for (const std::string& name : offered_names(folder, resources)) {
    Diagnostics diagnostics;
    const auto loaded = model::load(run::find_workflow(name, folder, resources), Disk(),
                                    diagnostics, resources.library());
    all.push_back({name, loaded.system});
  }
  return all;
}

Workflows::Workflows(fs::path folder, const run::Resources& resources, const Pictures& pictures,
                     Linter linter)
    : folder_(std::move(folder)),
      resources_(resources),
      pictures_(pictures),
      linter_(std::move(linter)) {}

fs::path Workflows::find(const std::string& name) const {
  require_offered<NotFound>(name, offered_names(folder_, resources_));
  return run::find_workflow(name, folder_, resources_);
}

Json Workflows::list() const {
  Json workflows = Json::array();
  for (const Offered& workflow : offered(folder_, resources_)) {
    workflows.push_back(described(workflow));
  }
  return workflows;
}

Json Workflows::shown(const std::string& name) const {
  const fs::path file = find(name);
  Diagnostics diagnostics;
  const auto loaded = model::load(file, Disk(), diagnostics, resources_.library());
  Json json = described(Offered{name, loaded.system});
  json["files"] = Json::array();
  for (const SourcePtr& source : loaded.sources) {
    json["files"].push_back({{"file", known_as(source->path(), folder_, resources_.share)},
                             {"text", valid_utf8(source->text())}});
  }
  json["findings"] = findings_of(file, loaded);
  return json;
}

// Linting costs up to seconds of the processor's time, and is asked for by whoever looks.
Json Workflows::findings_of(const fs::path& file, const model::Loaded& loaded) const {
  return Json::parse(findings_.answer(file.string() + "\n" + hash_of(loaded), [&] {
    const auto alone = linting_.take();
    Json findings = Json::array();
    for (const lint::Finding& finding : linter_(file).findings) {
      if (finding.suppressed) continue;
      findings.push_back(described(finding, folder_, resources_.share));
    }
    return findings.dump();
  }));
}

std::string Workflows::svg(const std::string& name, int depth, const Redactor& redactor) const {
  Diagnostics diagnostics;
  const auto loaded = model::load(find(name), Disk(), diagnostics, resources_.library());
  if (!loaded.system) {
    throw Error("the workflow '" + name + "' has mistakes", "'agneto lint' tells them");
  }
  return pictures_.svg(
      fmt::format("workflow {} {} {}", name, depth, hash_of(loaded)),
      [&] { return graph::draw(*loaded.system, 0, depth, {}); }, redactor);
}

}  // namespace agneto::serve
