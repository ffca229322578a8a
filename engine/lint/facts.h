// What is known of the values that Lua is given, before it runs: what is declared is believed.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lint/context.h"
#include "model/types.h"

namespace agneto::lint {

// The machines that use a hook module. It may serve machines of several workflows: what it says is
// right where it is right for one of them.
using Users = std::vector<const Machine*>;

// What is known of a value.
struct Facts {
  using Fields = std::map<std::string, Facts>;

  bool known = false;                         // is anything?
  model::Type type = {};                      // `any`: it can be of each; optional: it can be null
  bool may_be_nil = false;                    // when it is looked at
  bool starts_empty = false;                  // does it begin as "", null or an empty list?
  std::shared_ptr<const Fields> fields = {};  // of a table: what it has; null: not known
  bool closed = false;                        // is anything else of it nil?
  std::shared_ptr<const Facts> element = {};  // of a list; null: not known
  std::string only = {};    // the one number that it is, as it is written; empty: not known
  std::string never = {};   // a number that it is not, as it is written; empty: that is not known
  std::string called = {};  // as a sentence calls it, where that is not how it is written

  // The type that the value has for certain, being neither null nor nil; none: that is not known.
  std::optional<model::Type> certain() const;
  // Is it true for Lua, whatever it is?
  bool is_true() const;
};

// These say what is known of a value that is declared with the type, or is of that kind.
Facts facts_of(const model::Type& type);
Facts facts_of(model::Type::Kind kind);
// These say what is known of a list of such elements, and of a table with these fields alone.
Facts list_of(Facts element);
Facts table_of(Facts::Fields fields);

// What the code of a machine is given. Both must outlive it.
class Given {
 public:
  Given(const LintContext& context, const Machine& machine);

  // The global variable, as the code sees it: `ctx`, `inputs`, and where that is known `event` and
  // the item of a for_each.
  Facts to(CodeId code, const std::string& variable) const;
  // The function that a code of the machine is; null where it is none.
  const Node* function(CodeId code) const;

 private:
  const LintContext& context_;
  const Machine& machine_;
  const Facts inputs_, data_;
  std::vector<TransitionId> transitions_;  // by CodeId: whose guard or action it is
  std::vector<StateId> loops_;             // by CodeId: whose items see it
};

// What hooks are given: `m`. The text `m.state` has the states that are known as its choices, and
// `m.task` the tasks that these name.
Facts given_to_hooks(const Users& users);

}  // namespace agneto::lint
