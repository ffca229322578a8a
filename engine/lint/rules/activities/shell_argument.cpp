#include <algorithm>
#include <filesystem>
#include <regex>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using model::Program;
using model::Template;

bool is_shell(const Template& argument) {
  const auto text = literal(argument);
  if (!text) return false;
  const std::string name = std::filesystem::path(*text).filename().string();
  constexpr std::string_view shells[] = {"sh", "bash", "dash", "zsh", "ksh", "fish"};
  return std::ranges::find(shells, name) != std::end(shells);
}

// `-c`, also with other letters, as in `-ec`.
bool takes_script(const Template& argument) {
  const auto text = literal(argument);
  return text && text->starts_with('-') && !text->starts_with("--") && text->ends_with('c');
}

// One input or context entry, and nothing else, in which there can be no text?
bool is_number(const Machine& machine, CodeId code) {
  const std::string& text = machine.code[code].text;
  const auto is_it = [&](const char* table, const std::vector<model::Variable>& variables) {
    return std::ranges::any_of(variables, [&](const model::Variable& variable) {
      using Kind = model::Type::Kind;
      const Kind kind = variable.type.kind;
      return trim(text) == table + variable.name &&
             (kind == Kind::integer || kind == Kind::number || kind == Kind::boolean);
    });
  };
  return is_it("inputs.", machine.inputs) || is_it("ctx.", machine.context);
}

void check_argv(const Machine& machine, const Program& program, const Reporter& report) {
  if (program.argv.empty() || !is_shell(program.argv.front())) return;
  // Behind the first word that is no option, options are the script's.
  const auto option =
      std::find_if(program.argv.begin() + 1, program.argv.end(), [](const Template& argument) {
        const auto text = literal(argument);
        return !text || !text->starts_with('-') || takes_script(argument);
      });
  if (option == program.argv.end() || !takes_script(*option) || option + 1 == program.argv.end()) {
    return;
  }
  for (const Template::Part& part : (option + 1)->parts) {
    if (part.code == none || is_number(machine, part.code)) continue;
    report(machine.code[part.code].span,
           "this value becomes a part of the shell's program, whatever is in it")
        .help("pass it by `env` and write \"$NAME\", or as an argument behind the script: \"$1\"");
    return;
  }
}

// What an interpreter takes as its program, with a variable in it: eval "$X", sh -c "… $X …".
const std::regex interpreted(
    R"re((?:\beval\b|\b(?:sh|bash|dash|zsh|ksh|python3?|perl|ruby|node) +(?:-[A-Za-z]+ +)*-[A-Za-z]*[ce]\b)[^\n;|&']*"[^"\n]*\$\{?(\w+))re");

// `shell`, in which a variable is read as a program once more.
void check_shell(const Program& program, const Span& place, const Reporter& report) {
  for (std::sregex_iterator it(program.shell.begin(), program.shell.end(), interpreted), end;
       it != end; ++it) {
    const std::string name = (*it)[1];
    if (std::ranges::find(program.env, name, &model::Binding::name) == program.env.end()) continue;
    report(place, "what is in {} is read as a program once more, whatever it is", name)
        .help(
            "leave that to the first shell, or pass it on as an argument: sh -c '… \"$1\"' _ "
            "\"${}\"",
            name);
    return;
  }
}

// Has an agent said what the context entry is?
bool is_agents(const LintContext& context, const Machine& machine, const std::string& name) {
  return std::ranges::any_of(machine.transitions, [&](const Transition& transition) {
    const State& source = machine.state(transition.source);
    if (!std::holds_alternative<model::AgentCall>(source.activity)) return false;
    return std::ranges::any_of(transition.actions, [&](CodeId code) {
      const Piece& piece = context.piece(machine, code);
      bool found = false;
      if (!piece.tree) return false;
      each_assignment(*piece.tree, [&](const Assignment& one) {
        found |= one.name == name && one.value && lua::field_of(*one.value, "event");
      });
      return found;
    });
  });
}

// The task is what somebody writes for this run, and no configuration.
bool is_task(const Machine& machine, const std::string* input) {
  return input && std::ranges::any_of(machine.inputs, [&](const model::Variable& one) {
           return one.main && one.name == *input;
         });
}

bool joins_text(const Machine& machine, const Node& tree) {
  return any_node(tree, [](const Node& node) { return node.is(Node::Kind::binary, ".."); }) &&
         any_node(tree, [&](const Node& node) {
           return lua::field_of(node, "ctx") || lua::field_of(node, "item") ||
                  is_task(machine, lua::field_of(node, "inputs"));
         });
}

}  // namespace

extern const LintRule shell_argument = {
    {"W421", "shell-argument", "a value that is put into a shell's program",
     R"(What a model or a person wrote would become a part of the program: `; rm -rf .` is a text like any
other. An argument of its own, a variable of the environment, standard input or a file are only data.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const auto* program = std::get_if<Program>(&state.activity);
      if (!program) return;
      check_argv(machine, *program, report);
      check_shell(*program, state.span, report);
      if (program->command == none) return;
      const Piece& piece = context.piece(machine, program->command);
      if (!piece.tree) return;
      const std::string* whole = lua::field_of(expression(piece), "ctx");
      if (whole && is_agents(context, machine, *whole)) {
        report(piece.code->span, "what an agent wrote is run as a command line, whatever is in it")
            .help("let the agent name one of several commands, or let a person look at it first");
        return;
      }
      if (!joins_text(machine, *piece.tree)) return;
      report(piece.code->span,
             "a value of the run becomes a part of this command line, whatever is in it")
          .help(
              "`command` is for a line that a person configured; use `argv`, or pass it by `env`");
    }};

}  // namespace agneto::lint
