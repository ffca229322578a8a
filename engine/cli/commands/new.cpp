// agneto new

#include <fmt/format.h>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/packages.h"
#include "cli/templates.h"
#include "model/load.h"
#include "ui/json_lines.h"

namespace agneto::cli {
namespace {

struct NewOptions {
  std::string name;
  std::string from = "minimal";
  bool list = false;
  bool json = false;
};

// The command that runs it, with a task if the workflow takes one.
std::string run_command(const fs::path& workflow, const std::string& name,
                        const fs::path& library) {
  std::string command = "run -w " + name;
  Diagnostics ignored;
  const model::Loaded loaded = model::load(workflow, Disk(), ignored, library);
  if (!loaded.system) return command;
  return loaded.system->main().main_input() ? command + " 'Say hello in the README'" : command;
}

ExitStatus list(const NewOptions& options, const Context& context) {
  const auto all = templates(context.resources.share);
  std::size_t width = 0;
  for (const Template& each : all) width = std::max(width, each.name.size());
  for (const Template& each : all) {
    if (options.json) {
      fmt::print("{}", ui::to_line({{"name", each.name}, {"description", each.description}}));
    } else {
      fmt::print("{:<{}}  {}\n", each.name, width, each.description);
    }
  }
  return printed(ExitStatus::complete);
}

// Writes all files or none: if one of them exists already, nothing is written.
ExitStatus make(const NewOptions& options, const Context& context) {
  if (options.name.empty()) {
    throw Error("new needs a NAME for the workflow", "--list shows what it can start from");
  }
  const fs::path home = run::checkout_of(context.folder) / ".agneto";
  const auto files = instantiate(context.resources.share, options.from, options.name);
  for (const NewFile& file : files) {
    if (is_there(home / file.path)) {
      throw Error((home / file.path).string() + " is there already, and stays as it is",
                  "take another name, or move that file away first");
    }
  }
  for (const NewFile& file : files) {
    std::error_code error;
    fs::create_directories((home / file.path).parent_path(), error);
    if (error) {
      throw Error("cannot make the folder " + (home / file.path).parent_path().string() + ": " +
                      error.message(),
                  "look at its permissions", ExitStatus::failed);
    }
    write_file(home / file.path, file.text);
  }
  const auto shown = [&](const fs::path& path) { return shown_from(context, home / path); };
  if (options.json) {
    Json paths = Json::array();
    for (const NewFile& file : files) paths.push_back((home / file.path).string());
    fmt::print("{}", ui::to_line({{"workflow", options.name}, {"files", std::move(paths)}}));
    return printed(ExitStatus::complete);
  }
  for (const NewFile& file : files) fmt::print("wrote {}\n", shown(file.path));
  const std::pair<std::string, const char*> next[] = {
      {fmt::format("graph {0} -o {0}.svg", options.name), "look at it"},
      {"lint " + shown("workflows/" + options.name + ".yaml"), "find its mistakes"},
      {"test " + options.name, "play its tests"},
      {run_command(home / "workflows" / (options.name + ".yaml"), options.name,
                   context.resources.library()),
       "run it"}};
  std::size_t width = 0;
  for (const auto& [command, what] : next) width = std::max(width, command.size());
  fmt::print("\nNext:\n");
  for (const auto& [command, what] : next) {
    fmt::print("  agneto {:<{}}  {}\n", command, width, what);
  }
  return printed(ExitStatus::complete);
}

}  // namespace

void add_new(Program& program) {
  auto options = std::make_shared<NewOptions>();
  CommandLine& command =
      program.add_command("new", "Start a workflow of your own: its file, hooks and tests");
  command.add("NAME", &options->name, "What it is to be called");
  command.add("--from", &options->from, "The template that it is made from; see --list",
              {.shown_default = options->from});
  command.add("--list", &options->list, "List the templates instead");
  command.add("--json", &options->json, "What was written, or the list, as JSON");
  command.footer = R"(Examples:
  agneto new --list
  agneto new triage                  .agneto/workflows/triage.yaml and what belongs to it
  agneto new checked --from review   with a reviewer, and a person who decides
  agneto new ours --from agneto      the bundled workflow, to be changed

Nothing that is there is written over. Exit status: 0 written, 1 it could not be, 2 usage.)";
  command.action = [options](const Context& context) {
    end_with_the_reader();
    return options->list ? list(*options, context) : make(*options, context);
  };
}

}  // namespace agneto::cli
