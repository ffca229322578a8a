#include <algorithm>
#include <set>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using model::Program;

// The word that begins at `at`.
std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(at, end - at);
}

// What a script says of variables: those that it reads without another value for when they are not
// there, and every word that may set one.
struct Variables {
  std::set<std::string, std::less<>> read, set;
  // Those that stand within '…'; none where another shell may read that.
  std::set<std::string, std::less<>> quoted;
};

Variables variables_of(std::string_view script) {
  Variables found;
  bool quoted = false;   // by '…', where nothing is a variable
  bool doubled = false;  // by "…", where a ' is itself
  std::string_view before;
  for (std::size_t i = 0; i < script.size();) {
    if (script[i] == '\'' && !doubled) quoted = !quoted;
    if (script[i] == '"' && !quoted) doubled = !doubled;
    if (script[i] == '\\') {
      i += 2;
      continue;
    }
    if (script[i] == '$' && quoted) {
      found.quoted.emplace(
          word_at(script, i + 1 + (i + 1 < script.size() && script[i + 1] == '{')));
    } else if (script[i] == '$') {
      const bool braces = i + 1 < script.size() && script[i + 1] == '{';
      const std::string_view name = word_at(script, i + 1 + braces);
      const std::size_t end = i + 1 + braces + name.size();
      const bool plain = !braces || (end < script.size() && script[end] == '}');
      if (!name.empty() && plain) found.read.emplace(name);
      i = std::max(end, i + 1);
      continue;
    }
    const std::string_view word = word_at(script, i);
    if (word.empty()) {
      ++i;
      continue;
    }
    i += word.size();
    const bool assigned = i < script.size() && script[i] == '=';
    if (assigned || before == "for" || before == "read" || before == "-r") found.set.emplace(word);
    before = word;
    if (i > word.size() && script[i - word.size() - 1] == '-') {
      before = script.substr(i - word.size() - 1, word.size() + 1);
    }
  }
  for (const std::string_view other : {" -c", "-ec", "eval", "ssh", "awk", "trap", "envsubst"}) {
    if (script.find(other) != script.npos) found.quoted.clear();
  }
  return found;
}

// Those that people have in their environment, or that a shell sets.
bool is_usual(std::string_view name) {
  return is_one_of(
      name, {"HOME",    "PATH",   "USER",   "LOGNAME", "SHELL",  "PWD",      "OLDPWD", "LANG",
             "TERM",    "EDITOR", "VISUAL", "PAGER",   "TMPDIR", "HOSTNAME", "HOST",   "CI",
             "DISPLAY", "IFS",    "UID",    "RANDOM",  "OPTARG", "OPTIND"});
}

// The input or context entry of that name, in capitals or not, as Lua names it; else empty.
std::string entry_called(const Machine& machine, const std::string& name) {
  const auto is_it = [&](const model::Variable& one) { return lower(one.name) == lower(name); };
  const auto input = std::ranges::find_if(machine.inputs, is_it);
  if (input != machine.inputs.end()) return "inputs." + input->name;
  const auto entry = std::ranges::find_if(machine.context, is_it);
  return entry != machine.context.end() ? "ctx." + entry->name : std::string();
}

// The state of another program whose `env` has the variable; null where none has.
const State* defining_state(const Machine& machine, const std::string& name) {
  const auto found = std::ranges::find_if(machine.states, [&](const State& state) {
    const auto* program = std::get_if<Program>(&state.activity);
    return program && std::ranges::count(program->env, name, &model::Binding::name) > 0;
  });
  return found == machine.states.end() ? nullptr : &*found;
}

// Is the name nowhere in the script but in $NAME and ${NAME}, so that nothing there sets it?
bool is_only_read(std::string_view script, std::string_view name) {
  for (std::size_t at = script.find(name); at != script.npos; at = script.find(name, at + 1)) {
    const std::string_view before = script.substr(0, at);
    const std::string_view behind = script.substr(at + name.size());
    if (!before.empty() && is_word(before.back())) continue;
    if (!behind.empty() && is_word(behind.front())) continue;
    const bool is_plain = before.ends_with('$');
    const bool is_braced = before.ends_with("${") && behind.starts_with('}');
    if (!is_plain && !is_braced) return false;
  }
  return true;
}

// Does the script run another in its own shell, which may set anything?
bool reads_others(std::string_view script) {
  std::string lines(script);
  for (const char* between : {";", "&", "|"}) lines = replaced(std::move(lines), between, "\n");
  return std::ranges::any_of(split_lines(lines), [](std::string_view line) {
    const std::string_view command = trim(line);
    return command.starts_with(". ") || command.starts_with("source ") ||
           command.starts_with("eval ");
  });
}

// A variable that nothing defines, and whose name says that the workflow should.
void check_meant(const Machine& machine, const State& state, const std::string& name,
                 const Reporter& report) {
  const std::string& script = std::get<Program>(state.activity).shell;
  if (is_usual(name) || !is_only_read(script, name) || reads_others(script)) return;
  if (const std::string entry = entry_called(machine, name); !entry.empty()) {
    report(state.span, "the program of '{}' reads ${}, which its `env` does not define", state.name,
           name)
        .help("did you mean env: {{{}: {}}}?", name, entry);
  } else if (const State* other = defining_state(machine, name)) {
    report(state.span, "the program of '{}' reads ${}, which its `env` does not define", state.name,
           name)
        .help("the `env` of '{}' defines it for that program alone", other->name);
  }
}

}  // namespace

extern const LintRule undefined_variable = {
    {"W427", "undefined-variable", "a variable that the shell and `env` do not both know",
     R"(A variable that is not defined is an empty text in a shell: `rm -rf "$DIR/"` removes all there is. This
looks for names in `shell` that are set nowhere in it and are nearly one of the program's `env`, or that an
input, a context entry or the `env` of another program has; for variables of `env` that stand in single
quotes, and for those with a name that no shell knows.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      const auto* program = std::get_if<Program>(&state.activity);
      if (!program || program->shell.empty()) return;
      std::vector<std::string> defined;
      for (const model::Binding& one : program->env) defined.push_back(one.name);
      const Variables variables = variables_of(program->shell);
      for (const model::Binding& one : program->env) {
        if (!std::ranges::all_of(one.name, is_word)) {
          report(one.span, "a shell cannot read a variable called '{}'", one.name)
              .help("its name is letters, digits and '_'");
        } else if (variables.quoted.contains(one.name) && !variables.read.contains(one.name)) {
          report(one.span, "in single quotes the shell does not put in ${}", one.name)
              .help("use double quotes: \"${}\"", one.name);
        }
      }
      for (const std::string& name : variables.read) {
        if (variables.set.contains(name) || std::ranges::find(defined, name) != defined.end()) {
          continue;
        }
        const std::string near = closest(name, defined);
        if (near.empty() || variables.read.contains(near)) {
          check_meant(machine, state, name, report);
          continue;
        }
        const auto* binding = &*std::ranges::find(program->env, near, &model::Binding::name);
        report(binding->span, "the program reads ${}, which nothing defines; `env` has {}", name,
               near)
            .help("call both the same");
      }
    }};

}  // namespace agneto::lint
