// What exploring says of what a rule reads from the text alone: it knows more where it was
// complete.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lint/explore/explore.h"
#include "lint/transitions.h"

namespace agneto::lint {

// Whether an outcome of the state goes untaken in a run, which fails the machine.
struct Untaken {
  bool possible = true;                 // else it was explored, and is not so
  std::vector<std::string> trace = {};  // events after which it does; empty: that is not certain
};
Untaken untaken(const LintContext& context, const Machine& machine, const State& state,
                std::string_view outcome);

// As NextStates (transitions.h), which takes guards to be true; but where all was explored a state
// to which a run comes that way, or null.
class NextInARun {
 public:
  // The context and the machine must outlive it.
  NextInARun(const LintContext& context, const Machine& machine, OfState fits, OfState stops)
      : context_(context),
        machine_(machine),
        fits_(std::move(fits)),
        stops_(std::move(stops)),
        by_text_(machine, fits_, stops_) {}
  const State* from(const State& state) const;

 private:
  const LintContext& context_;
  const Machine& machine_;
  const OfState fits_, stops_;
  const NextStates by_text_;
};

}  // namespace agneto::lint
