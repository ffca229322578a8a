#include <algorithm>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/hook_functions.h"
#include "lint/interpreters.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

using model::Program;
using model::Template;

void check_argv(const Machine& machine, const Program& program, const Reporter& report) {
  std::vector<std::string> words;
  for (const Template& argument : program.argv) {
    std::string& word = words.emplace_back();
    for (const Template::Part& part : argument.parts) {
      word += part.code == none ? part.text : "{{}}";
    }
  }
  const auto text = text_as_program(words);
  if (!text) return;
  for (std::size_t i = text->first; i < text->end; ++i) {
    for (const Template::Part& part : program.argv[i].parts) {
      if (part.code == none || names_word(machine, machine.code[part.code].text)) continue;
      report(machine.code[part.code].span, "this value becomes a part of {}, whatever is in it",
             text->what)
          .help(text->is_shells
                    ? "pass it by `env` and write \"$NAME\", or as an argument behind the script: "
                      "\"$1\""
                    : "pass it by `env`, or as an argument behind the text");
      return;
    }
  }
}

// Where the next word begins, and where it ends: a quoted one behind its quote.
std::string_view next_word(std::string_view& rest) {
  rest = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
  if (rest.empty()) return {};
  const bool quoted = rest.front() == '"' || rest.front() == '\'';
  const std::size_t end = quoted ? rest.find(rest.front(), 1) : rest.find(' ');
  const std::string_view word = rest.substr(0, end == rest.npos ? end : end + (quoted ? 1 : 0));
  rest.remove_prefix(word.size());
  return word;
}

// What an interpreter takes as its program in a command, as in eval "$X" and sh -c "… $X …": the
// words in which the shell puts the values of variables.
std::vector<std::string> interpreted(std::string_view command) {
  std::vector<std::string> words;
  for (auto word = next_word(command); !word.empty(); word = next_word(command)) {
    words.emplace_back(word);
  }
  std::vector<std::string> found;
  if (words.empty()) return found;
  const auto text = words.front() == "eval" ? ProgramText{1, words.size()} : text_as_program(words);
  for (std::size_t i = text ? text->first : words.size(); i < words.size() && i < text->end; ++i) {
    if (!words[i].starts_with('\'')) found.push_back(words[i]);
  }
  return found;
}

bool puts_in(std::string_view text, std::string_view variable) {
  for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
    std::string_view name = text.substr(at + 1);
    if (name.starts_with('{')) name.remove_prefix(1);
    if (starts_with_word(name, variable)) return true;
  }
  return false;
}

// `shell`, in which a variable is read as a program once more.
void check_shell(const Program& program, const Span& place, const Reporter& report) {
  std::string lines = program.shell;
  for (const char* between : {";", "|", "&"}) lines = replaced(std::move(lines), between, "\n");
  for (const std::string_view line : split_lines(lines)) {
    for (const std::string& text : interpreted(line)) {
      for (const model::Binding& one : program.env) {
        if (!puts_in(text, one.name)) continue;
        report(place, "what is in {} is read as a program once more, whatever it is", one.name)
            .help(
                "leave that to the first shell, or pass it on as an argument: sh -c '… \"$1\"' _ "
                "\"${}\"",
                one.name);
        return;
      }
    }
  }
}

// Does an agent say what the context entry is, and nobody look at it before the state?
bool is_agents(const LintContext& context, const Machine& machine, const std::string& name,
               const State& state) {
  const auto entry = std::ranges::find(machine.context, name, &model::Variable::name);
  if (entry == machine.context.end() || entry->type.kind == model::Type::Kind::choice) return false;
  const NextStates after(
      machine, [&](const State& other) { return other.id == state.id; },
      [](const State& other) { return std::holds_alternative<model::Ask>(other.activity); });
  return std::ranges::any_of(machine.transitions, [&](const Transition& transition) {
    const State& source = machine.state(transition.source);
    if (!std::holds_alternative<model::AgentCall>(source.activity)) return false;
    if (!after.from(source)) return false;
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

// May what agents answer have been looked at before it came to the machine, or in it?
bool may_be_checked(const LintContext& context, const Machine& machine) {
  const auto checks = [](const Node& node) {
    return node.kind == Node::Kind::method ? is_one_of(node.text, {"match", "find", "gsub", "sub"})
                                           : lua::field_of(node, "string") != nullptr;
  };
  const bool in_machine = std::ranges::any_of(context.pieces(machine), [&](const Piece& piece) {
    return !piece.tree || any_node(*piece.tree, checks);
  });
  return in_machine || std::ranges::any_of(context.modules(), [&](const Module& module) {
           return !module.tree || !hook_functions(*module.tree, "parse").empty();
         });
}

// `git checkout {{ctx.branch}}`, where an agent says what that is: it may begin with a dash.
void check_git(const LintContext& context, const Machine& machine, const State& state,
               const Program& program, const Reporter& report) {
  if (program.argv.empty() || literal(program.argv.front()) != "git") return;
  for (std::size_t i = 1; i < program.argv.size(); ++i) {
    const auto before = literal(program.argv[i - 1]);
    if (before == "--" || before == "--end-of-options") return;
    // The value of an option is none itself.
    if (!before || before->starts_with('-') || program.argv[i].parts.empty()) continue;
    const CodeId first = program.argv[i].parts.front().code;
    if (first == none || !context.piece(machine, first).tree) continue;
    const std::string* name = lua::field_of(expression(context.piece(machine, first)), "ctx");
    if (!name || !is_agents(context, machine, *name, state)) continue;
    if (names_word(machine, "ctx." + *name) || may_be_checked(context, machine)) continue;
    report(machine.code[first].span,
           "what an agent wrote is an option of git where it begins with '-'")
        .help("write --end-of-options before it, or `--` before a file");
    return;
  }
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
    {"W421", "shell-argument",
     "a value that is put into a shell's program, or another interpreter's",
     R"(What a model or a person wrote would become a part of the program: `; rm -rf .` is a text like any
other. An argument of its own, a variable of the environment, standard input or a file are only data. So
it is with `bash -c`, `python3 -c`, `node -e`, `perl -e`, `awk`, `git -c alias.x=!…` and what `ssh` passes
on, wherever they stand in the command line. An agent's text that begins with `-` is an option of git.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const auto* program = std::get_if<Program>(&state.activity);
      if (!program) return;
      check_argv(machine, *program, report);
      check_git(context, machine, state, *program, report);
      check_shell(*program, state.span, report);
      if (program->command == none) return;
      const Piece& piece = context.piece(machine, program->command);
      if (!piece.tree) return;
      const std::string* whole = lua::field_of(expression(piece), "ctx");
      if (whole && is_agents(context, machine, *whole, state)) {
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
