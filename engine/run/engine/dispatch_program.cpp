// The programs that a workflow runs: a part of the dispatcher.
#include <algorithm>
#include <system_error>

#include "base/files.h"
#include "run/engine/dispatcher.h"

namespace agneto::run {
namespace {

// What a program prints reaches the machine bounded, as it ends up in prompts: so many bytes of
// what it prints, and as many of its errors.
constexpr std::size_t most_printed = 32 * 1024;

const char* event_of(const process::Exit& exit) {
  switch (exit.kind) {
    case process::Exit::Kind::exited:
      return exit.status == 0 ? "ok" : "failed";
    case process::Exit::Kind::timed_out:
    case process::Exit::Kind::idle:
      return "error.timeout";
    case process::Exit::Kind::not_started:
      return "error.spawn";
    default:
      return "error.exit";
  }
}

}  // namespace

void Dispatcher::run_program(const chart::RunCommand& program) {
  const std::string& path = program.path;
  const auto recorded = setup_.record.entries_of(run_.id, path);
  const bool cut_off = std::any_of(recorded.begin(), recorded.end(), [](const auto& old) {
    return old.kind == record::ProgramCall::kind;
  });
  if (cut_off && program.once) {
    return client_.ended(
        {path,
         "error.interrupted",
         {{"message", "the command was cut off and may not run twice (once: true)"}}});
  }
  const std::string checkpoint = trees_.of(path).checkpoint(path);
  const std::string item = calls_.item_name(path);
  client_.recorded(
      reporter_.append(path, record::ProgramCall{program.argv, checkpoint, item, program.cwd}));
  reporter_.publish(path, record::CommandStarted{program.argv, item, program.cwd});
  start(program, true, [=, this](const Job& job, const std::stop_token& stop) {
    return make_run(job, program, checkpoint, stop);
  });
}

// On the program's thread.
Dispatcher::Result Dispatcher::make_run(const Job& job, const chart::RunCommand& program,
                                        const std::string& checkpoint,
                                        const std::stop_token& stop) {
  for (int tries = 1;; ++tries) {
    Result result = try_run(job, program, checkpoint, stop);
    const bool over = result.event.empty() || !program.retry.takes(result.event);
    if (over || tries >= program.retry.tries || job.disowned) {
      if (!over && tries > 1) {
        result.data["message"] = "failed " + std::to_string(tries) + " times; the last time: " +
                                 result.data.at("message").get<std::string>();
      }
      return result;
    }
    const Millis wait = program.retry.wait(tries, setup_.agents.random());
    const std::string said =
        "try " + std::to_string(tries) + " of " + std::to_string(program.retry.tries) + ": " +
        result.data.at("message").get<std::string>() + "; again in " + format_duration(wait);
    job.show(record::Note{said});
    job.reporter.append(job.path, record::Noted{said});
    job.tree.restore(checkpoint);
    if (!setup_.agents.clock.sleep(wait, stop)) {
      Result stopped;
      stopped.before = stopped.good = checkpoint;
      return stopped;
    }
  }
}

// Fills in where the program runs; says why it cannot run there.
std::optional<std::string> Dispatcher::place(process::Spec& spec, const Job& job,
                                             const std::string& folder) {
  spec.cwd = job.tree.path();
  if (folder.empty()) return std::nullopt;
  spec.cwd /= folder;
  std::error_code none;
  if (!fs::is_directory(spec.cwd, none)) return "there is no folder '" + folder + "'";
  if (is_within(fs::weakly_canonical(spec.cwd), fs::weakly_canonical(job.tree.path()))) {
    return std::nullopt;
  }
  return "a symbolic link in '" + folder + "' leads out of the worktree";
}

Dispatcher::Result Dispatcher::try_run(const Job& job, const chart::RunCommand& program,
                                       const std::string& checkpoint, const std::stop_token& stop) {
  process::Spec spec;
  spec.argv = program.argv;
  if (const auto why = place(spec, job, program.cwd)) {
    return {"error.spawn", {{"status", -1}, {"output", ""}, {"message", *why}}};
  }
  spec.env = program.env;
  spec.reach = {.tree = job.tree.path(), .writes = !program.read_only};
  spec.env.emplace_back("AGNETO_EFFECT_ID", effect_id(job.path));
  spec.timeout = program.timeout;
  spec.max_output = most_printed;
  ProgramListener listener(job, true);
  const process::Exit exit = setup_.runner.run(spec, listener, stop);
  listener.tell_left_out();
  const auto access = program.read_only ? model::Access::read_only : model::Access::edit;
  Result result;
  const std::vector<std::string> deeds = job.put_right("the command", access);
  for (const std::string& deed : deeds) job.reporter.append(job.path, record::Noted{deed});
  if (exit.kind == process::Exit::Kind::stopped) {
    result.deeds = deeds;
  } else {
    job.show_notes(deeds);
  }
  job.tree.touched();
  result.before = checkpoint;
  if (job.disowned) return result;
  if (exit.kind == process::Exit::Kind::stopped && !program.read_only) {
    result.good = checkpoint;
    return result;
  }
  if (!exit.ok() && exit.kind != process::Exit::Kind::stopped && !program.once) {
    job.require_room("the command of " + job.path + " failed (" + process::describe(exit, spec) +
                     ")");
  }
  if (exit.kind == process::Exit::Kind::stopped || !job.tree.intact()) {
    job.tree.restore(checkpoint);
  } else if (program.read_only && job.tree.undo_since(checkpoint)) {
    const std::string said = "what the command left in the worktree was taken back";
    job.show(record::Note{said});
    job.reporter.append(job.path, record::Noted{said});
  }
  result.after = program.read_only ? checkpoint : job.tree.checkpoint(job.path);
  result.event = event_of(exit);
  result.data = {{"status", exit.status},
                 {"output", exit.output + exit.error},
                 {"message", process::describe(exit, spec)}};
  return result;
}

}  // namespace agneto::run
