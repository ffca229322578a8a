#include <algorithm>

#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using TypeKind = model::Type::Kind;

// How many there are of a list that is written out; none where that is not so.
std::optional<std::size_t> count_of(const Node& list) {
  if (list.kind != Node::Kind::table) return std::nullopt;
  for (const Node& field : list.children) {
    const bool is_item = field.children.size() == 1 && field.children[0].kind != Node::Kind::call &&
                         field.children[0].kind != Node::Kind::method &&
                         field.children[0].kind != Node::Kind::varargs;
    if (!is_item) return std::nullopt;
  }
  return list.children.size();
}

// `with: {file: inputs.files[index + 1]}`. A list beside the items has as many as they.
void check_neighbour(const Typed& items, const Typed& with, const Reporter& report) {
  const Node& value = with.value();
  if (value.kind != Node::Kind::index) return;
  const auto type = with.certain(value.children[0]);
  const bool is_beside = type && type->kind == TypeKind::list && value.children[1].text == "+";
  if (with.text(value.children[0]) != items.text(items.value()) && !is_beside) return;
  const Node& key = value.children[1];
  const bool beside = (key.is(Node::Kind::binary, "+") || key.is(Node::Kind::binary, "-")) &&
                      key.children[0].is(Node::Kind::global, "index") &&
                      key.children[1].kind == Node::Kind::number;
  if (!beside) return;
  report(with.place(value), "the {} item is given nil here", key.text == "+" ? "last" : "first")
      .help("`index` begins at 1: {}[index] is the item itself", with.text(value.children[0]));
}

}  // namespace

extern const LintRule wrong_items = {
    {"W431", "wrong-items", "items of a `for_each` that are no list, or not as many as it needs",
     R"(`items` gives the list that there is one machine each for. Anything else ends the activity in
`error.lua`; with fewer items than must complete it always ends in `failed`.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const auto* loop = std::get_if<model::ForEach>(&state.activity);
      const Typed* items = loop ? context.typed(machine, loop->items) : nullptr;
      if (!items) return;
      const auto type = items->certain(items->value());
      if (type && type->kind != TypeKind::list && type->kind != TypeKind::map) {
        report(items->piece()->code->span, "the items are of type {}, and no list",
               model::to_text(*type))
            .help("'{}' would end in error.lua", state.name);
      }
      const auto count = count_of(items->value());
      const auto needed = static_cast<std::size_t>(loop->needed.number);
      if (count && needed > *count) {
        report(items->piece()->code->span, "{} items must complete, and there are {}", needed,
               *count)
            .help("'{}' would always end in 'failed'; see `join`", state.name);
      }
      const auto& inputs = context.system.machine(loop->each.machine).inputs;
      for (const model::Binding& one : loop->each.with) {
        const auto input = std::ranges::find(inputs, one.name, &model::Variable::name);
        const bool takes_nil = input == inputs.end() || input->type.optional || input->initial;
        const Typed* with = context.typed(machine, one.value);
        if (with && !takes_nil) check_neighbour(*items, *with, report);
      }
    }};

}  // namespace agneto::lint
