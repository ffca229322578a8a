#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"
#include "lua/prompt.h"
#include "script/library.h"

namespace agneto::lint {

namespace {

// Names of Lua's own library that the sandbox leaves out, as they reach outside or depend on chance
// or time.
constexpr std::array<std::string_view, 9> forbidden = {
    "os", "io", "debug", "load", "loadfile", "dofile", "package", "collectgarbage", "print"};

// What a tree may name: "string" and "string.format".
struct KnownNames {
  std::set<std::string, std::less<>> names;
  std::string item;                  // of a for_each; empty: none
  const Machine* machine = nullptr;  // whose functions are known

  explicit KnownNames(script::Library library, std::initializer_list<std::string_view> others) {
    for (std::string& name : script::library_names(library)) names.insert(std::move(name));
    for (const std::string_view other : others) names.emplace(other);
  }
  bool has(const std::string& name) const {
    if (machine && std::ranges::find(machine->functions, name, &model::Binding::name) !=
                       machine->functions.end()) {
      return true;
    }
    return names.contains(name) || (!item.empty() && (name == item || name == "index"));
  }
  // Has it fields that are known?
  bool is_library(const std::string& name) const {
    const auto first = names.lower_bound(name + ".");
    return first != names.end() && first->starts_with(name + ".");
  }
};

std::string help(const std::string& name, const KnownNames& known, const Machine* machine) {
  if (std::ranges::find(forbidden, name) != forbidden.end()) {
    return "what reaches outside, or depends on time or chance, is left out, so that a run can be "
           "repeated";
  }
  const auto is_in = [&](const std::vector<model::Variable>& variables) {
    return std::ranges::find(variables, name, &model::Variable::name) != variables.end();
  };
  if (machine && is_in(machine->context)) return fmt::format("did you mean ctx.{}?", name);
  if (machine && is_in(machine->inputs)) return fmt::format("did you mean inputs.{}?", name);
  std::vector<std::string> names(known.names.begin(), known.names.end());
  if (machine) {
    for (const model::Binding& function : machine->functions) names.push_back(function.name);
  }
  const std::string near = closest(name, names);
  return near.empty() ? "a name of its own is made with `local`"
                      : fmt::format("did you mean '{}'?", near);
}

// `is_said(node)`: was something said of this global variable already?
template <typename Where, typename IsSaid>
void check_tree(const Where& where, const Node& tree, const KnownNames& known,
                const Machine* machine, const Reporter& report, IsSaid is_said) {
  std::set<const Node*> assigned;
  lua::walk(tree, [&](const Node& node) {
    for (const Node& target : assigned_to(node)) assigned.insert(&target);
    std::string name;
    if (node.kind == Node::Kind::global && !assigned.contains(&node)) {
      name = node.text;
    } else if (node.kind == Node::Kind::index && node.children[0].kind == Node::Kind::global) {
      const std::string& library = node.children[0].text;
      const std::string* field = lua::literal_text(node.children[1]);
      if (field && known.is_library(library)) name = library + "." + *field;
    }
    if (name.empty() || known.has(name) || is_said(node)) return;
    report(place(where, node), "there is no '{}' here", name).help(help(name, known, machine));
  });
}

// Is it a function of a file whose agents use the module?
bool is_function(const LintContext& context, const Module& module, const std::string& name) {
  return std::ranges::any_of(module.machines, [&](model::MachineId id) {
    const auto& functions = context.system.machine(id).functions;
    return std::ranges::count(functions, name, &model::Binding::name) > 0;
  });
}

// Says so of calls of such a function, of which a module knows nothing; true: the node is one.
bool check_function(const LintContext& context, const Module& module, const Node& node,
                    const Reporter& report) {
  if (node.kind != Node::Kind::global || !is_function(context, module, node.text)) return false;
  const bool is_prompt = lua::is_prompt(module.source->path());
  report(place(module, node), "'{}' is a function of the workflow, which {} cannot call", node.text,
         is_prompt ? "a prompt" : "a hook")
      .help("let an action call it, as in do: ctx.value = {}(…), and {}", node.text,
            is_prompt ? "write {{ctx.value}} here" : "read m.ctx.value here");
  return true;
}

// An expression of one word is the business of `bare-word`.
bool is_bare_word(const Piece& piece) {
  return piece.code->kind == model::Code::Kind::expression &&
         expression(piece).kind == Node::Kind::global;
}

}  // namespace

extern const LintRule undefined_global = {
    {"W505", "undefined-global", "a name that Lua does not know there",
     R"(Guards and actions know `ctx`, `inputs`, `event`, `run`, `state_in`, `null`, the `functions` of their
file and Lua's own library without what reaches outside or depends on time or chance: `os`, `io`, `math.random`. Actions know
`raise`, `send` and `cancel` too, and hooks `require`. To look at any other name raises `error.lua`;
what a library has not is nil.)"},
    [](const LintContext& context, const Reporter& report) {
      KnownNames known(script::Library::expressions, {"ctx", "inputs", "event", "run", "raise",
                                                      "send", "cancel", "state_in", "_ENV"});
      for (const Machine& machine : context.system.machines) {
        known.machine = &machine;
        for (const Piece& piece : context.pieces(machine)) {
          if (!piece.tree || is_bare_word(piece)) continue;
          known.item = piece.code->item;
          check_tree(piece, *piece.tree, known, &machine, report,
                     [](const Node&) { return false; });
        }
      }
      if (context.modules().empty()) return;
      const KnownNames in_modules(script::Library::modules, {"require", "_ENV"});
      for (const Module& module : context.modules()) {
        if (!module.tree) continue;
        const bool is_of_one = lua::is_prompt(module.source->path()) && module.machines.size() == 1;
        const Machine* user = is_of_one ? &context.system.machine(module.machines[0]) : nullptr;
        check_tree(module, *module.tree, in_modules, user, report,
                   [&](const Node& node) { return check_function(context, module, node, report); });
      }
    }};

}  // namespace agneto::lint
