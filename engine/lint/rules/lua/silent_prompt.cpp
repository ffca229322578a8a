#include "lint/hook_functions.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule silent_prompt = {
    {"W515", "silent-prompt", "a `prompt` that returns nothing",
     R"(What `prompt` returns is what the agent is asked. A function that makes a text and does not return it
gives nil, and the call fails with `error.lua`.)"},
    [](const Module& module, const Users&, const Reporter& report) {
      for (const Node* prompt : hook_functions(*module.tree, "prompt")) {
        bool returns = false, fails = false;
        each_return(*prompt, [&](const Node& node) { returns |= !node.children.empty(); });
        lua::walk(*prompt,
                  [&](const Node& node) { fails |= node.is(Node::Kind::global, "error"); });
        if (returns || fails) continue;
        report(place(module, *prompt), "this `prompt` returns nothing")
            .help("return the text that the agent is asked");
      }
    }};

}  // namespace agneto::lint
