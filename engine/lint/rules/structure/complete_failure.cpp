#include "base/text.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// Do the words of the name say that something went wrong?
bool names_failure(std::string_view name) {
  for (const std::string_view word : {"FAIL", "ERROR", "BROKEN", "CRASHED"}) {
    const std::size_t at = name.find(word);
    if (at == 0 || (at != name.npos && name[at - 1] == '_' && name.find("NOT_") > at &&
                    name.find("NO_") > at && name.find("WITHOUT_") > at)) {
      return true;
    }
  }
  return false;
}

}  // namespace

extern const LintRule complete_failure = {
    {"W240", "complete-failure", "an end whose name says that it failed and whose status does not",
     R"(Without `status` a final state ends the run as `complete`, with exit status 0, and CI goes on. Say
`status: failed` where something went wrong.)"},
    [](const LintContext&, const Machine&, const State& state, const Reporter& report) {
      const bool ends_well = state.kind == StateKind::final && state.parent == 0 &&
                             state.status == model::FinalStatus::complete;
      if (!ends_well || !names_failure(state.name)) return;
      report(state.span, "a run that ends in '{}' ends as complete", state.name)
          .help("say so: {}: {{final: true, status: failed}}", state.name);
    }};

}  // namespace agneto::lint
