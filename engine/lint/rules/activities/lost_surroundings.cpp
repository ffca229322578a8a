#include <algorithm>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// A command that changes nothing but the shell it runs in.
bool is_of_shell(std::string_view command) {
  const std::string_view word = command.substr(0, command.find(' '));
  return is_one_of(word,
                   {"cd", "export", "set", "unset", "umask", "alias", "source", ".", "ulimit"});
}

}  // namespace

extern const LintRule lost_surroundings = {
    {"W444", "lost-surroundings", "a shell text that changes nothing but its own shell",
     R"(Each program begins anew in the worktree, with the environment that `env` says. A `cd`, an `export` or
a `source` holds for the rest of its own text, and is forgotten with it.)"},
    [](const LintContext&, const Machine&, const State& state, const Reporter& report) {
      const auto* program = std::get_if<model::Program>(&state.activity);
      if (!program || program->shell.find_first_of("|`$(<>") != program->shell.npos) return;
      const std::string lines = replaced(replaced(program->shell, "&&", "\n"), ";", "\n");
      std::string_view last;
      for (const std::string_view line : split_lines(lines)) {
        const std::string_view command = trim(line);
        if (command.empty() || command.starts_with('#')) continue;
        if (!is_of_shell(command)) return;
        last = command;
      }
      if (last.empty() || last.starts_with("set")) return;
      report(state.span, "what '{}' does is over when its shell ends: the next program begins anew",
             state.name)
          .help("put it before the commands that need it, in the same `shell`");
    }};

}  // namespace agneto::lint
