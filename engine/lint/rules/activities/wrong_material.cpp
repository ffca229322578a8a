#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule wrong_material = {
    {"W435", "wrong-material", "something else than a text to show or to edit",
     R"(`show` and `edit` are Lua that gives the text which a person sees. Anything else ends the question in
`error.lua` as soon as it is asked. Braces, which put values into a template, make a table in Lua.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const auto* ask = std::get_if<model::Ask>(&state.activity);
      if (!ask) return;
      const auto check = [&](CodeId code, std::string_view key) {
        const Typed* lua = code == none ? nullptr : context.typed(machine, code);
        const auto type = lua ? lua->certain(lua->value()) : std::nullopt;
        using Kind = model::Type::Kind;
        if (!type || type->kind == Kind::string || type->kind == Kind::choice) return;
        const bool braces = lua->value().kind == Node::Kind::table;
        report(lua->piece()->code->span, "`{}` is Lua that gives a text, and this is {}", key,
               braces ? "a table" : "of type " + model::to_text(*type))
            .help(braces ? "leave out the braces: it is no template"
                         : "name what holds the text, as in ctx.plan");
      };
      check(ask->show, "show");
      for (const model::Option& option : ask->options) check(option.edit, "edit");
    }};

}  // namespace agneto::lint
