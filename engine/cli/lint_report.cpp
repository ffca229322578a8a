#include "cli/lint_report.h"

#include "cli/shellcheck.h"
#include "lint/report/collect.h"
#include "model/packages.h"
#include "model/rules.h"
#include "run/call_settings.h"
#include "run/prepare.h"

namespace agneto::cli {

namespace {

fs::path seen_from_here(const fs::path& path, const Context& context) {
  return path.lexically_proximate(context.folder);
}

// What a package says of itself.
SourcePtr read_package(const fs::path& file, const Files& files, Diagnostics& diagnostics) {
  auto text = files.read(file);
  if (!text) {
    diagnostics.report(rules::missing_file, {}, "cannot read the file '" + file.string() + "'");
  }
  const auto source = std::make_shared<const Source>(file.string(), std::move(text).value_or(""));
  if (!text) return source;
  model::read_package(source, diagnostics);
  return source;
}

}  // namespace

fs::path configuration_of(const Context& context) {
  return seen_from_here(run::config_file(run::checkout_of(context.folder)), context);
}

fs::path rules_folder_of(const Context& context) {
  return configuration_of(context).parent_path() / "lint";
}

lint::Report lint_report(const std::vector<std::string>& arguments, const LintOptions& options,
                         const Context& context, const Files& files) {
  const std::vector<fs::path> workflows = lint::workflow_files(arguments);
  const fs::path file = configuration_of(context);
  lint::Findings found;
  const auto team = lint::read_team_rules(rules_folder_of(context), files,
                                          context.resources.library(), found.diagnostics);
  found.keep.push_back(team);
  lint::Policy policy = lint::load_policy(file, files, found.diagnostics, found.sources, team);
  if (!options.explore) policy.set_explores(false);

  const auto config =
      std::make_shared<const run::Config>(run::load_config(file, files, found.diagnostics));
  if (config->source) found.sources.push_back(config->source);
  for (const fs::path& package : lint::package_files(arguments)) {
    found.sources.push_back(read_package(package, files, found.diagnostics));
  }
  const auto drivers = run::provider_folders(context.folder, context.resources);
  run::check_providers(*config, files, drivers, found.diagnostics);
  std::vector<fs::path> known = run::workflows(context.folder, context.resources);
  known.insert(known.end(), workflows.begin(), workflows.end());
  run::check_names(*config, {}, known, files, context.resources.library(), found.diagnostics);
  run::check_schedules(*config, context.folder, context.resources, files, found.diagnostics);
  const auto check_place = [&](const model::System& system, Diagnostics& diagnostics) {
    run::check_settings(system, *config, files, drivers, diagnostics);
    return config;
  };
  return lint::report(workflows, files, context.resources.library(), policy, options.assess,
                      std::move(found), shellcheck(context.resources.guard), check_place);
}

}  // namespace agneto::cli
