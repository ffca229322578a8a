// The data of one machine instance: its inputs and context, and the Lua tables that show them.
//
// The committed values are the truth. The ctx table in Lua is what code works on, and is compared
// with them after every block that can have changed it; what does not fit is taken back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "chart/evaluator.h"
#include "model/machine.h"
#include "script/compile.h"
#include "script/sandbox.h"

namespace agneto::script {

class InstanceData;

// What all instances of one machine share. Numbers are references in the registry.
struct MachineCode {
  const model::Machine* machine = nullptr;
  Program program;
  int names = 0;                        // list of the context's names, from 0
  int metatable = 0;                    // of every ctx: refuses undeclared names
  const InstanceData* shown = nullptr;  // whose ctx and inputs its code sees now
};

// Makes `names` and `metatable`.
std::optional<std::string> prepare(Sandbox& sandbox, MachineCode& code);

class InstanceData : public chart::Data {
 public:
  // Each context entry begins with its value in `context`, else its literal default, else its
  // type's zero.
  InstanceData(Sandbox& sandbox, MachineCode& code, Json inputs, const Json& context);
  ~InstanceData() override;

  // Makes the Lua tables; once, first. Returns what went wrong.
  std::optional<std::string> open();

  const MachineCode& code() const { return code_; }
  Json save() const;

  // Lets the machine's code see this data.
  void show();

  // Sets an entry to a value of its type, or says why it cannot be.
  std::optional<std::string> set(std::uint32_t variable, Json value);

  // Keeps what is now in ctx of the `variables`. Entries whose value does not fit their declaration
  // keep the old one; says which and why, "; " between them.
  std::string commit(const std::vector<std::uint32_t>& variables);
  // Takes back whatever is now in ctx of the `variables`; names the first that was changed.
  std::string revert(const std::vector<std::uint32_t>& variables);

  // `rollback` returns to the data of the last `mark`.
  void mark() { undo_.clear(); }
  void rollback();

 private:
  struct Value {
    Json committed;
    const void* table = nullptr;  // the Lua table that shows it, where it is one
  };
  struct Change {
    std::uint32_t variable;
    Json old;
  };

  const model::Variable& declared(std::uint32_t variable) const {
    return code_.machine->context[variable];
  }
  // Visits each of the variables with its value in ctx on top of the stack.
  template <typename Visit>
  void each_current(const std::vector<std::uint32_t>& variables, Visit visit);
  bool keep_plain(std::uint32_t variable);
  void keep(std::uint32_t variable, std::vector<std::string>& problems);
  bool is_committed(std::uint32_t variable, Json& value, std::string& why);
  std::optional<std::string> put(std::uint32_t variable);

  Sandbox& sandbox_;
  MachineCode& code_;
  Json inputs_;
  std::vector<Value> values_;  // by context entry
  std::vector<Change> undo_;   // since the last mark
  int context_ = LUA_NOREF;    // references in the registry
  int inputs_view_ = LUA_NOREF;
};

}  // namespace agneto::script
