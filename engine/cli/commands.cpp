#include "cli/commands.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>

namespace agneto::cli {

void describe(Program& program) {
  program.footer = R"(Examples:
  agneto run "fix the login redirect"        refine, plan, build, review; asks at the gates
  agneto run --file task.md --auto-merge     a longer task, merged into your branch at the end
  agneto run "..." --agent codex             with Codex (claude, codex, opencode, gemini, command)
  agneto runs                                what has run here, and how it stands
  agneto resume last                         go on after a suspension, a crash, a reboot
  agneto answer last APPROVED                answer a question, from any terminal
  agneto new mine                            start a workflow of your own
  agneto lint .agneto/workflows/mine.yaml    every mistake in a workflow, at once
  agneto simulate .agneto/workflows/mine.yaml  try it by hand, without an agent
  agneto graph agneto -o agneto.svg          a picture of a workflow

Exit status: 0 complete, 1 failed or abandoned, 2 usage or invalid workflow, 3 suspended,
4 aborted.)";
  add_run(program);
  add_resume(program);
  add_runs(program);
  add_show(program);
  add_log(program);
  add_diff(program);
  add_clean(program);
  add_doctor(program);
  add_export(program);
  add_record(program);
  add_answer(program);
  add_send(program);
  add_suspend(program);
  add_abort(program);
  add_rewind(program);
  add_fork(program);
  add_new(program);
  add_lint(program);
  add_explain(program);
  add_lsp(program);
  add_simulate(program);
  add_graph(program);
  add_test(program);
  add_replay(program);
  add_complete(program);
  add_manual(program);
  for (Command& command : program.commands) {
    if (command.is_for_scripts()) continue;
    command.add("--log-level", &program.log_level,
                "From which level on .agneto/log/agneto.log is written (default: info, or as "
                "AGNETO_LOG has it)",
                {.choices = {"debug", "info", "warning", "error", "off"}});
  }
}

void end_with_the_reader() {
  std::signal(SIGPIPE, SIG_DFL);
}

void print(const Error& error, std::FILE* file) {
  if (dynamic_cast<const InvalidFile*>(&error)) return fmt::print(file, "{}", error.what());
  fmt::print(file, "agneto: {}\n", error.what());
  if (!error.help().empty()) fmt::print(file, "  help: {}\n", error.help());
}

ExitStatus printed(ExitStatus status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  throw Error("cannot write to standard output", "look at where it goes: is that disk full?",
              ExitStatus::failed);
}

}  // namespace agneto::cli
