// agneto run

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/dry_run.h"
#include "cli/export_formats.h"
#include "cli/runnable.h"
#include "cli/work.h"
#include "model/load.h"
#include "record/cassette_file.h"

namespace agneto::cli {
namespace {

struct Options {
  std::string task;
  std::string file;
  std::vector<std::string> inputs;
  std::string cassette;
  std::string record;
  run::Request request;  // all else of it
  bool non_interactive = false;
  bool interactive = false;
  bool json = false;
  bool dry = false;
  std::vector<std::string> choices;
  LimitOptions limits;
};

run::Request request_of(const Options& options, const Context& context) {
  run::Request request = options.request;
  request.folder = context.folder;
  if (!options.task.empty()) request.task = options.task;
  if (!options.file.empty()) {
    if (request.task) throw Error("both TASK and --file were given", "give one of them");
    request.task = read_text(options.file, "task file", "--file");
  }
  request.inputs = parse_inputs(options.inputs);
  request.limits = options.limits.limits();
  request.cassette = options.cassette.empty() ? fs::path() : fs::absolute(options.cassette);
  request.record = recording_file(context.folder, options.record);
  return request;
}

// The inputs of the workflow that is wanted. One that cannot be loaded is said where it is run.
ExitStatus show_inputs(const std::string& workflow, const Context& context) {
  Diagnostics diagnostics;
  const model::Loaded loaded =
      model::load(run::find_workflow(workflow, context.folder, context.resources), Disk(),
                  diagnostics, context.resources.library());
  if (!loaded.system) return printed(ExitStatus::complete);
  fmt::print("\nInputs of the workflow '{}':\n", loaded.system->main().name);
  for (const std::string& line : described(loaded.system->main().inputs)) {
    fmt::print("  {}\n", line);
  }
  return printed(ExitStatus::complete);
}

}  // namespace

void add_run(Program& program) {
  auto options = std::make_shared<Options>();
  run::Request& wanted = options->request;
  wanted.workflow = "agneto";
  CommandLine& command = program.add_command("run", "Run a workflow on this repository");
  command.add("TASK", &options->task, "What is to be done, in your words");
  command.add("-f,--file", &options->file, "Read the task from a file ('-': standard input)");
  command.add("-w,--workflow", &wanted.workflow,
              "A workflow by name (.agneto/workflows, ~/.config/agneto, bundled) or path",
              {.shown_default = wanted.workflow});
  command.add("-i,--input", &options->inputs, "Another input of the workflow: NAME=VALUE");
  command.add("-a,--agent", &wanted.provider,
              "Who works: auto, claude, codex, opencode, gemini, command, offline");
  command.add("-m,--model", &wanted.model, "The model they use, by its provider's name");
  command.add("-b,--base", &wanted.base, "Start from this branch (default: the current)");
  command.add("--cassette", &options->cassette,
              "Replay scripted replies instead of calling anybody",
              {.excludes = {"--agent", "--model"}});
  command.add("--fuzzy", &wanted.playback.any_prompt,
              "With --cassette: a prompt need not be the recorded one", {.needs = "--cassette"});
  command.add("--speed", &wanted.playback.speed,
              "With --cassette: as fast as recorded (1), twice as fast (2), … (default: all "
              "at once)",
              {.needs = "--cassette"});
  command.add("--fault", &wanted.playback.faults,
              "With --cassette: let the agent of a step hang, print garbage, exit or be slow: "
              "KIND@STEP; again for its next try",
              {.needs = "--cassette"});
  command.add("--record", &options->record,
              "Write the run as a cassette when it ends or is suspended");
  command.add("--auto-merge", &wanted.auto_merge, "Merge into the base branch at the end");
  options->limits.add_to(command);
  command.add("--non-interactive", &options->non_interactive,
              "Ask nobody: gates take their default, or the run suspends");
  command.add("--interactive", &options->interactive,
              "With --cassette: you answer at the gates, not the cassette",
              {.needs = "--cassette", .excludes = {"--non-interactive"}});
  command.add("--json", &options->json, "Print events as JSON lines",
              {.excludes = {"--interactive"}});
  command.add("--dry-run", &options->dry,
              "Print each prompt that would be sent, along the likeliest way; call nobody",
              {.excludes = {"--record", "--fuzzy", "--speed", "--fault", "--max-calls",
                            "--max-cost", "--max-tokens", "--max-time"}});
  command.add("--choose", &options->choices,
              "With --dry-run: what a state's activity ends in: STATE=OUTCOME; again for its "
              "second time",
              {.needs = "--dry-run"});
  command.footer = R"(Examples:
  agneto run "add a --shout flag"
  agneto run "add a --shout flag" --input verify="make test" --auto-merge
  agneto run --file task.md --agent claude --model opus --base develop
  agneto run "..." --non-interactive --json | jq .type
  agneto run "..." --record again.yaml
  agneto run "..." --cassette again.yaml --fault hang@IMPLEMENTING
  agneto run "..." --dry-run --choose CURMUDGEON=CURMUDGEON_SIMPLIFY)";
  command.more_help = [options](const Context& context) {
    return show_inputs(options->request.workflow, context);
  };
  command.action = [options](const Context& context) {
    run::Request request = request_of(*options, context);
    Manner manner;
    manner.json = options->json;
    manner.interactive = !options->non_interactive;
    manner.faults = request.playback.faults;
    if (options->dry) {
      request.interactive = manner.interactive;
      return dry_run(request, options->choices, options->json, context);
    }
    if (options->interactive && !somebody_there()) {
      throw Error("--interactive asks you at a terminal, and there is none",
                  "leave it out, and the cassette answers");
    }
    bool from_cassette =
        !request.cassette.empty() && !options->interactive && !options->non_interactive;
    if (from_cassette) {
      const Json loaded = record::load_cassette(request.cassette, Disk());
      manner.answers = loaded.value("answers", Json::array());
      // The recorded run asked nobody, though it may have been answered while it was suspended.
      if (loaded.value("interactive", Json(true)) == Json(false)) {
        from_cassette = manner.interactive = false;
        if (manner.answers.empty()) manner.answers = nullptr;
      }
    }
    request.interactive = from_cassette || (manner.interactive && !manner.json && somebody_there());
    return work(context, manner, [&](run::Human& human, record::Observer& observer) {
      return run::Assembly::create(request, context.resources, human, observer);
    });
  };
}

}  // namespace agneto::cli
