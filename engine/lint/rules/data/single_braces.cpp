#include <algorithm>
#include <utility>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// `{ctx.plan}` or `${inputs.task}`, where there is such a name.
void check(const Machine& machine, std::string_view text, Span span, const Reporter& report) {
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    const std::string_view inside = text.substr(at + 1, text.find('}', at) - at - 1);
    for (const auto& [table, all] : {std::pair(std::string_view("ctx"), &machine.context),
                                     std::pair(std::string_view("inputs"), &machine.inputs)}) {
      if (!inside.starts_with(table) || !inside.substr(table.size()).starts_with('.')) continue;
      const std::string_view name = inside.substr(table.size() + 1);
      if (std::ranges::find(*all, name, &model::Variable::name) == all->end()) continue;
      report(span, "nothing is put in for '{{{}}}', which stays in the text as it is", inside)
          .help("write {{{{{}}}}}", inside);
      return;
    }
  }
}

// `ctx.branch` and nothing else, where there is such a name: Lua, which is no template.
void check_bare(const Machine& machine, const model::Template& text, const Reporter& report) {
  const auto words = literal(text);
  if (!words) return;
  for (const auto& [table, all] : {std::pair(std::string_view("ctx."), &machine.context),
                                   std::pair(std::string_view("inputs."), &machine.inputs)}) {
    if (!words->starts_with(table)) continue;
    const std::string_view name = std::string_view(*words).substr(table.size());
    if (std::ranges::find(*all, name, &model::Variable::name) == all->end()) continue;
    report(text.span, "this is the text '{}', and not what is in it", *words)
        .help("a template puts in what stands in braces: \"{{{{{}}}}}\"", *words);
  }
}

// `${{inputs.branch}}`, which is how other programs put a text in. Before a number it is a price.
void check_dollar(const LintContext& context, const Machine& machine, const State& state,
                  const Reporter& report) {
  if (std::holds_alternative<model::Ask>(state.activity)) return;
  for (const model::Template* text : templates_of(state)) {
    for (std::size_t i = 1; i < text->parts.size(); ++i) {
      const model::Template::Part& part = text->parts[i];
      if (part.code == none || !text->parts[i - 1].text.ends_with('$')) continue;
      const Typed* lua = context.typed(machine, part.code);
      const auto type = lua ? lua->certain(lua->value()) : std::nullopt;
      if (!type || type->kind != model::Type::Kind::string) continue;
      report(text->span, std::string("the '$' before '{{' stays in the text"))
          .help("leave it out: {{{{{}}}}}", trim(machine.code[part.code].text));
      return;
    }
  }
}

}  // namespace

extern const LintRule single_braces = {
    {"W319", "single-braces",
     "a name in single braces or in none, where a template has double ones",
     R"(A template puts in what stands in `{{…}}`. `{ctx.plan}`, as in Python, `${inputs.task}`, as in a
shell or in JavaScript, and a bare `inputs.branch`, as in Lua, are text like any other. So is the `$` of
`${{…}}`, as in GitHub Actions.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      check_dollar(context, machine, state, report);
      for (const model::Template* text : templates_of(state)) {
        check_bare(machine, *text, report);
        for (const model::Template::Part& part : text->parts) {
          check(machine, part.text, text->span, report);
        }
      }
    }};

}  // namespace agneto::lint
