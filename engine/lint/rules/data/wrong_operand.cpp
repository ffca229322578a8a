#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using TypeKind = model::Type::Kind;

bool is_text(const model::Type& type) {
  return type.kind == TypeKind::string || type.kind == TypeKind::choice;
}
bool is_number(const model::Type& type) {
  return type.kind == TypeKind::integer || type.kind == TypeKind::number;
}
bool is_table(const model::Type& type) {
  return type.kind == TypeKind::list || type.kind == TypeKind::map;
}

bool is_calculation(std::string_view op) {
  return op == "+" || op == "*" || op == "/" || op == "//" || op == "%" || op == "^" || op == "-";
}
bool is_text_function(std::string_view name) {
  constexpr std::string_view all[] = {"byte",  "char",  "find", "format",  "gmatch", "gsub", "len",
                                      "lower", "match", "rep",  "reverse", "sub",    "upper"};
  return std::ranges::find(all, name) != std::end(all);
}

// Why the operator fails on that operand; empty: it does not, as far as one can tell.
std::string why_not(const std::string& op, bool unary, const model::Type& type) {
  const std::string what = model::to_text(type);
  if (op == "#") {
    return is_text(type) || is_table(type) ? ""
                                           : fmt::format("a value of type {} has no length", what);
  }
  if (op == "..") {
    return is_text(type) || is_number(type)
               ? ""
               : fmt::format("'..' cannot join a value of type {}", what);
  }
  // Lua makes a number of a text that looks like one.
  if (is_calculation(op) && (is_table(type) || type.kind == TypeKind::boolean)) {
    return fmt::format("'{}' cannot calculate with a value of type {}", op, what);
  }
  const bool orders = !unary && (op == "<" || op == "<=" || op == ">" || op == ">=");
  if (orders && (is_table(type) || type.kind == TypeKind::boolean)) {
    return fmt::format("'{}' cannot order a value of type {}", op, what);
  }
  return "";
}

void check_order(const Typed& lua, const Node& node, const Reporter& report) {
  const auto a = lua.certain(node.children[0]);
  const auto b = lua.certain(node.children[1]);
  if (!a || !b || !((is_text(*a) && is_number(*b)) || (is_number(*a) && is_text(*b)))) return;
  report(lua.place(node), "a value of type {} cannot be ordered with one of type {}",
         model::to_text(*a), model::to_text(*b))
      .help("in Lua \"1\" and 1 differ; tonumber and tostring make one of the other");
}

// `"Rename " + inputs.name`
bool check_sum(const Typed& lua, const Node& operand, const Reporter& report) {
  const std::string* text = lua::literal_text(operand);
  if (!text || text->find_first_of("0123456789") != text->npos) return false;
  report(lua.place(operand), "\"{}\" is no number to calculate with", printable(*text))
      .help("texts are joined by `..`");
  return true;
}

// Does what `if`, `and`, `or`, `not` and comparisons ask have to do with the path, or with which
// try it is?
bool is_asked_for(const Typed& lua, std::string_view path) {
  return any_node(lua.tree(), [&](const Node& node) {
    const bool asks =
        node.kind == Node::Kind::binary
            ? node.text != ".." && !is_calculation(node.text)
            : node.is(Node::Kind::statement, "if") || node.is(Node::Kind::unary, "not");
    if (!asks) return false;
    return std::ranges::any_of(node.children, [&](const Node& child) {
      return lua.text(child).starts_with(path) || lua.text(child).starts_with("m.attempt");
    });
  });
}

// "… could not be used: " .. m.last_error
bool check_last_error(const Typed& lua, const Node& operand, const Reporter& report) {
  const Facts facts = lua.facts(operand);
  if (!facts.known || !facts.may_be_nil || facts.type.kind != TypeKind::string) return false;
  if (lua.text(operand) != "m.last_error" || is_asked_for(lua, "m.last_error")) return false;
  report(lua.place(operand), "m.last_error is nil at the first try, and '..' fails on nil")
      .help("ask first: if m.last_error then … end");
  return true;
}

// `#event.problems`, of what is declared to be a map
bool check_length(const Typed& lua, const Node& node, const Reporter& report) {
  const Node& operand = node.children[0];
  const bool is_declared = node.is(Node::Kind::unary, "#") && operand.kind == Node::Kind::index &&
                           (lua::field_of(operand, "ctx") || lua::field_of(operand, "event") ||
                            lua::field_of(operand, "inputs"));
  const auto type = is_declared ? lua.certain(operand) : std::nullopt;
  if (!type || type->kind != TypeKind::map) return false;
  report(lua.place(node), "'#' of a map is 0, whatever is in it")
      .help("ask whether it has anything: next({}) == nil", lua.text(operand));
  return true;
}

// Does a guard of the machine ask for that field of its event?
bool is_guarded(const Machine& machine, std::string_view path) {
  return std::ranges::any_of(machine.code, [&](const model::Code& code) {
    return code.what == "guard" && code.text.find(path) != std::string::npos;
  });
}

// Is the piece an action behind an agent's verdict? What another machine gives back may well be
// there with that outcome, though its type has a `?`; words that a person does not give are an
// empty text.
bool follows_verdict(const Piece& piece) {
  const Machine& machine = *piece.machine;
  const auto code = static_cast<CodeId>(piece.code - machine.code.data());
  return std::ranges::any_of(machine.transitions, [&](const Transition& one) {
    return std::ranges::count(one.actions, code) > 0 &&
           std::holds_alternative<model::AgentCall>(machine.state(one.source).activity);
  });
}

