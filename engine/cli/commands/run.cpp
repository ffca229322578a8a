// agneto run

#include "cli/commands.h"
#include "cli/dry_run.h"
#include "cli/export_formats.h"
#include "cli/new_run.h"
#include "cli/served.h"
#include "cli/work.h"
#include "record/cassette_file.h"

namespace agneto::cli {
namespace {

struct RunOptions {
  NewRunOptions run;
  std::string record;
  bool non_interactive = false;
  bool interactive = false;
  bool json = false;
  bool dry = false;
  bool detach = false;
  std::vector<std::string> choices;
};

}  // namespace

void add_run(Program& program) {
  auto options = std::make_shared<RunOptions>();
  run::Request& wanted = options->run.request;
  CommandLine& command = program.add_command("run", "Run a workflow on this repository");
  options->run.add_to(command);
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
  command.add("--detach", &options->detach,
              "Leave it to a server in the background, which is started where there is none; "
              "'agneto log -f' follows it",
              {.excludes = {"--record", "--fuzzy", "--speed", "--fault", "--interactive", "--json",
                            "--dry-run"}});
  command.footer = R"(Examples:
  agneto run "add a --shout flag"
  agneto run "add a --shout flag" --input verify="make test" --auto-merge
  agneto run --file task.md --agent claude --model opus --base develop
  agneto run "..." --non-interactive --json | jq .type
  agneto run "..." --record again.yaml
  agneto run "..." --cassette again.yaml --fault hang@IMPLEMENTING
  agneto run "..." --dry-run --choose CURMUDGEON=CURMUDGEON_SIMPLIFY)";
  command.more_help = [options](const Context& context) {
    return show_workflow(options->run.request.workflow, context);
  };
  command.action = [options](const Context& context) {
    run::Request request = options->run.wanted(context);
    request.record = recording_file(context.folder, options->record);
    Manner manner;
    manner.json = options->json;
    manner.interactive = !options->non_interactive;
    manner.faults = request.playback.faults;
    if (options->detach) {
      request.interactive = manner.interactive;
      return submit(context, request, {.start_server = true});
    }
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
