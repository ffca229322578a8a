// What the mutants are, in words.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace agneto::mutation {

// In the order in which docs/mutation.md shows them.
inline const std::vector<std::pair<std::string_view, std::string_view>> kinds = {
    {"drop-transition", "an alternative of a transition is left out"},
    {"drop-handler", "all that happens on an event is left out"},
    {"drop-event", "an event is left out of several that one transition takes"},
    {"rename-event", "the event that a transition takes is misspelt"},
    {"retarget", "a transition or a start leads to the next state in the file"},
    {"drop-target", "a transition does what it does and stays where it is"},
    {"swap-transitions", "two transitions have changed places"},
    {"drop-guard", "a guard is left out"},
    {"negate-guard", "a guard says the opposite"},
    {"drop-action", "an action, an `entry` or an `exit` is left out"},
    {"drop-statement", "one of several statements is left out, a counter's increment for one"},
    {"wrong-comparison", "`<` for `<=`, `==` for `~=` and so on, also in a limit"},
    {"wrong-operator", "`-` for `+`, `or` for `and`"},
    {"wrong-constant", "a number is one more, a flag the other one"},
    {"misspelt-name", "a letter is left out of a state, an input, a field, a function"},
    {"rename-verdict", "a verdict or option is misspelt, in YAML or in a hook's text"},
    {"drop-verdict", "a verdict is not declared"},
    {"drop-field", "a field of a verdict is not declared"},
    {"drop-option", "an option of a question is left out"},
    {"drop-setting", "`show`, `feedback`, `when`, `access`, `timeout` or the like is left out"},
    {"drop-state", "a state is left out"},
    {"drop-activity", "what a state does, or is given, is left out"},
    {"wrong-operation", "the worktree is discarded for committed, or committed for discarded"},
    {"wrong-message", "a commit's message is another text"},
    {"wrong-agent", "a state calls another agent"},
    {"wrong-task", "an agent is called for another job"},
    {"wrong-hooks", "an agent has another's hooks"},
    {"wrong-access", "an agent may edit, or may not"},
    {"wrong-session", "a conversation lives longer, or not as long"},
    {"wrong-timeout", "an agent or a command has another time"},
    {"drop-agent", "an agent is left out"},
    {"drop-binding", "an input of a machine, or an output, is left out"},
    {"swap-bindings", "two inputs or outputs have changed places"},
    {"drop-variable", "an input or a context entry is left out"},
    {"wrong-type", "an input has another type"},
    {"wrong-default", "an input or a context entry begins with another value"},
    {"drop-default", "an input has no default"},
    {"drop-check", "an input's least value, or that it is the main one, is left out"},
    {"drop-ending", "a final state's status or outcome is left out"},
    {"wrong-ending", "a final state has another status"},
    {"rename-outcome", "a final state's outcome is misspelt"},
    {"drop-part",
     "a hook leaves a part out of a prompt: material, rules, the answers that there are"},
    {"drop-line", "a hook leaves a line out of a prompt: an instruction, a rule, a verdict"},
    {"drop-value", "a hook leaves a value out of a text"},
    {"drop-returned", "a hook or what helps it gives nothing back, or one thing less"},
    {"drop-argument", "in a hook, a function is given one value less"},
    {"swap-arguments", "in a hook, two values that a function is given have changed places"},
    {"swap-verdicts", "in a hook's text, two verdicts have changed places"},
};

}  // namespace agneto::mutation
