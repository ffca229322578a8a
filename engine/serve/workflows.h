// The workflows that can be run here by their names, as programs are told of them.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "lint/report/report.h"
#include "model/load.h"
#include "run/assembly.h"
#include "serve/pictures.h"
#include "serve/scenarios.h"
#include "serve/turns.h"

namespace agneto::serve {

// A workflow that can be run by name.
struct Offered {
  std::string name;                             // "agneto"; of a package: "kit/review"
  std::shared_ptr<const model::System> system;  // null: it has mistakes
};
std::vector<Offered> offered(const fs::path& folder, const run::Resources& resources);
// Their names alone, of which none is read.
std::vector<std::string> offered_names(const fs::path& folder, const run::Resources& resources);

// Throws Refusal where none is offered by that name. A path may lead to what an agent has written.
template <typename Refusal>
void require_offered(const std::string& workflow, const std::vector<std::string>& names) {
  if (std::ranges::find(names, workflow) != names.end()) return;
  throw Refusal("there is no workflow '" + printable(workflow) + "'",
                suggestion(workflow, names, "workflows"));
}

// What `agneto lint` finds in a workflow's file, and in the team's configuration.
using Linter = std::function<lint::Report(const fs::path& file)>;

// Everything that it is given outlives it. Its functions are called on several threads at a time.
class Workflows {
 public:
  Workflows(fs::path folder, const run::Resources& resources, const Pictures& pictures,
            const Scenarios& scenarios, Linter linter);

  // [{"workflow", "runs", "description"?, "inputs"?}]
  Json list() const;
  // The same of one, with its files and what lint finds in them. Throws NotFound where there is
  // none of that name.
  Json shown(const std::string& name) const;
  // What its scenario tests come by: {"tests", "cases", "failed", "machines"}; without a test file
  // there are no cases. Throws NotFound, and what `Scenarios::play` throws.
  Json coverage(const std::string& name) const;
  // `covered`: with what its scenario tests come by. Throws NotFound, Error where there are none,
  // and what `Pictures::svg` and `Scenarios::play` throw.
  std::string svg(const std::string& name, int depth, bool covered, const Redactor& redactor) const;

 private:
  fs::path find(const std::string& name) const;
  model::Loaded load(const std::string& name, const fs::path& file) const;
  Json findings_of(const fs::path& file, const model::Loaded& loaded) const;
  std::optional<Played> played(const std::string& name, const fs::path& test,
                               const model::Loaded& loaded) const;

  const fs::path folder_;
  const run::Resources& resources_;
  const Pictures& pictures_;
  const Scenarios& scenarios_;
  const Linter linter_;
  SystemClock clock_;
  mutable Turns linting_;
  mutable Recent findings_{clock_, std::chrono::seconds(10), 50};
};

}  // namespace agneto::serve
