// agneto replay

#include "replay/replay.h"

#include <fmt/format.h>

#include "base/files.h"
#include "cli/commands.h"
#include "record/options.h"
#include "run/prepare.h"
#include "run/request.h"
#include "run/secrets.h"
#include "ui/json_lines.h"
#include "ui/replay_text.h"
#include "workspace/history.h"

namespace agneto::cli {
namespace {

struct Options {
  std::string run;
  std::string workflow;
  bool prompts = false;
  bool json = false;
};

// A workflow with its Lua, from wherever its files are.
struct Loaded {
  Loaded(const fs::path& file, const Files& files, const fs::path& library)
      : workflow(run::load_workflow(file, files)) {
    const script::ModulePaths modules{workflow.system->root, library};
    evaluator = run::check_scripts(*workflow.system, files, modules);
    script.emplace(replay::Script{*workflow.system, *evaluator, files, modules});
  }

  model::Loaded workflow;
  std::unique_ptr<chart::Evaluator> evaluator;
  std::optional<replay::Script> script;
};

ExitStatus play(const Options& options, const Context& context) {
  end_with_the_reader();
  const auto journal = run::required_journal(context.folder);
  const journal::RunRecord run = run::find_run(*journal, options.run);
  journal->check(run.id);
  const fs::path library = context.resources.share / "scripts" / "lib";
  const fs::path home = run::home_of(context.folder);

  const Redactor redactor = run::redactor_for(home);
  const Disk disk;
  const RecordedFiles files(journal->sources(run.id), disk);
  const Loaded recorded(run.file, files, library);
  std::optional<Loaded> edited;
  if (!options.workflow.empty()) {
    edited.emplace(run::find_workflow(options.workflow, context.folder, context.resources), disk,
                   library);
  }
  const std::string root = record::options_of(run).root;
  const run::Config config = run::read_config(
      fs::path(root.empty() ? home.string() : root) / ".agneto" / "config.yaml", disk);
  replay::ReplayOptions how;
  how.prompts = options.prompts;
  how.config = &config;
  how.workspace = [&](const std::string& path, const std::string& checkpoint) {
    if (!chart::workspace_of(recorded.script->system, path).empty()) {
      throw Error("the item's own worktree is gone");
    }
    const auto then = workspace::changes_at(home, run.id, checkpoint);
    return run::workspace_json(then.since_base, then.since_last_commit);
  };
  // Its owner may be at work: the state is that of the last entry that was read.
  const auto entries = record::decode(journal->entries(run.id));
  const auto replay =
      replay::replay(run, entries, journal->state_at(run.id, entries.back().seq), *recorded.script,
                     edited ? *edited->script : *recorded.script, how);
  if (options.json) {
    fmt::print("{}", ui::to_line(redactor.json(ui::replay_json(replay, run.id))));
  } else {
    std::fputs(redactor.text(ui::replay_text(replay, run.id, options.prompts)).c_str(), stdout);
  }
  return printed(replay.same() ? ExitStatus::complete : ExitStatus::failed);
}

}  // namespace

void add_replay(Program& program) {
  auto options = std::make_shared<Options>();
  Command& command = program.add_command(
      "replay", "Go through a recorded run again without calling anybody, and compare");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("-w,--workflow", &options->workflow,
              "Another workflow, by path or name (default: as it was recorded)");
  command.add("--prompts", &options->prompts, "Write the prompts again, and compare them too");
  command.add("--json", &options->json, "As one JSON object");
  command.footer = R"(Examples:
  agneto replay last                                   does the record hold together?
  agneto replay last --workflow .agneto/workflows/mine.yaml
                                                       what would this edit have done?

Exit status: 0 the same path, 1 another one, 2 usage or an invalid workflow.)";
  command.action = [options](const Context& context) { return play(*options, context); };
}

}  // namespace agneto::cli
