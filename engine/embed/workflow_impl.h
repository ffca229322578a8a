// What a Workflow holds.
#pragma once

#include "base/files.h"
#include "embed/embed.h"
#include "model/machine.h"
#include "script/hooks.h"

namespace agneto::embed {

class Workflow::Impl {
 public:
  std::shared_ptr<const model::System> system;
  script::ModulePaths modules;
};

}  // namespace agneto::embed
