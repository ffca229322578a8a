#include "cli/commands.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <system_error>

#include "ui/screen.h"

namespace agneto::cli {
namespace {

// Of the user, as XDG has it: what `variable` names, else `below` in their home.
fs::path folder_of_user(const char* variable, const char* below) {
  if (fs::path named = ui::variable({variable}, ""); !named.empty()) return named / "agneto";
  if (fs::path home = ui::variable({"HOME"}, ""); !home.empty()) return home / below / "agneto";
  return {};
}

fs::path first_existing(const std::vector<fs::path>& candidates, const char* marker) {
  for (const auto& candidate : candidates) {
    std::error_code ignored;
    if (!candidate.empty() && fs::exists(candidate / marker, ignored)) {
      return candidate.lexically_normal();
    }
  }
  return {};
}

}  // namespace

void describe(Program& program) {
  program.footer = R"(Examples:
  agneto run "fix the login redirect"        refine, plan, build, review; asks at the gates
  agneto run --file task.md --auto-merge     a longer task, merged into your branch at the end
  agneto run "..." --agent codex             with Codex (claude, codex, opencode, gemini, command)
  agneto submit "fix the login redirect"     the same without a terminal: 'agneto serve' does it
  agneto runs                                what has run here, and how it stands
  agneto resume last                         go on after a suspension, a crash, a reboot
  agneto answer last APPROVED                answer a question, from any terminal
  agneto new mine                            start a workflow of your own
  agneto add URL@REV                         bring a package of workflows from elsewhere
  agneto lint .agneto/workflows/mine.yaml    every mistake in a workflow, at once
  agneto simulate .agneto/workflows/mine.yaml  try it by hand, without an agent
  agneto graph agneto -o agneto.svg          a picture of a workflow

Exit status: 0 complete, 1 failed or abandoned, 2 usage or invalid workflow, 3 suspended,
4 aborted.)";
  for (auto* add :
       {add_run,      add_submit,    add_serve,  add_worker, add_workers,  add_mcp,     add_wait,
        add_token,    add_schedules, add_resume, add_runs,   add_show,     add_log,     add_diff,
        add_clean,    add_doctor,    add_export, add_import, add_record,   add_answer,  add_send,
        add_suspend,  add_abort,     add_rewind, add_retry,  add_fork,     add_new,     add_list,
        add_add,      add_update,    add_remove, add_vendor, add_lint,     add_explain, add_lsp,
        add_simulate, add_graph,     add_test,   add_replay, add_complete, add_manual}) {
    add(program);
  }
  for (CommandLine& command : program.commands) {
    if (command.is_for_scripts()) continue;
    command.add("--log-level", &program.log_level,
                "From which level on .agneto/log/agneto.log is written (default: info, or as "
                "AGNETO_LOG has it)",
                {.choices = {"debug", "info", "warning", "error", "off"}});
    command.add(
        "--journal", &program.journal,
        "The database that runs are recorded in, such as postgresql://db.example.com/agneto "
        "(default: as AGNETO_JOURNAL or .agneto/config.yaml has it, or else .agneto/runs.db)",
        {.shown_as = "URL"});
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

fs::path workflow_file(const std::string& wanted, const Context& context) {
  const fs::path found = run::find_workflow(wanted, context.folder, context.resources);
  return (context.folder / wanted).lexically_normal() == found ? fs::path(wanted) : found;
}

run::Resources find_resources() {
  fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  run::Resources resources;
  // Installed, share/agneto stands beside bin/; in a build tree the sources are two folders up.
  resources.share = first_existing({ui::variable({"AGNETO_HOME"}, ""),
                                    program / ".." / "share" / "agneto", program / ".." / ".."},
                                   "scripts/lib/agneto.lua");
  if (resources.share.empty()) {
    throw Error("the bundled workflows and scripts are not beside " + program.string(),
                "set AGNETO_HOME to the folder that holds workflows/ and scripts/");
  }
  // They are built by themselves, into the folder that holds the build trees.
  resources.pages = first_existing(
      {program / ".." / "share" / "agneto" / "web", program / ".." / "web"}, "index.html");
  fs::path guard = first_existing({program, program / ".." / "libexec" / "agneto"}, "agneto-guard");
  if (guard.empty()) {
    throw Error("agneto-guard is not beside " + program.string(),
                "build or install the whole of Agneto: ./dev build");
  }
  resources.guard = guard / "agneto-guard";
  resources.user = folder_of_user("XDG_CONFIG_HOME", ".config");
  resources.cache = folder_of_user("XDG_CACHE_HOME", ".cache") / "hubs";
  return resources;
}

}  // namespace agneto::cli
