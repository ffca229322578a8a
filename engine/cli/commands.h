// All commands. Each has a file in cli/commands/ and adds itself to the program.
#pragma once

#include <cstdio>

#include "base/error.h"
#include "cli/command_line.h"
#include "run/assembly.h"

namespace agneto::cli {

struct Context {
  fs::path folder;  // the current one
  run::Resources resources;
  ServerOptions server = {};
};

// Adds all of them, and the program's own examples.
void describe(Program& program);

void add_run(Program& program);
void add_submit(Program& program);
void add_serve(Program& program);
void add_worker(Program& program);
void add_workers(Program& program);
void add_mcp(Program& program);
void add_wait(Program& program);
void add_token(Program& program);
void add_schedules(Program& program);
void add_resume(Program& program);
void add_runs(Program& program);
void add_show(Program& program);
void add_log(Program& program);
void add_diff(Program& program);
void add_clean(Program& program);
void add_doctor(Program& program);
void add_export(Program& program);
void add_import(Program& program);
void add_record(Program& program);
void add_answer(Program& program);
void add_send(Program& program);
void add_suspend(Program& program);
void add_abort(Program& program);
void add_rewind(Program& program);
void add_retry(Program& program);
void add_fork(Program& program);
void add_new(Program& program);
void add_list(Program& program);
void add_add(Program& program);
void add_update(Program& program);
void add_remove(Program& program);
void add_vendor(Program& program);
void add_lint(Program& program);
void add_explain(Program& program);
void add_lsp(Program& program);
void add_simulate(Program& program);
void add_graph(Program& program);
void add_test(Program& program);
void add_replay(Program& program);
void add_complete(Program& program);
void add_manual(Program& program);

// Commands that do nothing but print call this: if their reader has gone (`agneto runs | head`),
// they end as other programs do, without a message.
void end_with_the_reader();
// Returns the status once all that was printed is written. Throws Error if it cannot be written.
ExitStatus printed(ExitStatus status);

// Says what is wrong and what to do, as every command does.
void print(const Error& error, std::FILE* file);

// The file of the workflow that a name or path means; a path as it was given, so that messages name
// it so. Throws Error listing what there is.
fs::path workflow_file(const std::string& wanted, const Context& context);

// Finds this program's own parts: in $AGNETO_HOME, beside the program as installed, or in the tree
// that it was built from. Throws Error if they are in none of these.
run::Resources find_resources();

}  // namespace agneto::cli