// "The reviewer says: " .. event.why
bool check_null(const Typed& lua, const Node& node, const Node& operand, const Reporter& report) {
  if (!lua.piece() || !lua::field_of(operand, "event") || !follows_verdict(*lua.piece())) {
    return false;
  }
  const Facts facts = lua.facts(operand);
  const std::string_view path = lua.text(operand);
  if (!facts.known || !facts.type.optional || is_asked_for(lua, path) ||
      is_guarded(*lua.piece()->machine, path)) {
    return false;
  }
  report(lua.place(operand), "{} may be null, and '{}' fails on null", path, node.text)
      .help("say what else: ({} ~= null and {} or \"\")", path, path);
  return true;
}

void check_operands(const Typed& lua, const Node& node, const Reporter& report) {
  const bool unary = node.kind == Node::Kind::unary;
  if (check_length(lua, node, report)) return;
  for (const Node& operand : node.children) {
    const bool joins = node.text == ".." || (!unary && is_calculation(node.text));
    if (joins && check_null(lua, node, operand, report)) return;
    if (is_calculation(node.text) && check_sum(lua, operand, report)) return;
    if (node.text == ".." && check_last_error(lua, operand, report)) return;
    const auto type = lua.certain(operand);
    const std::string why = type ? why_not(node.text, unary, *type) : "";
    if (why.empty()) continue;
    report(lua.place(operand), why).help("is another value meant, or another operator?");
    return;
  }
  if (!unary && (node.text == "<" || node.text == "<=" || node.text == ">" || node.text == ">=")) {
    check_order(lua, node, report);
  }
}

// `ctx.list.length`, `ctx.list[0]`, `item.path` of a text
void check_field(const Typed& lua, const Node& node, const Reporter& report) {
  const auto type =
      lua.facts(node.children[0]).known ? lua.facts(node.children[0]).type : model::Type();
  const std::string* field = lua::literal_text(node.children[1]);
  if (type.kind == TypeKind::list && node.children[1].is(Node::Kind::number, "0")) {
    report(lua.place(node), "{}[0] is nil: lists begin at 1", lua.text(node.children[0]))
        .help("write [1] for the first one");
  } else if (type.kind == TypeKind::list && field) {
    report(lua.place(node), "the list {} has no field '{}': this is nil",
           lua.text(node.children[0]), *field)
        .help("#ctx.list is its length; table.insert(ctx.list, value) adds to it");
  } else if (is_text(type) && field && !is_text_function(*field)) {
    report(lua.place(node), "the text {} has no field '{}': this is nil",
           lua.text(node.children[0]), *field)
        .help("a text is no table; is another value meant?");
  }
}

// `ctx.list:insert(1)`
void check_method(const Typed& lua, const Node& node, const Reporter& report) {
  const auto type = lua.certain(node.children[0]);
  if (!type || (type->kind == TypeKind::map && node.children[0].kind == Node::Kind::table)) return;
  if (is_text(*type) ? is_text_function(node.text) : type->kind == TypeKind::map) return;
  report(lua.place(node), "a value of type {} has no method '{}'", model::to_text(*type), node.text)
      .help(is_table(*type) ? "write table." + node.text + "(list, …)" : "is another value meant?");
}

// agneto.section("Rules", text)
// "The end."
void check_call(const Typed& lua, const Node& node, const Reporter& report) {
  const auto type = lua.certain(node.children[0]);
  if (!type) return;
  report(lua.place(node), "a value of type {} is called here like a function",
         model::to_text(*type))
      .help("is a comma missing in front of what follows?");
}

// `for _, name in inputs.names do`
void check_loop(const Typed& lua, const Node& node, const Reporter& report) {
  if (node.children.size() != 2 || node.declarations.empty()) return;
  const auto type = lua.certain(node.children[0]);
  if (!type || !is_table(*type)) return;
  const std::string_view list = lua.text(node.children[0]);
  report(lua.place(node.children[0]), "`for` wants a function here, and {} is of type {}", list,
         model::to_text(*type))
      .help("write for i, value in ipairs({}) do", list);
}

}  // namespace

extern const LintRule wrong_operand = {
    {"W317", "wrong-operand", "an operator on a value that it fails on",
     R"(Lua has no order of texts and numbers, no length of a number, and `..` joins texts and numbers alone. In
a guard the error counts as false; in an action what it would have set stays as it was; a hook's call
fails. The same goes for null, which a field may be whose type has a `?`. A field that a text or a list
does not have is nil.)"},
    [](const Typed& lua, const Reporter& report) {
      lua::walk(lua.tree(), [&](const Node& node) {
        if (node.kind == Node::Kind::index) return check_field(lua, node, report);
        if (node.kind == Node::Kind::method) return check_method(lua, node, report);
        if (node.kind == Node::Kind::call) return check_call(lua, node, report);
        if (node.is(Node::Kind::statement, "for")) return check_loop(lua, node, report);
        if (node.kind == Node::Kind::unary || node.kind == Node::Kind::binary) {
          check_operands(lua, node, report);
        }
      });
    }};

}  // namespace agneto::lint
