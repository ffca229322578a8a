// One file per command. Each adds itself to the parser and leaves what to do behind.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/error.h"
#include "run/assembly.h"

namespace agneto::cli {

// What the chosen command does; set by its callback, run by main.
using Action = std::function<ExitStatus()>;

struct Context {
  run::Resources resources;
  fs::path folder;  // the current one
  Action action;
};

void add_run(CLI::App& app, Context& context);
void add_resume(CLI::App& app, Context& context);
void add_runs(CLI::App& app, Context& context);
void add_show(CLI::App& app, Context& context);
void add_log(CLI::App& app, Context& context);
void add_diff(CLI::App& app, Context& context);
void add_clean(CLI::App& app, Context& context);
void add_doctor(CLI::App& app, Context& context);
void add_export(CLI::App& app, Context& context);
void add_record(CLI::App& app, Context& context);
void add_answer(CLI::App& app, Context& context);
void add_send(CLI::App& app, Context& context);
void add_suspend(CLI::App& app, Context& context);
void add_abort(CLI::App& app, Context& context);
void add_rewind(CLI::App& app, Context& context);
void add_fork(CLI::App& app, Context& context);
void add_new(CLI::App& app, Context& context);
void add_lint(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_lsp(CLI::App& app, Context& context);
void add_simulate(CLI::App& app, Context& context);
void add_graph(CLI::App& app, Context& context);
void add_test(CLI::App& app, Context& context);
void add_replay(CLI::App& app, Context& context);
void add_complete(CLI::App& app, Context& context);
void add_manual(CLI::App& app, Context& context);

// For commands that do nothing but print: where their reader has gone (`agneto runs | head`) they
// end as other programs do, without a word.
void end_with_the_reader();
// The status, once all that was printed is out. Throws Error where standard output takes no more.
ExitStatus printed(ExitStatus status);

// Where this program's own parts are: $AGNETO_HOME, beside the program as installed, or the tree
// it was built from. Throws Error where they are nowhere.
run::Resources find_resources();

}  // namespace agneto::cli
