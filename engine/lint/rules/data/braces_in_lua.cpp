#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using TypeKind = model::Type::Kind;

bool is_of_several(const model::Type& type) {
  return type.kind == TypeKind::list || type.kind == TypeKind::map || type.kind == TypeKind::any;
}

// X of `{{X}}`, which for Lua is a table in a table; else null.
const Node* in_braces(const Node& node) {
  const Node* inside = &node;
  for (int i = 0; i < 2; ++i) {
    const bool fits = inside->kind == Node::Kind::table && inside->children.size() == 1 &&
                      inside->children[0].children.size() == 1;
    if (!fits) return nullptr;
    inside = &inside->children[0].children[0];
  }
  return inside;
}

// Can a list of one list not be meant there?
bool wants_no_lists(const Machine& machine, std::string_view what, const Node& inside) {
  if (what.starts_with("env.") || is_one_of(what, {"guard", "when", "command"})) {
    return true;
  }
  const model::Variable* variable = variable_of(machine, inside);
  if (!variable) return false;
  return what == "items" ? variable->type.kind == TypeKind::list
                         : what.starts_with("outputs.") && !is_of_several(variable->type);
}

// Visits the texts that the Lua makes values of, and not those that it looks for or gives to a
// function, which may do anything with them.
void each_made_text(const Node& node, const std::function<void(const Node&)>& visit) {
  if (node.kind == Node::Kind::string) return visit(node);
  const bool compares =
      node.kind == Node::Kind::binary && !is_one_of(node.text, {"..", "and", "or"});
  const bool calls = node.kind == Node::Kind::call || node.kind == Node::Kind::method;
  if (compares || (calls && !calls_action(node)) || node.kind == Node::Kind::index) return;
  for (const Node& child : node.children) each_made_text(child, visit);
}

// `ctx.plan` where the text has `{{ctx.plan}}` in it, and there is such a name; else empty.
// Behind a `$` it is meant for another program.
std::string_view put_in(const Machine& machine, std::string_view text) {
  for (std::size_t at = text.find("{{"); at != text.npos; at = text.find("{{", at + 1)) {
    const std::string_view inside = text.substr(at + 2, text.find("}}", at) - at - 2);
    const bool is_others = at > 0 && text[at - 1] == '$';
    if (!is_others && variable_of(machine, inside)) return trim(inside);
  }
  return {};
}

// May a hook, or Lua of a machine, put something in for what stands in braces?
bool may_put_in(const LintContext& context) {
  const auto renders = [](const Node& node) {
    if (node.kind == Node::Kind::method) return is_one_of(node.text, {"gsub", "gmatch", "find"});
    if (node.kind != Node::Kind::index) return false;
    const std::string* name = lua::literal_text(node.children[1]);
    return name && is_one_of(*name, {"gsub", "gmatch", "find", "render"});
  };
  const auto in_tree = [&](const auto& one) { return !one.tree || any_node(*one.tree, renders); };
  return std::ranges::any_of(context.modules(), in_tree) ||
         std::ranges::any_of(context.system.machines, [&](const Machine& machine) {
           return std::ranges::any_of(context.pieces(machine), in_tree);
         });
}

void check_texts(const Piece& piece, const Reporter& report) {
  each_made_text(*piece.tree, [&](const Node& node) {
    const std::string_view name = put_in(*piece.machine, node.text);
    if (name.empty()) return;
    report(place(piece, node),
           "nothing is put in for '{{{{{}}}}}', which stays in the text as it is", name)
        .help("Lua joins texts by `..`: \"… \" .. {}", name);
  });
}

void check_tables(const Piece& piece, const Reporter& report) {
  if (piece.code->kind != model::Code::Kind::expression) return;
  each_result(expression(piece), [&](const Node& node) {
    const Node* inside = in_braces(node);
    if (!inside || !wants_no_lists(*piece.machine, piece.code->what, *inside)) return;
    const std::string_view text =
        std::string_view(piece.code->text).substr(inside->begin, inside->end - inside->begin);
    report(place(piece, node), "'{{{{{}}}}}' is Lua here: a list in which there is a list", text)
        .help("write {}", text);
  });
}

}  // namespace

extern const LintRule braces_in_lua = {
    {"W323", "braces-in-lua", "the braces of a template where a value is Lua",
     R"(`{{…}}` is for questions, labels, `argv`, commit messages and `into`, which are templates. In Lua it makes
a list of a list, which is true whatever is in it, and in a text of Lua it stands as it is. In Lua a name is
written as it is, and texts are joined by `..`.)"},
    [](const LintContext& context, const Reporter& report) {
      const bool rendered = may_put_in(context);
      for (const Machine& machine : context.system.machines) {
        for (const Piece& piece : context.pieces(machine)) {
          if (!piece.tree) continue;
          check_tables(piece, report);
          if (!rendered) check_texts(piece, report);
        }
      }
    }};

}  // namespace agneto::lint
