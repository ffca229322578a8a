// A machine's pieces of Lua -> functions, with the line numbers of the YAML files they are in.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "model/machine.h"
#include "script/sandbox.h"

namespace agneto::script {

// A compiled piece, and what it can reach.
struct Block {
  const model::Code* code = nullptr;
  int function = 0;  // reference in the registry
  bool event = false;
  bool run = false;
  bool may_change = false;
  bool whole_context = false;
  std::vector<std::uint32_t> variables;  // entries of the context, by index; else all of them
};

struct Program {
  std::vector<Block> blocks;           // by CodeId
  std::vector<std::uint32_t> context;  // every entry, by index
  // A function with the upvalues that all blocks share: what they see under these names.
  int anchor = 0;
  enum Upvalue { ctx = 1, inputs, event, run };

  const std::vector<std::uint32_t>& variables(const Block& block) const {
    return block.whole_context ? context : block.variables;
  }
};

// The file that a piece is written in, as messages call it.
std::string file_of(const model::Machine& machine, const model::Code& code);

// Reports the syntax errors of all pieces, each at its true line. The sandbox's globals must have
// been set. Pieces that do not compile have no function.
Program compile(Sandbox& sandbox, const model::Machine& machine, Diagnostics& diagnostics);

}  // namespace agneto::script
