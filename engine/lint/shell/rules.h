// What is wrong with shell text. lint/catalogue.h lists the rules of all folders.
#pragma once

#include "base/rule.h"

namespace agneto::rules {

inline constexpr Rule shellcheck = {
    "W438", "shellcheck", "what ShellCheck finds in shell text",
    R"([ShellCheck](https://www.shellcheck.net) knows what a shell makes of its text: words that split where
nobody put quotes, a `cd` that fails, what /bin/sh does not have. Where the program `shellcheck` is
installed, [`agneto lint`](../lint.md#shell-text) asks it about each `shell`. Its own comments hold there, too:
`# shellcheck disable=SC2086`.)"};

}  // namespace agneto::rules
