// Checks of hook modules that hang on who uses them. A module may serve machines of several
// workflows: what it says is right where it is right for one of them.
//
// To add one: as in check.h, but into hook_checks.cpp.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "lint/module.h"

namespace agneto::lint {

using Users = std::vector<const model::Machine*>;

struct HookCheck {
  std::string_view name;  // of the rule whose findings it reports
  void (*run)(const Module& module, const Users& users, Diagnostics& diagnostics);
};

extern const HookCheck foreign_verdict;
extern const HookCheck hook_field;

// Does such a check report findings of the rule?
bool is_of_hook_checks(const Rule& rule);

// The modules of all workflows that are looked at together.
class SharedModules {
 public:
  // The system and the module must outlive this.
  void add(const model::System& system, const Module& module);
  void check(Diagnostics& diagnostics) const;

 private:
  struct Shared {
    const Module* module = nullptr;
    Users users;
  };
  std::map<std::string, Shared> modules_;  // by path
};

}  // namespace agneto::lint
