#include "lint/typed.h"

#include <algorithm>
#include <array>

#include "lint/expressions.h"
#include "lint/hook_functions.h"
#include "lua/prompt.h"

namespace agneto::lint {

namespace {

using TypeKind = model::Type::Kind;

constexpr std::string_view hook_library = "agneto";

template <typename Names>
bool has(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

constexpr std::array<std::string_view, 6> comparisons = {"==", "~=", "<", ">", "<=", ">="};
// These functions give texts: those of `string`, also as methods, then those of the hook library.
constexpr std::array<std::string_view, 7> text_functions = {"format",  "gsub", "lower", "rep",
                                                            "reverse", "sub",  "upper"};
constexpr std::array<std::string_view, 6> library_texts = {"section", "fence",  "bullets",
                                                           "join",    "render", "verdict_format"};

// X of `LIBRARY.X(…)` with that global table; empty where the node is no such call.
std::string_view called_of(const Node& node, std::string_view library) {
  const std::string* name = lua::field_of(node.children[0], library);
  return name ? std::string_view(*name) : std::string_view();
}

bool calls_global(const Node& node, std::string_view function) {
  return node.kind == Node::Kind::call && node.children[0].is(Node::Kind::global, function);
}

}  // namespace

Typed::Typed(const Piece& piece, CodeId code, const Given& given)
    : piece_(&piece), tree_(*piece.tree), text_(piece.code->text), code_(code), given_(&given) {
  read_locals();
}

Typed::Typed(const Module& module, const Users& users)
    : module_(&module), tree_(*module.tree), text_(module.source->text()) {
  const Facts m = given_to_hooks(users);
  // Functions that hooks call name it so, too.
  std::set<int> parameters;
  lua::walk(tree_, [&](const Node& node) {
    if (node.kind == Node::Kind::function) {
      parameters.insert(node.declarations.begin(), node.declarations.end());
    }
    if (node.is(Node::Kind::local, "m") && parameters.contains(node.declaration)) {
      locals_[node.declaration] = m;
    }
  });
  const auto parameter = [&](std::string_view hook, std::size_t number, const Facts& facts) {
    for (const Node* function : hook_functions(tree_, hook)) {
      if (function->declarations.size() <= number) continue;
      locals_[function->declarations[number]] = facts;
    }
  };
  parameter("prompt", 0, m);
  parameter("parse", 0, facts_of(TypeKind::string));
  parameter("parse", 1, m);
  read_locals();
}

Span Typed::place(const Node& node) const {
  return piece_ ? lint::place(*piece_, node) : lint::place(*module_, node);
}

bool Typed::is_prompt() const {
  return module_ && lua::is_prompt(module_->source->path());
}

void Typed::read_locals() {
  std::set<int> assigned;
  lua::walk(tree_, [&](const Node& node) {
    for (const Node& target : assigned_to(node)) {
      if (target.kind == Node::Kind::local) assigned.insert(target.declaration);
    }
  });
  for (const int local : assigned) locals_.erase(local);
  lua::walk(tree_, [&](const Node& node) {
    each_local(node, [&](int local, const Node& value) {
      if (assigned.contains(local)) return;
      origins_[local] = &value;
      const std::string* required = required_name(value);
      if (required && *required == hook_library) libraries_.insert(local);
      if (Facts found = facts(value); found.known) locals_[local] = std::move(found);
    });
    if (node.is(Node::Kind::statement, "for")) read_loop(node);
  });
}

// for KEY, VALUE in ipairs(LIST) do
void Typed::read_loop(const Node& loop) {
  if (loop.children.size() != 2 || loop.declarations.size() != 2) return;
  const Node& call = loop.children[0];
  if (!calls_global(call, "ipairs") && !calls_global(call, "pairs")) return;
  const Facts list = call.children.size() == 2 ? facts(call.children[1]) : Facts();
  if (list.type.kind != TypeKind::list || !list.known) return;
  locals_[loop.declarations[0]] = facts_of(TypeKind::integer);
  if (list.element) locals_[loop.declarations[1]] = *list.element;
}

Facts Typed::facts(const Node& node) const {
  switch (node.kind) {
    case Node::Kind::boolean:
      return facts_of(TypeKind::boolean);
    case Node::Kind::number:
      return facts_of(TypeKind::number);
    case Node::Kind::string:
      return facts_of(TypeKind::string);
    case Node::Kind::table:
      return facts_of(TypeKind::map);
    case Node::Kind::unary:
    case Node::Kind::binary:
      return of_operator(node);
    case Node::Kind::index:
      return of_index(node);
    case Node::Kind::call:
    case Node::Kind::method:
      return of_call(node);
    case Node::Kind::global: {
      if (!given_) return {};
      const auto [known, is_new] = globals_.try_emplace(node.text);
      if (is_new) known->second = given_->to(code_, node.text);
      return known->second;
    }
    case Node::Kind::local: {
      const auto found = locals_.find(node.declaration);
      return found == locals_.end() ? Facts() : found->second;
    }
    default:
      return {};
  }
}

Facts Typed::of_operator(const Node& node) const {
  if (node.kind == Node::Kind::unary) {
    if (node.text == "not") return facts_of(TypeKind::boolean);
    return facts_of(node.text == "#" ? TypeKind::integer : TypeKind::number);
  }
  if (node.text == "..") return facts_of(TypeKind::string);
  if (has(comparisons, node.text)) return facts_of(TypeKind::boolean);
  if (node.text != "and" && node.text != "or") return facts_of(TypeKind::number);
  const Facts left = facts(node.children[0]);
  const Facts right = facts(node.children[1]);
  if (left.is_true()) return node.text == "or" ? left : right;
  // What is nil gives way to what is behind it.
  const bool same = left.known && right.known && left.type.kind == right.type.kind &&
                    left.type.kind != TypeKind::any;
  if (!same) return {};
  if (left.type.kind == TypeKind::boolean) return facts_of(TypeKind::boolean);
  Facts either = node.text == "or" ? left : right;
  either.may_be_nil = node.text == "or" ? right.may_be_nil : true;
  return either;
}

Facts Typed::of_index(const Node& node) const {
  const Facts of = facts(node.children[0]);
  const std::string* name = lua::literal_text(node.children[1]);
  if (!of.known) return {};
  if (name && of.fields) {
    const auto field = of.fields->find(*name);
    return field == of.fields->end() ? Facts() : field->second;
  }
  if (name || of.type.kind != TypeKind::list || !of.element) return {};
  Facts element = *of.element;
  element.may_be_nil = true;  // behind the last
  return element;
}

Facts Typed::of_call(const Node& node) const {
  if (node.kind == Node::Kind::method) {
    const auto of = certain(node.children[0]);
    const bool is_text = of && (of->kind == TypeKind::string || of->kind == TypeKind::choice);
    return is_text && has(text_functions, node.text) ? facts_of(TypeKind::string) : Facts();
  }
  if (calls_global(node, "tostring") || called_of(node, "table") == "concat" ||
      has(text_functions, called_of(node, "string"))) {
    return facts_of(TypeKind::string);
  }
  if (calls_global(node, "tonumber")) {
    Facts number = facts_of(TypeKind::number);
    number.may_be_nil = true;
    return number;
  }
  const std::string* function = called_of_library(node);
  return function && has(library_texts, *function) ? facts_of(TypeKind::string) : Facts();
}

const Node& Typed::origin(const Node& node) const {
  const auto found =
      node.kind == Node::Kind::local ? origins_.find(node.declaration) : origins_.end();
  return found == origins_.end() ? node : *found->second;
}

const Node* Typed::function(CodeId code) const {
  return given_ ? given_->function(code) : nullptr;
}

const std::string* Typed::called_of_library(const Node& node) const {
  if (node.kind != Node::Kind::call || node.children[0].kind != Node::Kind::index) return nullptr;
  const Node& library = node.children[0].children[0];
  const std::string* required = required_name(library);
  const bool is_library =
      (required && *required == hook_library) ||
      (library.kind == Node::Kind::local && libraries_.contains(library.declaration));
  return is_library ? lua::literal_text(node.children[0].children[1]) : nullptr;
}

}  // namespace agneto::lint
