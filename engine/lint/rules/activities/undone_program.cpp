#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using Command = std::vector<std::string>;

// The commands of a program, each as its words; quotes are not looked into.
std::vector<Command> commands_of(const model::Program& program) {
  std::vector<Command> commands(1);
  for (const model::Template& argument : program.argv) {
    commands.back().push_back(literal(argument).value_or("?"));
  }
  std::string text = program.shell;
  for (const std::string_view between : {"&&", "||", ";", "|"}) {
    text = replaced(text, between, "\n");
  }
  for (const std::string_view line : split_lines(text)) {
    commands.emplace_back();
    std::string_view rest = trim(line);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      commands.back().emplace_back(rest.substr(0, end));
      rest = trim(rest.substr(end));
    }
  }
  std::erase_if(commands, [](const Command& words) { return words.empty(); });
  return commands;
}

bool has(const Command& words, std::initializer_list<std::string_view> any) {
  return std::ranges::any_of(words, [&](const std::string& word) { return is_one_of(word, any); });
}

// Is it told to write to the files that it reads?
bool writes(const Command& words) {
  const std::string& name = words.front();
  if (has(words, {"--check", "--dry-run", "--diff", "-n"})) return false;
  if (name == "gofmt" || name == "goimports") return has(words, {"-w"});
  if (name == "sed" || name == "perl") return has(words, {"-i", "-pi"});
  if (is_one_of(name, {"prettier", "npx", "biome"})) return has(words, {"--write", "-w"});
  if (is_one_of(name, {"eslint", "ruff", "stylelint", "clang-tidy"})) {
    return has(words, {"--fix", "-fix"});
  }
  if (name == "clang-format") return has(words, {"-i"});
  return (name == "cargo" || name == "go") && words.size() > 1 && words[1] == "fmt";
}

// Does it throw away what is not committed?
bool resets(const Command& words) {
  if (words.front() != "git" || words.size() < 2) return false;
  if (words[1] == "reset") return has(words, {"--hard"});
  if (words[1] == "clean") {
    return std::ranges::any_of(words, [](const std::string& word) {
      return word == "--force" || (word.starts_with('-') && !word.starts_with("--") &&
                                   word.find('f') != word.npos && word.find('n') == word.npos);
    });
  }
  return (words[1] == "checkout" || words[1] == "restore") && words.back() == ".";
}

}  // namespace

extern const LintRule undone_program = {
    {"W445", "undone-program", "a program that writes for nothing, or over your own work",
     R"(What a program with `access: read-only` changes in the worktree is taken back: a formatter that is told
to write its files formats for nothing. With `workspace: none` a run works in your checkout itself, where
`git reset --hard` and `git clean -f` throw away what you have not committed.)"},
    [](const LintContext& context, const Machine&, const State& state, const Reporter& report) {
      const auto* program = std::get_if<model::Program>(&state.activity);
      if (!program) return;
      const bool in_place = context.system.main().in_place;
      for (const Command& words : commands_of(*program)) {
        if (program->access == model::Access::read_only && !in_place && writes(words)) {
          report(state.span, "what '{}' writes here is taken back: the program is read-only",
                 words.front())
              .help("say access: edit, or have it check alone");
        } else if (in_place && resets(words)) {
          report(state.span,
                 "'{}' throws away what you have not committed: a run works in your checkout",
                 words.front() + " " + words[1])
              .help("leave `workspace: none` out, or leave your files alone")
              .related(context.system.main().in_place_span, "said here");
        }
      }
    }};

}  // namespace agneto::lint
