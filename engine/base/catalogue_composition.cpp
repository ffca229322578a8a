#include "base/catalogue.h"

namespace agneto {

namespace {

constexpr Rule rules[] = {
    {"E601", "missing-file", "a file that is not there or cannot be read",
     R"(Paths are relative to the file that they are written in, not to the folder in which the program is
started.)"},
    {"E602", "outside-root", "a path that leaves the workflow's folder",
     R"(A workflow loads files of its own folder, or of the folder around it where its own is called
`workflows`: so a run can record everything it consists of, and copying the folder copies the
workflow.)"},
    {"E603", "missing-input", "a machine that is not given an input it needs",
     R"(A machine that is delegated to sees only what `with` passes, and must be given every input that has
no default and whose type does not allow null.)"},
    {"E604", "unknown-input", "a value for an input that the machine does not have",
     R"(The value would be lost in silence. The message shows the input that was probably meant.)"},
    {"W605", "wrong-input", "a value that the machine's input does not take",
     R"(The value that `with` gives is never of the type that the other machine declares, so that the activity
ends in `error.lua` before it begins.)"},
    {"W606", "endless-recursion", "a machine that begins by delegating to itself",
     R"(It would start itself, and that again itself, before anything else can happen. At a depth of many
machines the activity ends in `error.livelock`. A machine may delegate to itself, but something must
be able to end it before that.)"},
    {"W607", "unreached-outcome",
     "a transition on an end that the other machine never comes to, given its inputs",
     R"(The other machine was explored with the inputs that `with` gives it, as far as they are known: its
guards never let it get to that end. The transition is dead, or the inputs are not what they were
meant to be. Of what is not known, such as a text, everything is taken to be possible.)"},
};

}  // namespace

std::span<const Rule> composition_rules() {
  return rules;
}

}  // namespace agneto
