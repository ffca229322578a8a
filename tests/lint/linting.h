// Lints machines from memory, where they are in the folder /team.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/diagnostic.h"
#include "base/files.h"
#include "lint/lint.h"

namespace agneto::lint {

inline const char* const good_hooks = "return {prompt = function(m) return 'Do it' end}";

inline std::string lint_files(std::map<std::string, std::string> texts,
                              const Options& options = {}) {
  MemoryFiles files;
  for (auto& [path, text] : texts) files.add("/team/" + path, std::move(text));
  const Findings findings = lint("/team/flow.yaml", files, "/lib", options);
  return render(findings.diagnostics);
}

inline std::string lint_text(std::string text, const Options& options = {}) {
  return lint_files({{"flow.yaml", std::move(text)}, {"hooks.lua", good_hooks}}, options);
}

// One machine with an agent `coder`; its states begin on line 7.
inline std::string lint_states(const std::string& states) {
  return lint_text(
      "agneto: 1\nname: flow\nagents:\n  coder: {hooks: hooks.lua}\ninitial: A\nstates:\n" +
      states);
}

}  // namespace agneto::lint
