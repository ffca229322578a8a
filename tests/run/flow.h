// A workflow from memory, and a machine of it, for the parts of an engine that need one.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "base/files.h"
#include "chart/step.h"
#include "run/prepare.h"

namespace agneto::run {

// Its agents' hooks are /w/hook.lua.
struct Flow {
  // `child` is the text of child.yaml.
  explicit Flow(const std::string& yaml, const std::string& child = "")
      : files(texts(yaml, child)), loaded(load_workflow("/w/flow.yaml", files, {})) {}

  static MemoryFiles texts(const std::string& yaml, const std::string& child) {
    MemoryFiles files;
    files.add("/w/flow.yaml", yaml);
    files.add("/w/child.yaml", child);
    files.add("/w/hook.lua", "return {prompt = function(m) return 'work' end}");
    return files;
  }

  MemoryFiles files;
  model::Loaded loaded;
  const model::System& system = *loaded.system;
  std::unique_ptr<chart::Evaluator> evaluator = check_scripts(system, files, {{"/w"}, "/w"});
  chart::Chart chart{system, *evaluator};
};

// The first effect of that kind.
template <typename Effect>
const Effect& first(const chart::Effects& out) {
  for (const chart::Effect& effect : out.effects) {
    if (const auto* found = std::get_if<Effect>(&effect)) return *found;
  }
  throw Error("there is no such effect");
}

}  // namespace agneto::run
