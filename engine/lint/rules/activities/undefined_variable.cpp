#include <algorithm>
#include <set>

#include "base/text.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using model::Program;

bool is_word(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

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

}  // namespace

extern const LintRule undefined_variable = {
    {"W427", "undefined-variable", "a variable of `env` that its shell does not read",
     R"(A variable that is not defined is an empty text in a shell: `rm -rf "$DIR/"` removes all there is. This
looks for names in `shell` that are nearly one of the program's `env` and are set nowhere in it, for
variables of `env` that stand in single quotes, and for those with a name that no shell knows.)"},
    [](const LintContext&, const Machine&, const State& state, const Reporter& report) {
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
        if (near.empty() || variables.read.contains(near)) continue;
        const auto* binding = &*std::ranges::find(program->env, near, &model::Binding::name);
        report(binding->span, "the program reads ${}, which nothing defines; `env` has {}", name,
               near)
            .help("call both the same");
      }
    }};

}  // namespace agneto::lint
