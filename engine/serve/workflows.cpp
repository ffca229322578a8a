#include "serve/workflows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "graph/trail.h"
#include "lint/report/format.h"
#include "play/scenario.h"
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
                     const Scenarios& scenarios, Linter linter)
    : folder_(std::move(folder)),
      resources_(resources),
      pictures_(pictures),
      scenarios_(scenarios),
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

std::string Workflows::svg(const std::string& name, int depth, bool covered,
                           const Redactor& redactor) const {
  const fs::path file = find(name);
  const auto loaded = load(name, file);
  graph::Trail trail;
  std::string by;
  if (covered) {
    const auto played = this->played(name, play::scenario_test_of(file), loaded);
    if (!played) throw Error("the workflow '" + name + "' has no scenario tests");
    by = to_text(played->coverage);
    trail = graph::trail_of(by, "coverage", *loaded.system, loaded.system->main().id);
  }
  return pictures_.svg(
      fmt::format("workflow {} {} {} {}", name, depth, hash_of(loaded), sha256(by)),
      [&] { return graph::draw(*loaded.system, 0, depth, trail); }, redactor);
}

// Throws Error where it has mistakes.
model::Loaded Workflows::load(const std::string& name, const fs::path& file) const {
  Diagnostics diagnostics;
  auto loaded = model::load(file, Disk(), diagnostics, resources_.library());
  if (!loaded.system) {
    throw Error("the workflow '" + name + "' has mistakes", "'agneto lint' tells them");
  }
  return loaded;
}

// Nothing where there is no test file.
std::optional<Played> Workflows::played(const std::string& name, const fs::path& test,
                                        const model::Loaded& loaded) const {
  const auto text = Disk().read(test);
  if (!text) return std::nullopt;
  return scenarios_.play(name, test, test.string() + "\n" + sha256(*text) + hash_of(loaded));
}

Json Workflows::coverage(const std::string& name) const {
  const fs::path file = find(name);
  const fs::path test = play::scenario_test_of(file);
  const auto played = this->played(name, test, load(name, file));
  const auto known = [&](const fs::path& path) {
    return known_as(path, folder_, resources_.share);
  };
  Json told = {{"tests", known(test)},
               {"cases", played ? played->cases : 0},
               {"failed", played ? Json(played->failed) : Json::array()},
               {"machines", Json::array()}};
  if (!played) return told;
  for (Json machine : played->coverage.at("machines")) {
    const fs::path of = machine.at("file").get<std::string>();
    // One that is delegated to and has tests of its own is no business of these.
    const fs::path own = play::scenario_test_of(of);
    std::error_code none;
    if (fs::exists(own, none) && !fs::equivalent(own, test, none)) continue;
    machine["file"] = known(of);
    for (const char* all : {"states", "transitions"}) {
      for (Json& each : machine[all]) {
        if (each.contains("file")) each["file"] = known(each["file"].get<std::string>());
      }
    }
    told["machines"].push_back(std::move(machine));
  }
  return told;
}

}  // namespace agneto::serve
