#include "base/text.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// The label of an option that is always offered and reads the same each time; else empty.
std::string_view fixed_label(const model::Option& option) {
  if (option.when != none || option.label.parts.size() != 1) return {};
  return option.label.parts.front().code == none ? trim(option.label.parts.front().text)
                                                 : std::string_view();
}

}  // namespace

extern const LintRule same_label = {
    {"W420", "same-label", "two options of a question with one label",
     R"(A person who is asked sees the labels, and cannot tell the options apart by them.)"},
    [](const LintContext&, const Machine&, const State& state, const Reporter& report) {
      const auto* ask = std::get_if<model::Ask>(&state.activity);
      if (!ask) return;
      for (std::size_t i = 0; i < ask->options.size(); ++i) {
        const std::string_view label = fixed_label(ask->options[i]);
        for (std::size_t j = 0; j < i && !label.empty(); ++j) {
          if (fixed_label(ask->options[j]) != label) continue;
          report(ask->options[i].span,
                 "'{}' and '{}' have one label, so that nobody can tell which is which",
                 ask->options[j].name, ask->options[i].name)
              .help("say in the label what the option does")
              .related(ask->options[j].span, "the other option");
          break;
        }
      }
    }};

}  // namespace agneto::lint
