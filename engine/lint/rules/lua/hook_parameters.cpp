#include "lint/expressions.h"
#include "lint/hook_functions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// What the function calls its parameter, where it uses it; else null.
const Node* use_of(const Node& function, std::size_t number) {
  const Node* found = nullptr;
  if (function.declarations.size() <= number) return found;
  lua::walk(function, [&](const Node& node) {
    if (!found && node.kind == Node::Kind::local &&
        node.declaration == function.declarations[number]) {
      found = &node;
    }
  });
  return found;
}

void check(const Module& module, std::string_view name, std::size_t given, const char* form,
           const Reporter& report) {
  for (const Node* function : hook_functions(*module.tree, name)) {
    if (const Node* use = use_of(*function, given)) {
      report(place(module, *use), "`{}` is given {}, so that '{}' is nil", name,
             given == 1 ? "one argument" : "two arguments", use->text)
          .help("write {}; with a colon before its name it has `self`, too", form);
    }
  }
}

// parse = function(m, reply) … m.ctx … reply:find("yes")
void check_order(const Module& module, const Node& function, const Reporter& report) {
  const auto is_parameter = [&](const Node& node, std::size_t number) {
    return number < function.declarations.size() && node.kind == Node::Kind::local &&
           node.declaration == function.declarations[number];
  };
  const Node* wrong = nullptr;
  lua::walk(function, [&](const Node& node) {
    const bool is_field = node.kind == Node::Kind::index && is_parameter(node.children[0], 0);
    const std::string* name = is_field ? lua::literal_text(node.children[1]) : nullptr;
    const bool is_m = name && is_one_of(*name, {"inputs", "ctx", "run", "state", "task", "attempt",
                                                "last_error", "verdicts", "workspace"});
    const bool is_reply = node.kind == Node::Kind::method && is_parameter(node.children[0], 1);
    if (!wrong && (is_m || is_reply)) wrong = &node.children[0];
  });
  if (!wrong) return;
  report(place(module, *wrong), "`parse` is given the reply first, and then `m`")
      .help("write parse = function(reply, m)");
}

}  // namespace

extern const LintRule hook_parameters = {
    {"W519", "hook-parameters", "a hook with other parameters than it is given",
     R"(`prompt` is given `m`, and `parse` the reply and then `m`. A parameter behind these is nil; so is `m` of a
function that is defined with a colon, as `function M:prompt(m)`, since that has `self` before it.)"},
    [](const Module& module, const Users&, const Reporter& report) {
      check(module, "prompt", 1, "prompt = function(m)", report);
      check(module, "parse", 2, "parse = function(reply, m)", report);
      for (const Node* function : hook_functions(*module.tree, "parse")) {
        check_order(module, *function, report);
      }
    }};

}  // namespace agneto::lint
