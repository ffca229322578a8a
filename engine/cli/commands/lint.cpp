// agneto lint

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/line_diff.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/lint_report.h"
#include "cli/watching.h"
#include "lint/catalogue.h"
#include "lint/report/collect.h"
#include "lint/report/fix.h"
#include "lint/report/format.h"
#include "lint/report/report.h"
#include "model/load.h"
#include "model/packages.h"
#include "model/rules.h"
#include "run/call_settings.h"
#include "run/prepare.h"
#include "yaml/writer.h"

namespace agneto::cli {

namespace {

struct LintCommandOptions {
  std::vector<std::string> files;
  std::string format = "text";
  std::string fail_on = "error";
  bool fix = false;
  bool dry_run = false;
  bool watch = false;
  bool list_rules = false;
  bool no_explore = false;
  bool report = false;
  bool print = false;

  LintOptions how() const { return {.explore = !no_explore, .assess = report}; }
};

// Only lint has it: the mistake is in this program, and not in a workflow.
constexpr auto internal_error = static_cast<ExitStatus>(3);

std::string list_of_rules(const std::vector<const Rule*>& all, const std::string& format) {
  if (format == "json") {
    Json rules = Json::array();
    for (const Rule* rule : all) {
      rules.push_back({{"code", rule->code},
                       {"name", rule->name},
                       {"severity", to_text(rule->severity())},
                       {"fixable", rule->fixable},
                       {"description", rule->description}});
    }
    return rules.dump(2) + "\n";
  }
  if (format != "text") {
    throw Error("--list-rules has no format " + format, "there are text and json");
  }
  std::size_t width = 0;
  for (const Rule* rule : all) width = std::max(width, rule->name.size());
  std::string text;
  for (const Rule* rule : all) {
    text += fmt::format("{}  {:{}}  {}{}\n", rule->code, rule->name, width, rule->description,
                        rule->fixable ? " (--fix)" : "");
  }
  return text;
}

// The catalogue's, and the team's own as far as they can be read.
std::vector<const Rule*> all_rules(const Context& context) {
  std::vector<const Rule*> all = lint::catalogue();
  Diagnostics ignored;
  const auto team =
      lint::read_team_rules(rules_folder_of(context), Disk(), context.resources.library(), ignored);
  const std::vector<const Rule*> own = team->rules();
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

// The workflows; none where there is but a configuration.
std::vector<std::string> arguments_of(const LintCommandOptions& options, const Context& context) {
  const fs::path configuration = configuration_of(context);
  std::vector<std::string> arguments = options.files;
  std::erase_if(arguments, [&](const std::string& argument) {
    std::error_code gone;
    return fs::equivalent(argument, configuration, gone);
  });
  if (!options.files.empty()) return arguments;
  const fs::path own = configuration.parent_path() / "workflows";
  if (fs::is_directory(own)) return {own.string()};
  if (fs::exists(configuration)) return {};
  throw Error("lint what?", "give a workflow's file, a folder, or a pattern in quotes");
}

ExitStatus tell(const lint::Report& report, const LintCommandOptions& options) {
  const Severity bar = options.fail_on == "warning" ? Severity::warning : Severity::error;
  for (const lint::Format& format : lint::formats()) {
    if (format.name != options.format) continue;
    fmt::print("{}", format.write(report, {AGNETO_VERSION, bar}));
  }
  return printed(report.reaches(bar) ? ExitStatus::failed : ExitStatus::complete);
}

// Messages for people go to standard error if standard output is read by a program.
std::FILE* notes(const LintCommandOptions& options) {
  return options.format == "text" ? stdout : stderr;
}

// Prints what would be written as a diff, and nothing else: `patch -p0` takes it.
ExitStatus show_fixes(const lint::Fixed& fixed) {
  for (const auto& [path, correction] : fixed.files) {
    fmt::print("{}", unified_diff(path, correction.before, correction.after));
  }
  return printed(fixed.files.empty() ? ExitStatus::complete : ExitStatus::failed);
}

ExitStatus fix_files(const std::vector<std::string>& arguments, const LintCommandOptions& options,
                     const Context& context) {
  const Disk disk;
  const lint::Fixed fixed = lint::fix(
      [&](const Files& files) { return lint_report(arguments, options.how(), context, files); },
      disk);
  if (options.dry_run) return show_fixes(fixed);
  lint::write(fixed.files, disk);
  for (const std::string& step : fixed.steps) fmt::print(notes(options), "fixed: {}\n", step);
  return tell(fixed.report, options);
}

// The machine that a file is together with those that it extends.
ExitStatus print_whole(const LintCommandOptions& options, const Context& context) {
  if (options.files.size() != 1) throw Error("--print needs one FILE", "name the workflow's file");
  Diagnostics diagnostics;
  const auto loaded =
      model::load(options.files.front(), Disk(), diagnostics, context.resources.library());
  if (diagnostics.has_errors()) throw InvalidFile(render(diagnostics));
  fmt::print("{}", printable(yaml::to_yaml(*loaded.trees.front())));
  return printed(ExitStatus::complete);
}

ExitStatus lint_files(const LintCommandOptions& options, const Context& context) {
  if (options.report && options.format != "text" && options.format != "json") {
    throw Error("--report has no format " + options.format, "there are text and json");
  }
  const auto arguments = arguments_of(options, context);
  if (options.fix) return fix_files(arguments, options, context);
  const auto round = [&](const Files& files) {
    return tell(lint_report(arguments, options.how(), context, files), options);
  };
  if (!options.watch) return round(Disk());
  const auto scope = [&] {
    const fs::path rules = rules_folder_of(context);
    Scope now{lint::team_rule_files(rules), lint::workflow_folders(arguments)};
    if (fs::is_directory(rules)) now.folders.insert(rules);
    try {
      for (fs::path& file : lint::workflow_files(arguments)) now.files.push_back(std::move(file));
      for (fs::path& file : lint::package_files(arguments)) now.files.push_back(std::move(file));
    } catch (const Error&) {
      // The round itself reports an argument that leads nowhere.
    }
    return now;
  };
  return again_and_again(scope, round, notes(options));
}

}  // namespace

void add_lint(Program& program) {
  auto options = std::make_shared<LintCommandOptions>();
  CommandLine& command =
      program.add_command("lint", "Report every mistake in workflow files and the configuration");
  command.add(
      "FILE", &options->files,
      "Workflow files, package.yaml, folders of them, or patterns in quotes ('flows/**/*.yaml'); "
      "your .agneto/workflows unless said. Your .agneto/config.yaml is looked at with them");
  const std::vector<std::string> names = names_of(lint::formats());
  command.add("--format", &options->format, "What to print: " + join(names, ", "),
              {.choices = names, .shown_default = options->format});
  command.add("--fail-on", &options->fail_on, "The least that counts: error, warning",
              {.choices = {"error", "warning"}, .shown_default = options->fail_on});
  command.add("--fix", &options->fix, "Correct in the files what is safe to correct, and say what");
  command.add("--dry-run", &options->dry_run, "Only show what --fix would change, as a diff",
              {.needs = "--fix"});
  command.add("--watch", &options->watch, "Lint again whenever a file changes, until Ctrl+C",
              {.excludes = {"--fix"}});
  command.add("--list-rules", &options->list_rules, "Print all rules instead");
  command.add("--no-explore", &options->no_explore,
              "Do not look at all configurations that a machine can get into");
  command.add("--report", &options->report,
              "Say what was explored, too, and the most that a run can come to");
  command.add("--print", &options->print,
              "Print FILE as one machine, together with what it extends, instead",
              {.excludes = {"--fix", "--watch", "--list-rules", "--report"}});
  command.footer = R"(Examples:
  agneto lint .agneto/workflows
  agneto lint 'flows/**/*.yaml' --fail-on warning --format github
  agneto lint --fix --dry-run
  agneto lint --watch flows
  agneto explain E203

Exit status: 0 nothing found that counts, 1 something, 2 usage, 3 a mistake of this program.)";
  command.action = [options](const Context& context) {
    end_with_the_reader();
    try {
      if (options->print) return print_whole(*options, context);
      if (!options->list_rules) return lint_files(*options, context);
      fmt::print("{}", list_of_rules(all_rules(context), options->format));
      return printed(ExitStatus::complete);
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      throw Error(fmt::format("lint failed: {}", error.what()),
                  "that is a mistake of Agneto; please report it", internal_error);
    }
  };
}

}  // namespace agneto::cli
