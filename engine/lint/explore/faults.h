// Which Lua can fail as it runs, as far as its text and the types of the context and the inputs
// say.
#pragma once

#include "lint/context.h"

namespace agneto::lint {

class Faults {
 public:
  // The machine must outlive it.
  explicit Faults(const Machine& machine) : machine_(machine) {}

  // Can it raise an error to work out the expression? (Yes where that is not plain.)
  bool in_value(const Node& node) const;
  // Or to run the statement, but for blocks in it?
  bool in_statement(const Node& node) const;
  // Can the statement give a name a value that its type does not allow? Then the name keeps its old
  // one, and that is an error once the block is done.
  bool in_assigning(const Node& node) const;
  // Can what the expression comes to be something else than a number?
  bool in_number(const Node& node) const;

  // Can anything in the piece of code fail?
  bool in_piece(const Piece& piece) const;

 private:
  enum class Kind { any, boolean, integer, number, text };
  Kind kind_of(const Node& node) const;

  const Machine& machine_;
};

}  // namespace agneto::lint
