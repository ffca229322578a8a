#include <fmt/format.h>

#include <algorithm>

#include "model/bind_settings.h"
#include "model/outcomes.h"
#include "model/rules.h"
#include "model/values.h"

namespace agneto::model {

namespace {

using yaml::Node;

// What can be tried again, for who wrote something else.
std::vector<std::string> outcomes_to_retry(Tried what) {
  std::vector<std::string> all = {"error", "error.timeout", "error.exit", "error.spawn"};
  all.emplace_back(what == Tried::program ? "failed" : "error.unparsed");
  return all;
}

void check_event(const Node& event, Tried what, Diagnostics& diagnostics) {
  if (event.kind != yaml::Kind::scalar || !is_name(event.text, true)) return;
  const std::vector<std::string> known = outcomes_to_retry(what);
  if (std::ranges::find(known, event.text) != known.end()) return;
  const auto& own = engine_errors();
  const bool is_own = std::ranges::find(own, event.text) != own.end();
  // A provider of a team may give errors of its own.
  const bool may_be = what == Tried::agent && is_error(event.text) && !is_own;
  if (may_be && closest(event.text, known).empty()) return;
  const bool is_same = is_own && event.text != "error.unparsed";
  Diagnostic& problem = diagnostics.report(
      rules::bad_retry, event.span,
      is_same ? fmt::format("'{}' is the same each time, and is not tried again", event.text)
              : fmt::format("'{}' is nothing that {} can be tried again for", event.text,
                            what == Tried::program ? "a program" : "an agent"));
  suggest(problem, event.text, known, "outcomes");
}

}  // namespace

std::optional<int> read_tries(const Node& node, Tried what, Diagnostics& diagnostics) {
  const auto tries = as_integer(node);
  if (tries && *tries == 0) {
    diagnostics.report(rules::bad_limit, node.span,
                       what == Tried::program ? "no tries: the program is never run"
                                              : "no tries: the agent is never called",
                       "tries: 1 tries it once");
  }
  return tries;
}

RetrySettings read_retry(const Node& node, Tried what, Diagnostics& diagnostics) {
  RetrySettings retry;
  for (const auto& [key, value] : node.entries) {
    if (key.text == "tries") retry.tries = read_tries(value, what, diagnostics);
    if (key.text == "backoff") retry.backoff = as_duration(value);
    if (key.text == "max") retry.longest = as_duration(value);
    if (key.text != "on") continue;
    retry.on.emplace();
    for (const Node& event : value.one_or_all()) {
      check_event(event, what, diagnostics);
      retry.on->push_back(event.text);
    }
  }
  const Millis first = retry.backoff.value_or(Retry().backoff);
  if (const Node* longest = node.find("max"); retry.longest && *retry.longest < first) {
    diagnostics.report(
        rules::bad_limit, longest->span,
        fmt::format("the longest wait is shorter than the first one ({})", format_duration(first)),
        "make `max` longer, or `backoff` shorter");
  }
  return retry;
}

}  // namespace agneto::model
