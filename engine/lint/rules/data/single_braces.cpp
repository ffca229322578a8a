#include <algorithm>
#include <regex>

#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// `{ctx.plan}` or `${inputs.task}`, where there is such a name.
const std::regex braces(R"(\$?\{\s*(ctx|inputs)\.(\w+)\s*\})");

void check(const Machine& machine, const std::string& text, Span span, const Reporter& report) {
  std::smatch found;
  if (!std::regex_search(text, found, braces)) return;
  const auto& all = found[1] == "ctx" ? machine.context : machine.inputs;
  if (std::ranges::find(all, found[2].str(), &model::Variable::name) == all.end()) return;
  report(span, "nothing is put in for '{}', which stays in the text as it is", found.str())
      .help("write {{{{{}.{}}}}}", found[1].str(), found[2].str());
}

}  // namespace

extern const LintRule single_braces = {
    {"W319", "single-braces", "a name in single braces, where a template has double ones",
     R"(A template puts in what stands in `{{…}}`. `{ctx.plan}`, as in Python, and `${inputs.task}`, as in a
shell or in JavaScript, are text like any other.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      for (const model::Template* text : templates_of(state)) {
        for (const model::Template::Part& part : text->parts) {
          check(machine, part.text, text->span, report);
        }
      }
    }};

}  // namespace agneto::lint
