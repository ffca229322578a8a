#include <string>

#include "lint/expressions.h"
#include "lint/rule.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using model::Program;

// Does the program print without a line end, or somebody take it off?
bool may_end_without_line(const Program& program) {
  std::string words = program.shell;
  for (const model::Template& argument : program.argv) {
    for (const auto& part : argument.parts) words += part.text + ' ';
  }
  for (const std::string_view own : {"printf", "-n", "tr ", "jq", "cat", "head -c"}) {
    if (words.find(own) != words.npos) return true;
  }
  return program.kind == Program::Kind::expression;
}

// event.output == "main"
void check_output(const Typed& guard, const Node& node, const Program& program,
                  const Reporter& report) {
  for (const std::size_t side : {0, 1}) {
    const std::string* field = lua::field_of(node.children[side], "event");
    const std::string* text = lua::literal_text(node.children[1 - side]);
    if (!field || *field != "output" || !text || text->empty() || text->ends_with('\n')) continue;
    if (may_end_without_line(program)) continue;
    report(guard.place(node), "event.output ends with the line end that the program prints")
        .help("compare what is before it: event.output:match(\"^%s*(.-)%s*$\")");
  }
}

// event.status == 0 of a program that failed
void check_status(const Typed& guard, const Node& node, bool failed, const Reporter& report) {
  const std::string* field = lua::field_of(node.children[0], "event");
  const Node& value = node.children[1];
  if (!field || *field != "status" || value.kind != Node::Kind::number) return;
  const bool is_nought = value.text == "0";
  const bool never = failed ? node.text == "==" && is_nought
                            : (node.text == "==" && !is_nought) || (node.text == "~=" && is_nought);
  if (!never) return;
  report(guard.place(node), failed ? "a program that ends in 'failed' has a status that is not 0"
                                   : "a program that ends in 'ok' has the status 0")
      .help(failed ? "status 0 is the outcome 'ok'" : "any other status is the outcome 'failed'");
}

}  // namespace

extern const LintRule program_result = {
    {"W451", "program-result", "a guard on what a program has never ended with",
     R"(A program ends in `ok` where its exit status is 0, and else in `failed`. What it prints is in
`event.output` as it was printed, with its last line end, so that it never equals a text without
one.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const auto* program = std::get_if<Program>(&state.activity);
      if (!program) return;
      for (const TransitionId id : state.on) {
        const Transition& transition = machine.transitions[id];
        const bool ok = transition.events == std::vector<std::string>{"ok"};
        const bool failed = transition.events == std::vector<std::string>{"failed"};
        const Typed* guard =
            transition.guard == none ? nullptr : context.typed(machine, transition.guard);
        if (!guard || !(ok || failed)) continue;
        lua::walk(guard->tree(), [&](const Node& node) {
          if (node.kind != Node::Kind::binary || (node.text != "==" && node.text != "~=")) return;
          check_output(*guard, node, *program, report);
          check_status(*guard, node, failed, report);
        });
      }
    }};

}  // namespace agneto::lint
