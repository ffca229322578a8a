#include <algorithm>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Does a line set `errexit`, as `set -e`, `set -eu` and `set -o errexit` do?
bool ends_at_failures(std::string_view script) {
  for (const std::string_view line : split_lines(script)) {
    const std::string_view command = trim(line);
    if (!command.starts_with("set -")) continue;
    if (command.substr(5, command.find(' ', 5) - 5).find('e') != command.npos) return true;
    if (command.find("errexit") != command.npos) return true;
  }
  return false;
}

// Does it go on behind a command that failed? Assignments and messages do not fail; lines that go
// on, the shell's own structures and what stands in quotes with a `;` are left alone.
bool goes_on(const std::string& script) {
  if (script.find_first_of("({<\\") != script.npos) return false;
  if (script.find(';') != script.npos && script.find_first_of("'\"") != script.npos) return false;
  const std::string lines = replaced(script, ";", "\n");
  if (ends_at_failures(lines)) return false;
  int may_fail = 0;
  bool last_may_fail = false;
  for (const std::string_view line : split_lines(lines)) {
    const std::string_view command = trim(line);
    if (command.empty() || command.starts_with('#')) continue;
    if (command.ends_with("&&") || command.ends_with('|')) return false;
    const std::string_view word = command.substr(0, command.find(' '));
    if (is_one_of(word, {"if", "for", "while", "until", "case", "trap", "exit"})) return false;
    last_may_fail = !is_one_of(word, {"echo", "printf", "export", "set", "true", ":"}) &&
                    word.find('=') == word.npos && command.find("||") == command.npos;
    may_fail += last_may_fail ? 1 : 0;
  }
  return may_fail > 1 || (may_fail == 1 && !last_may_fail);
}

// Why the exit status of the script says nothing of the command that matters; empty: it does.
std::string why_ignored(std::string_view script) {
  script = trim(script);
  const std::string_view last = trim(script.substr(script.rfind('\n') + 1));
  // These say with their status what they have found.
  const std::string_view program = last.substr(0, last.find(' '));
  for (const std::string_view finder :
       {"grep", "egrep", "rg", "diff", "cmp", "git", "pgrep", "pkill", "which", "test", "["}) {
    if (program == finder) return "";
  }
  for (const std::string_view always : {"|| true", "|| :", "|| exit 0"}) {
    if (last.ends_with(always)) return fmt::format("'{}' makes a success of every failure", always);
  }
  if (last.ends_with('&') && !last.ends_with("&&")) {
    return "'&' puts it into the background, and nobody waits for it";
  }
  const std::size_t pipe = last.rfind('|');
  const bool to_tee = pipe != last.npos && pipe > 0 && last[pipe - 1] != '|' &&
                      starts_with_word(trim(last.substr(pipe + 1)), "tee");
  if (to_tee && script.find("pipefail") == script.npos) return "its exit status is that of 'tee'";
  return "";
}

}  // namespace

extern const LintRule ignored_status = {
    {"W430", "ignored-status",
     "a shell text whose failure nobody learns, where a failure is waited for",
     R"(A program ends in `failed` where its exit status is not 0, and the status of a shell is that of its last
command: where it is to stop at the first that fails, say `set -e` or join them by `&&`. `|| true` and
`&` make it 0 whatever happens, and that of a pipe is that of its end.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      const auto* program = std::get_if<model::Program>(&state.activity);
      if (!program || program->shell.empty()) return;
      const Transition* ok = first_taker(machine, state, "ok");
      const Transition* failed = first_taker(machine, state, "failed");
      if (!ok || !failed || have_same_effect(*ok, *failed)) return;
      const std::string why = why_ignored(program->shell);
      if (!why.empty()) {
        report(state.span, "the program of '{}' never ends in 'failed': {}", state.name, why)
            .help("let the status of what matters be the last one, or take 'ok' alone")
            .related(failed->span, "this is never taken");
      } else if (goes_on(program->shell)) {
        report(state.span, "the program of '{}' goes on behind a command that failed", state.name)
            .help("begin it with `set -e`, or join the commands by `&&`")
            .related(failed->span, "this is taken where the last command failed, and no other");
      }
    }};

}  // namespace agneto::lint
