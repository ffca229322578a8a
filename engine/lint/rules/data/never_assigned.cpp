#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// What counters and flags begin as. Another value may well be meant to be constant.
bool is_beginning(const model::Variable& variable) {
  using Kind = model::Type::Kind;
  const Kind kind = variable.type.kind;
  if (kind == Kind::map || kind == Kind::any || variable.init != none) return false;
  if (!variable.initial) return variable.type.optional;
  const Json& value = *variable.initial;
  return value.is_null() || value == Json(false) || value == Json(0) || value == Json("") ||
         (kind == Kind::list && value.empty());
}

// The entry that the argument is; each where it is one of several, as in `late and ctx.a or ctx.b`.
void add_given(const Node& argument, std::set<std::string>& names) {
  if (argument.is(Node::Kind::binary, "and") || argument.is(Node::Kind::binary, "or")) {
    for (const Node& one : argument.children) add_given(one, names);
  } else if (const std::string* name = lua::field_of(argument, "ctx")) {
    names.insert(*name);
  }
}

// The names that are assigned; that a block calls something with, as table.insert(ctx.list, …), or,
// of lists, gives another name; or that look as if they were assigned, without `ctx.`. Nothing
// where that cannot be said.
std::optional<std::set<std::string>> assigned_names(const LintContext& context,
                                                    const Machine& machine) {
  std::set<std::string> names;
  std::set<std::string> copied;
  for (const Piece& piece : context.pieces(machine)) {
    if (!piece.tree) continue;
    if (uses_whole_context(*piece.tree)) return std::nullopt;
    each_assignment(*piece.tree, [&](const Assignment& one) { names.insert(one.name); });
    if (piece.code->kind != model::Code::Kind::statements) continue;
    lua::walk(*piece.tree, [&](const Node& node) {
      for (const Node& target : assigned_to(node)) {
        if (target.kind == Node::Kind::global) names.insert(target.text);
        // ctx.list[#ctx.list + 1] = …
        for (const Node* of = &target; of->kind == Node::Kind::index; of = &of->children[0]) {
          if (const std::string* name = lua::field_of(*of, "ctx")) names.insert(*name);
        }
      }
      each_local(node, [&](int, const Node& value) {
        if (const std::string* name = lua::field_of(value, "ctx")) copied.insert(*name);
      });
      if (node.kind != Node::Kind::call) return;
      for (const Node& argument : node.children) add_given(argument, names);
    });
  }
  for (const model::Variable& variable : machine.context) {
    const bool is_list = variable.type.kind == model::Type::Kind::list;
    if (is_list && copied.contains(variable.name)) names.insert(variable.name);
  }
  return names;
}

// `ctx.NAME`, and nothing else: what such a piece comes to is nothing as long as the entry is.
bool is_whole(const Piece& piece, const Node& node) {
  return piece.code->kind == model::Code::Kind::expression && &expression(piece) == &node;
}

// Where each name is read first: in a guard before all else, where it is what an expression is.
std::map<std::string, std::pair<Span, bool>> reads_of(const LintContext& context,
                                                      const Machine& machine) {
  std::map<std::string, std::pair<Span, bool>> reads;
  for (const bool guards : {true, false}) {
    context.each_node(machine, [&](const Piece& piece, const Node& node) {
      const std::string* name = lua::field_of(node, "ctx");
      if (!name || (piece.code->what == "guard") != guards) return;
      if (!guards && !is_whole(piece, node)) return;
      reads.try_emplace(*name, place(piece, node), guards);
    });
  }
  return reads;
}

// Where another entry is given the event's field of that name, as in `ctx.plan = event.feedback`;
// nowhere where none is.
Span given_to_another(const LintContext& context, const Machine& machine,
                      const std::string& entry) {
  Span found;
  for (const Piece& piece : context.pieces(machine)) {
    if (!piece.tree || found) continue;
    each_assignment(*piece.tree, [&](const Assignment& one) {
      const std::string* field = one.value ? lua::field_of(*one.value, "event") : nullptr;
      if (field && *field == entry && one.name != entry) found = place(piece, one.target);
    });
  }
  return found;
}

}  // namespace

extern const LintRule never_assigned = {
    {"W314", "never-assigned",
     "a context entry that begins as nothing, and that nothing assigns where it should be",
     R"(It begins as nothing (`0`, `false`, `""`, `[]` or null) and stays so, and with it every guard, text and
output that looks at it alone. The assignment is missing, or is to another name.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const auto reads = reads_of(context, machine);
      const auto assigned = assigned_names(context, machine);
      if (!assigned) return;
      for (const model::Variable& variable : machine.context) {
        if (assigned->contains(variable.name) || !is_beginning(variable)) continue;
        if (const Span other = given_to_another(context, machine, variable.name)) {
          report(other, "another entry is given event.{}, and nothing assigns ctx.{}",
                 variable.name, variable.name)
              .help("is ctx.{} meant?", variable.name)
              .related(variable.span, "this stays as it begins");
          continue;
        }
        const auto read = reads.find(variable.name);
        if (read == reads.end()) continue;
        const auto& [place, is_guard] = read->second;
        report(variable.span, "nothing assigns ctx.{}, which stays {}{}", variable.name,
               variable.initial ? variable.initial->dump() : "null", is_guard ? " in a guard" : "")
            .help("assign it in `do`, `entry` or `exit` where it is to change")
            .related(place, is_guard ? "a guard that reads it" : "it is read here");
      }
    }};

}  // namespace agneto::lint
