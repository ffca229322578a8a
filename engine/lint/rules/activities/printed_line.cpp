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
void check_output(const Typed& guard, const Node& node, const Reporter& report) {
  for (const std::size_t side : {0, 1}) {
    const std::string* field = lua::field_of(node.children[side], "event");
    const std::string* text = lua::literal_text(node.children[1 - side]);
    if (!field || *field != "output" || !text || text->empty() || text->ends_with('\n')) continue;
    report(guard.place(node), "event.output ends with the line end that the program prints")
        .help("compare what is before it: event.output:match(\"^%s*(.-)%s*$\")");
  }
}

}  // namespace

extern const LintRule printed_line = {
    {"W443", "printed-line", "what a program printed, compared with a text without a line end",
     R"(`event.output` is what a program printed, with its last line end, so that it never equals a text that
has none. Look for the text in it, or take the line end off.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const auto* program = std::get_if<Program>(&state.activity);
      if (!program || may_end_without_line(*program)) return;
      for (const TransitionId id : state.on) {
        const CodeId guard = machine.transitions[id].guard;
        const Typed* lua = guard == none ? nullptr : context.typed(machine, guard);
        if (!lua) continue;
        lua::walk(lua->tree(), [&](const Node& node) {
          if (node.kind != Node::Kind::binary || (node.text != "==" && node.text != "~=")) return;
          check_output(*lua, node, report);
        });
      }
    }};

}  // namespace agneto::lint
