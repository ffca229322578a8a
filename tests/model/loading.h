// Loads machines from memory, and says what was reported.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/diagnostic.h"
#include "base/files.h"
#include "model/load.h"

namespace agneto::model {

// Holds whatever the diagnostics point into.
struct LoadResult {
  Diagnostics diagnostics;
  Loaded loaded;

  // Every message, as a person sees it.
  std::string messages() const { return render(diagnostics); }
  const System& system() const { return *loaded.system; }
  const Machine& main() const { return loaded.system->main(); }
};

inline LoadResult load_files(std::map<std::string, std::string> texts,
                             const std::string& file = "flow.yaml") {
  const MemoryFiles files(std::move(texts));
  LoadResult result;
  result.loaded = load(file, files, result.diagnostics);
  return result;
}

// Loads one machine. Any hooks it names as `hooks.lua` exist.
inline LoadResult load_text(std::string text) {
  return load_files({{"flow.yaml", std::move(text)}, {"hooks.lua", "return {}"}});
}

// Loads a machine whose lines before `states:` are fine, so that a test shows what it is about
// alone. The states begin on line 5.
inline LoadResult load_states(const std::string& states) {
  return load_text("agneto: 1\nname: flow\ninitial: A\nstates:\n" + states);
}

}  // namespace agneto::model
