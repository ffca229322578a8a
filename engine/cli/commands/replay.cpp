// agneto replay

#include "replay/replay.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "record/options.h"
#include "run/prepare.h"
#include "run/request.h"
#include "run/secrets.h"
#include "ui/json_lines.h"
#include "workspace/history.h"

namespace agneto::cli {
namespace {

struct ReplayOptions {
  std::string run;
  std::string workflow;
  bool prompts = false;
  bool json = false;
};

// A workflow with its Lua, from wherever its files are.
struct Loaded {
  Loaded(model::Loaded loaded, const Files& files, const fs::path& library)
      : workflow(std::move(loaded)) {
    const script::ModulePaths modules{workflow.system->roots, library};
    evaluator = run::check_scripts(*workflow.system, files, modules);
    script.emplace(replay::Script{*workflow.system, *evaluator, files, modules});
  }

  model::Loaded workflow;
  std::unique_ptr<chart::Evaluator> evaluator;
  std::optional<replay::Script> script;
};

// The most recorded events without a use that are listed.
constexpr std::size_t most_shown = 5;

void add(std::string& text, const std::vector<std::string>& lines) {
  for (const auto& line : lines) text += "  " + printable(line) + "\n";
}

std::string counted(int count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// `prompts`: they were compared too. Lines without escape sequences; secrets are still in them.
std::string text_of(const replay::Replay& replay, const std::string& run, bool prompts) {
  std::string text;
  if (replay.same()) {
    text += fmt::format("{} takes the same path: {}, {}\n", run, counted(replay.steps, "step"),
                        replay.end);
  } else if (replay.first) {
    text += fmt::format("{} takes another path at entry {}, {}  (- recorded, + now)\n", run,
                        replay.first->seq, printable(replay.first->event));
    add(text, replay.first->lines);
    text += fmt::format("\nsteps     {} of {} differ\n", replay.differing, replay.steps);
    text += fmt::format("recorded  {}\nnow       {}\n", replay.recorded_end, replay.end);
  } else {
    text += fmt::format("{} takes the same path, but replies are read otherwise\n", run);
  }
  for (const auto& path : replay.waiting) {
    text += fmt::format("waits     {}: nothing was recorded for it\n", path);
  }
  for (std::size_t i = 0; i < replay.unused.size(); ++i) {
    if (i == most_shown) {
      text += fmt::format("unused    … and {} more: see --json\n", replay.unused.size() - i);
      break;
    }
    text += fmt::format("unused    {}\n", printable(replay.unused[i]));
  }
  for (const auto& verdict : replay.verdicts) {
    text +=
        fmt::format("\nthe reply of {} at {}, entry {}, is read otherwise  (- recorded, + now)\n",
                    verdict.agent, verdict.path, verdict.seq);
    add(text, verdict.lines);
  }
  for (const auto& prompt : replay.prompt_differences) {
    if (!prompt.unknown.empty()) {
      text += fmt::format("\nthe prompt at {}, entry {}, cannot be written again: {}\n",
                          prompt.path, prompt.seq, prompt.unknown);
      continue;
    }
    text += fmt::format(
        "\nthe prompt at {}, entry {}{}, is another  (- recorded, + now)\n", prompt.path,
        prompt.seq,
        prompt.attempt > 1 ? fmt::format(" (attempt {})", prompt.attempt) : std::string());
    add(text, prompt.lines);
  }
  if (prompts && replay.prompt_differences.empty()) {
    text += fmt::format("{}, all as recorded\n", counted(replay.prompts, "prompt"));
  }
  for (const auto& note : replay.notes) text += fmt::format("note      {}\n", printable(note));
  if (!replay.faithful) {
    text += fmt::format(
        "note      the recorded sources do not do what was recorded (another version of "
        "agneto, or 'resume --update'): data is not compared\n");
  }
  return text;
}

Json json_of(const replay::Replay& replay, const std::string& run) {
  Json json = {{"run", run},
               {"same", replay.same()},
               {"faithful", replay.faithful},
               {"steps", replay.steps},
               {"differing", replay.differing},
               {"recorded", replay.recorded_end},
               {"now", replay.end},
               {"first", nullptr},
               {"waiting", replay.waiting},
               {"unused", replay.unused},
               {"notes", replay.notes},
               {"verdicts", Json::array()},
               {"prompts", Json::array()}};
  if (replay.first) {
    json["first"] = {
        {"seq", replay.first->seq}, {"event", replay.first->event}, {"diff", replay.first->lines}};
  }
  for (const auto& each : replay.verdicts) {
    json["verdicts"].push_back(
        {{"seq", each.seq}, {"path", each.path}, {"agent", each.agent}, {"diff", each.lines}});
  }
  for (const auto& each : replay.prompt_differences) {
    json["prompts"].push_back({{"seq", each.seq},
                               {"path", each.path},
                               {"attempt", each.attempt},
                               {"unknown", each.unknown},
                               {"diff", each.lines}});
  }
  return json;
}

ExitStatus play(const ReplayOptions& options, const Context& context) {
  end_with_the_reader();
  const auto journal = run::required_journal(context.folder);
  const journal::RunRecord run = run::find_run(*journal, options.run);
  journal->check(run.id);
  const fs::path library = context.resources.library();
  const fs::path home = run::home_of(context.folder);

  const Redactor redactor = run::redactor_for(home);
  const Disk disk;
  const Overlay files(journal->sources(run.id), disk);
  const Loaded recorded(run::load_recorded(run, files), files, library);
  std::optional<Loaded> edited;
  if (!options.workflow.empty()) {
    const fs::path file = run::find_workflow(options.workflow, context.folder, context.resources);
    edited.emplace(run::load_workflow(file, disk, library), disk, library);
  }
  const std::string root = record::options_of(run).root;
  const run::Config config =
      run::read_config(root.empty() ? home : fs::path(root), files,
                       run::provider_folders(context.folder, context.resources));
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
    fmt::print("{}", ui::to_line(redactor.json(json_of(replay, run.id))));
  } else {
    std::fputs(redactor.text(text_of(replay, run.id, options.prompts)).c_str(), stdout);
  }
  return printed(replay.same() ? ExitStatus::complete : ExitStatus::failed);
}

}  // namespace

void add_replay(Program& program) {
  auto options = std::make_shared<ReplayOptions>();
  CommandLine& command = program.add_command(
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
