// What rules ask of a piece of Lua without running it.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lint/context.h"
#include "model/types.h"

namespace agneto::lint {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all);
// What an expression's piece, which could be read, comes to: that of its one `return`.
const Node& expression(const Piece& piece);
// Does the tree, or any node in it, fit?
bool any_node(const Node& tree, const std::function<bool(const Node&)>& fits);
// Does it name `ctx.NAME`?
bool mentions(const Node& tree, const std::string& name);
// Does it use `ctx` otherwise than to name an entry of it, so that any entry may be meant?
bool uses_whole_context(const Node& tree);
// May the code look at one of these fields of the event? It may where it uses the whole event, or
// could not be read.
bool reads_event(const Piece& piece, std::initializer_list<std::string_view> fields);
// X of a call `state_in("X")`; else null.
const std::string* asked_state(const Node& node);
// X of a call `require "X"`; else null.
const std::string* required_name(const Node& node);
// Is it the global function `raise`, `send` or `cancel`, or a call of one?
bool names_action(const Node& node);
bool calls_action(const Node& node);

// X where the node is `local.X` or `local["X"]` with that local variable; else null.
const std::string* field_of_local(const Node& node, int declaration);
// Visits the local variables that the node declares, by number, with what each begins as.
void each_local(const Node& node, const std::function<void(int, const Node&)>& visit);

// The templates in what the state does: a question and its labels, arguments, a commit's message.
std::vector<const model::Template*> templates_of(const State& state);
// The text of a template into which nothing is put; else none.
std::optional<std::string> literal(const model::Template& text);

// Visits what the expression may come to: each side of an `or`, each entry of a list that is
// written out and indexed.
void each_result(const Node& node, const std::function<void(const Node&)>& visit);
// The end of a text that the expression joins or formats, or the whole text, where no duration ends
// so, as in `ctx.n .. "min"`; else null.
const std::string* unit_that_is_none(const Node& node);

// The fields that a table constructor gives, by name; none where one has no name that is written
// out.
std::optional<std::map<std::string, const Node*>> written_fields(const Node& table);

// What an assignment assigns to; empty where the node is none.
std::span<const Node> assigned_to(const Node& node);

// The assignments of `ctx.NAME = VALUE` in the tree; without a value where it cannot be told which
// of several belongs to the name.
struct Assignment {
  const std::string& name;
  const Node& target;
  const Node* value;
};
void each_assignment(const Node& tree, const std::function<void(const Assignment&)>& visit);

// Is no value of the one type a value of the other? (Null and lists without anything in them
// apart.)
bool are_disjoint(const model::Type& a, const model::Type& b);

// Is the node a text that is written out, and none of the choice's?
bool is_no_choice(const model::Type& choice, const Node& node);

// Is the expression the name of an input or context entry in which there is a number, a boolean or
// one of the author's own words?
bool names_word(const Machine& machine, std::string_view expression);

// The input or context entry that the node names, or that text, as in "ctx.plan"; null where it
// names none.
const model::Variable* variable_of(const Machine& machine, const Node& node);
const model::Variable* variable_of(const Machine& machine, std::string_view path);

}  // namespace agneto::lint
