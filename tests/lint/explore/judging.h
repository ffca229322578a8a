// Judges the invariants of a machine from memory.
#pragma once

#include <optional>
#include <string>

#include "lint/context.h"
#include "lint/explore/explorations.h"
#include "lint/explore/judge.h"
#include "lint/lint.h"

namespace agneto::lint {

class Judged {
 public:
  // `configurations`: how many are explored at most. `child`: the text of child.yaml.
  Judged(const std::string& text, std::size_t configurations, const std::string& child = "")
      : configurations_(configurations) {
    files_.add("/team/flow.yaml", text);
    files_.add("/team/child.yaml", child);
    findings_ = lint("/team/flow.yaml", files_, "/lib", {.explore = false});
    if (!has_errors()) {
      context_.emplace(*findings_.system, files_, "/lib", std::stop_token(), configurations);
    }
  }

  bool has_errors() const { return findings_.diagnostics.has_errors(); }
  // Of a machine without errors; nothing where the invariant is proved.
  std::optional<Judgement> of(std::size_t invariant) const {
    return judge(*context_, findings_.system->main(), invariant);
  }
  // So, where Lua may fail wherever it cannot be seen that it does not.
  std::optional<Judgement> with_errors(std::size_t invariant) const {
    const model::Machine& machine = system().main();
    Explorations explorations(*context_, Numbers::defaults, configurations_, true);
    return judge_in(*context_, machine, explorations.of(machine), invariant);
  }
  const model::System& system() const { return *findings_.system; }
  const Exploration& exploration() const {
    return context_->exploration(findings_.system->main(), Numbers::defaults);
  }

 private:
  const std::size_t configurations_;
  MemoryFiles files_;
  Findings findings_;
  std::optional<LintContext> context_;
};

}  // namespace agneto::lint
