// One file per command, in cli/commands/. Each adds itself to the program, with what it does.
#pragma once

#include "base/error.h"
#include "cli/command_line.h"
#include "run/assembly.h"

namespace agneto::cli {

struct Context {
  fs::path folder;  // the current one
  run::Resources resources;
};

// Adds all of them, with the program's own examples.
void describe(Program& program);

void add_run(Program& program);
void add_resume(Program& program);
void add_runs(Program& program);
void add_show(Program& program);
void add_log(Program& program);
void add_diff(Program& program);
void add_clean(Program& program);
void add_doctor(Program& program);
void add_export(Program& program);
void add_record(Program& program);
void add_answer(Program& program);
void add_send(Program& program);
void add_suspend(Program& program);
void add_abort(Program& program);
void add_rewind(Program& program);
void add_fork(Program& program);
void add_new(Program& program);
void add_lint(Program& program);
void add_explain(Program& program);
void add_lsp(Program& program);
void add_simulate(Program& program);
void add_graph(Program& program);
void add_test(Program& program);
void add_replay(Program& program);
void add_complete(Program& program);
void add_manual(Program& program);

// For commands that do nothing but print: where their reader has gone (`agneto runs | head`) they
// end as other programs do, without a word.
void end_with_the_reader();
// The status, once all that was printed is out. Throws Error where standard output takes no more.
ExitStatus printed(ExitStatus status);

// Where this program's own parts are: $AGNETO_HOME, beside the program as installed, or the tree
// it was built from. Throws Error where they are nowhere.
run::Resources find_resources();

}  // namespace agneto::cli
