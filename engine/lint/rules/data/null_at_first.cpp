#include <algorithm>
#include <map>

#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

bool begins_as_null(const model::Variable& variable) {
  return variable.init == none && (!variable.initial || variable.initial->is_null());
}

// Do `..` or a calculation in the value join the entry itself, however it comes to be evaluated?
bool builds_on(const Node& value, const std::string& name) {
  const bool joins = value.kind == Node::Kind::binary &&
                     is_one_of(value.text, {"..", "+", "-", "*", "/", "//", "%"});
  return joins && std::ranges::any_of(value.children, [&](const Node& operand) {
           const std::string* field = lua::field_of(operand, "ctx");
           return (field && *field == name) || builds_on(operand, name);
         });
}

struct Assigned {
  Span first;
  bool otherwise = false;  // is it given a value that does not build on itself?
};

// What assigns each entry. False where something else may change entries.
bool read_assignments(const LintContext& context, const Machine& machine,
                      std::map<std::string, Assigned>& all) {
  for (const Piece& piece : context.pieces(machine)) {
    if (!piece.tree || uses_whole_context(*piece.tree)) return false;
    each_assignment(*piece.tree, [&](const Assignment& one) {
      Assigned& assigned = all[one.name];
      if (!assigned.first) assigned.first = place(piece, one.target);
      assigned.otherwise |= !one.value || !builds_on(*one.value, one.name);
    });
  }
  return true;
}

}  // namespace

extern const LintRule null_at_first = {
    {"W320", "null-at-first", "a context entry that begins as null and is only ever added to",
     R"(`..` and calculations fail on null, so that the first addition is `error.lua`, and each one after it: the
entry stays null. An entry with nothing behind its colon begins as null; a text that is added to begins as
`""`, and a number as `0`.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      std::map<std::string, Assigned> all;
      if (!read_assignments(context, machine, all)) return;
      for (const model::Variable& variable : machine.context) {
        const auto found = all.find(variable.name);
        if (found == all.end() || found->second.otherwise || !begins_as_null(variable)) continue;
        report(variable.span, "ctx.{} begins as null, and what adds to it fails", variable.name)
            .help("let it begin as \"\" or 0")
            .related(found->second.first, "this is an error each time");
      }
    }};

}  // namespace agneto::lint
