#include <fmt/format.h>

#include "base/text.h"
#include "lint/check.h"

namespace agneto::lint {

namespace {

// The label of an option that is always offered and reads the same each time; else empty.
std::string_view fixed_label(const model::Option& option) {
  if (option.when != model::none || option.label.parts.size() != 1) return {};
  return option.label.parts.front().code == model::none ? trim(option.label.parts.front().text)
                                                        : std::string_view();
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    for (const model::State& state : machine.states) {
      const auto* ask = std::get_if<model::Ask>(&state.activity);
      if (!ask) continue;
      for (std::size_t i = 0; i < ask->options.size(); ++i) {
        const std::string_view label = fixed_label(ask->options[i]);
        for (std::size_t j = 0; j < i && !label.empty(); ++j) {
          if (fixed_label(ask->options[j]) != label) continue;
          Diagnostic& finding = diagnostics.warning(
              same_label.name, ask->options[i].span,
              fmt::format("'{}' and '{}' have one label, so that nobody can tell which is which",
                          ask->options[j].name, ask->options[i].name));
          finding.help = "say in the label what the option does";
          finding.related.push_back({ask->options[j].span, "the other option"});
          break;
        }
      }
    }
  }
}

}  // namespace

const Check same_label = {"same-label", check};

}  // namespace agneto::lint
