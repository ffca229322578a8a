#include <algorithm>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// `{ctx.plan}` or `${inputs.task}`, where there is such a name.
void check(const Machine& machine, std::string_view text, Span span, const Reporter& report) {
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    const std::string_view inside = text.substr(at + 1, text.find('}', at) - at - 1);
    if (inside != trim(inside) || !variable_of(machine, inside)) continue;
    report(span, "nothing is put in for '{{{}}}', which stays in the text as it is", inside)
        .help("write {{{{{}}}}}", inside);
    return;
  }
}

// Does Lua join a text in quotes and what is in an entry of the context or an input?
bool joins(const Machine& machine, const std::string& text) {
  if (text.find("..") == text.npos) return false;
  const auto tree = lua::parse_expression(text);
  if (!tree || !tree->children[0].children[0].is(Node::Kind::binary, "..")) return false;
  const auto is_quoted = [](const Node& node) {
    return node.is(Node::Kind::binary, "..") &&
           std::ranges::any_of(node.children,
                               [](const Node& child) { return lua::literal_text(child); });
  };
  return any_node(*tree, is_quoted) &&
         any_node(*tree, [&](const Node& node) { return variable_of(machine, node); });
}

// `ctx.branch` and nothing else, where there is such a name, or `'Do ' .. inputs.task`: Lua, which
// is no template.
void check_bare(const Machine& machine, const model::Template& text, const Reporter& report) {
  const auto words = literal(text);
  if (!words) return;
  if (variable_of(machine, *words)) {
    report(text.span, "this is the text '{}', and not what is in it", *words)
        .help("a template puts in what stands in braces: \"{{{{{}}}}}\"", *words);
  } else if (joins(machine, *words)) {
    report(text.span, std::string("this is Lua, which stays in the text as it is"))
        .help(
            "a template is no Lua: write the words without quotes, and in double braces what is to "
            "be put in");
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
shell or in JavaScript, and a bare `inputs.branch` or `'Do ' .. inputs.task`, as in Lua, are text like any
other. So is the `$` of `${{…}}`, as in GitHub Actions.)"},
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
