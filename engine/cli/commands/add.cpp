// agneto add, update, remove, vendor: the packages of a folder of workflows

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/packages.h"
#include "lint/report/collect.h"
#include "lint/report/report.h"
#include "packages/store.h"
#include "process/process.h"
#include "run/assembly.h"
#include "workspace/workspace.h"

namespace agneto::cli {
namespace {

using packages::Store;

struct AddOptions {
  std::string package;  // as it was typed
  std::string name;
  std::string in;
};

Store store_of(const Context& context, const std::string& in) {
  return Store(in.empty() ? packages_of(context.folder)
                          : fs::absolute(context.folder / in).lexically_normal());
}

// What is written here before the first run is not to be committed, but for the lock.
Store prepared_store(const Context& context, const std::string& in) {
  if (in.empty()) workspace::prepare_home(run::checkout_of(context.folder));
  return store_of(context, in);
}

std::string counted(std::size_t count, const std::string& what) {
  return count == 0 ? "" : fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// What lint finds in its workflows, in a line. Nothing of them runs.
void print_findings(const Context& context, const fs::path& folder) {
  const auto workflows = lint::workflow_files({folder.string()});
  Diagnostics unheard;  // of the configuration
  std::vector<SourcePtr> sources;
  const Disk files;
  const fs::path library = context.resources.library();
  const fs::path config = run::config_file(run::checkout_of(context.folder));
  const auto team = lint::read_team_rules(config.parent_path() / "lint", files, library, unheard);
  const auto policy = lint::load_policy(config, files, unheard, sources, team);
  const lint::Report report = lint::report(workflows, files, library, policy);
  if (!report.reaches(Severity::warning)) return;
  const std::string errors = counted(report.errors, "error");
  const std::string warnings = counted(report.warnings, "warning");
  fmt::print("  Lint finds {}{}{} in its workflows: agneto lint {}\n", errors,
             errors.empty() || warnings.empty() ? "" : " and ", warnings,
             shown_from(context, folder));
}

void print_package(const Context& context, const Store& store, const model::Package& package) {
  const auto facts = store.facts_of(package.name);
  fmt::print("  {}\n", printable(facts.description));
  for (const std::string& program : facts.programs) {
    if (process::find_program(program)) continue;
    fmt::print("  It needs the program '{}', which is not on the PATH.\n", printable(program));
  }
  print_findings(context, model::package_folder(store.root(), package.name));
}

std::string revision(const model::Package& package) {
  return fmt::format("{} ({})", package.rev, package.commit.substr(0, 12));
}

ExitStatus add(const Context& context, const AddOptions& options) {
  Store store = prepared_store(context, options.in);
  const auto package =
      store.add(packages::origin_of(options.package), options.name, context.folder);
  fmt::print("added {} {}\n", package.name, revision(package));
  print_package(context, store, package);
  const fs::path folder = model::package_folder(store.root(), package.name);
  fmt::print(
      "\nIts files are text that your agents will be given. Read them, and commit them with "
      "agneto.lock:\n    {}\n",
      shown_from(context, folder));
  const auto files = run::workflows_in(folder);
  if (!files.empty()) {
    fmt::print("Its workflows, as 'run -w', 'machine:' and 'extends:' name them:\n");
  }
  for (const auto& file : files) fmt::print("    {}/{}\n", package.name, file.string());
  return printed(ExitStatus::complete);
}

void update(Store& store, const Context& context, const std::string& name, const std::string& rev) {
  const auto [before, now] = store.update(name, rev);
  if (before.commit == now.commit && before.rev == now.rev) {
    return fmt::print("{} is up to date: {}\n", name, revision(now));
  }
  fmt::print("updated {}: {} -> {}\n", name, revision(before), revision(now));
  print_package(context, store, now);
  fmt::print("  To see what is different: git diff {}\n",
             shown_from(context, model::package_folder(store.root(), name)));
}

ExitStatus update(const Context& context, const AddOptions& options) {
  Store store = prepared_store(context, options.in);
  std::vector<std::pair<std::string, std::string>> wanted;  // and their revisions
  const auto at = options.package.find('@');
  if (!options.package.empty()) {
    wanted.emplace_back(options.package.substr(0, at),
                        at == std::string::npos ? "" : options.package.substr(at + 1));
  } else {
    for (const auto& package : store.packages()) wanted.emplace_back(package.name, "");
  }
  // One that cannot be had holds up none of the others.
  bool failed = false;
  for (const auto& [name, rev] : wanted) {
    try {
      update(store, context, name, rev);
    } catch (const Error& error) {
      failed = true;
      if (wanted.size() == 1) throw;
      print(error, stderr);
    }
  }
  if (wanted.empty()) fmt::print("there are no packages\n");
  return printed(failed ? ExitStatus::failed : ExitStatus::complete);
}

ExitStatus remove(const Context& context, const AddOptions& options) {
  store_of(context, options.in).remove(options.package);
  fmt::print("removed {}; 'agneto lint' says where it is still named\n", options.package);
  return printed(ExitStatus::complete);
}

ExitStatus vendor(const Context& context, const AddOptions& options) {
  Store store = prepared_store(context, options.in);
  const auto all = store.packages();
  std::vector<std::string> left;  // that could not be brought
  bool brought = false;
  for (const model::Package& package : all) {
    try {
      if (!store.vendor(package)) continue;
      fmt::print("brought {}\n", package.name);
      brought = true;
    } catch (const Error& error) {
      if (all.size() == 1) throw;
      left.push_back(package.name);
      print(error, stderr);
    }
  }
  if (!left.empty()) {
    throw Error("not brought: " + join(left, ", "), "run 'agneto vendor' again when that is mended",
                ExitStatus::failed);
  }
  if (!brought) fmt::print("all packages are here\n");
  return printed(ExitStatus::complete);
}

void add_folder(CommandLine& command, const std::shared_ptr<AddOptions>& options) {
  command.add("--in", &options->in,
              "The folder whose packages are meant: that of a package that needs some itself "
              "(default: .agneto of this checkout)");
}

}  // namespace

void add_add(Program& program) {
  auto options = std::make_shared<AddOptions>();
  CommandLine& command =
      program.add_command("add", "Bring a package of workflows from another git repository");
  command.add("ORIGIN", &options->package,
              "URL@REV or URL//FOLDER@REV; REV is a tag, a branch or a commit", {.required = true});
  command.add("NAME", &options->name, "What it is to be called here (default: as its folder)");
  add_folder(command, options);
  command.footer = R"(Examples:
  agneto add https://example.org/kit.git@v1.2.0
  agneto add git@example.org:team/workflows.git//reviews@main
  agneto add ../kit//reviews@1a2b3c4 old-reviews      another version, under another name

Nothing of it runs; its workflows are linted. Its files are in .agneto/packages/NAME, and
.agneto/agneto.lock says what they are. Exit status: 0 added, 1 it could not be, 2 usage.)";
  command.action = [options](const Context& context) { return add(context, *options); };
}

void add_update(Program& program) {
  auto options = std::make_shared<AddOptions>();
  CommandLine& command = program.add_command("update", "Bring what is new in packages");
  command.add("PACKAGE", &options->package,
              "Its name, or NAME@REV for another revision (default: all)");
  add_folder(command, options);
  command.footer = R"(Examples:
  agneto update                 those that follow a branch
  agneto update reviews@v1.3.0

A tag that was moved and a history that was rewritten are refused, unless REV is given.
Exit status: 0 updated or up to date, 1 it could not be, 2 usage.)";
  command.action = [options](const Context& context) { return update(context, *options); };
}

void add_remove(Program& program) {
  auto options = std::make_shared<AddOptions>();
  CommandLine& command = program.add_command("remove", "Take a package away again");
  command.add("PACKAGE", &options->package, "Its name", {.required = true});
  add_folder(command, options);
  command.action = [options](const Context& context) { return remove(context, *options); };
}

void add_vendor(Program& program) {
  auto options = std::make_shared<AddOptions>();
  CommandLine& command = program.add_command(
      "vendor", "Bring the packages of agneto.lock that are not here, each at its commit");
  add_folder(command, options);
  command.action = [options](const Context& context) { return vendor(context, *options); };
}

}  // namespace agneto::cli
