#include "lint/hook_checks.h"

#include <algorithm>
#include <array>

namespace agneto::lint {

namespace {

constexpr std::array all = {&foreign_verdict, &hook_field};

}  // namespace

bool is_of_hook_checks(const Rule& rule) {
  return std::any_of(all.begin(), all.end(),
                     [&](const HookCheck* check) { return check->name == rule.name; });
}

void SharedModules::add(const model::System& system, const Module& module) {
  Shared& shared = modules_[module.source->path()];
  if (!shared.module) shared.module = &module;
  for (const model::MachineId id : module.machines) shared.users.push_back(&system.machine(id));
}

void SharedModules::check(Diagnostics& diagnostics) const {
  for (const auto& [path, shared] : modules_) {
    if (!shared.module->tree) continue;
    for (const HookCheck* check : all) check->run(*shared.module, shared.users, diagnostics);
  }
}

}  // namespace agneto::lint
