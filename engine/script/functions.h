// The functions of a machine, which all other Lua of its file can call by name.
//
// They see what they are given and one another: no data of the machine, no event, no actions. So
// the same arguments give the same result; what an action gives them they may change, as it may
// itself.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "model/machine.h"
#include "script/sandbox.h"

namespace agneto::script {

// Reports each that is no function, is called like something of Lua's own, or looks at more than it
// is given.
void check_functions(const model::Machine& machine, Diagnostics& diagnostics);

class Functions {
 public:
  Functions(Sandbox& sandbox, const model::Machine& machine)
      : sandbox_(sandbox), machine_(machine) {}

  // Before the code of the machine is loaded. Returns what went wrong.
  std::optional<std::string> open();
  // Lets the chunk on top of the stack call them.
  void show_to_chunk();
  // Sets the function `index` of the machine to what the piece of code, a reference in the
  // registry, gives. Returns what went wrong.
  std::optional<std::string> set(std::size_t index, int piece);

 private:
  Sandbox& sandbox_;
  const model::Machine& machine_;
  int functions_ = LUA_NOREF;    // references in the registry
  int environment_ = LUA_NOREF;  // the _ENV of the machine's chunks
};

}  // namespace agneto::script
