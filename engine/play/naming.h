// Paths as people write them: "SUB#1/A#2" is also "SUB/A", or "A".
#pragma once

#include <string>
#include <string_view>

namespace agneto::play {

enum class Fit { none, inner, whole };  // inner: outer states were left out

// May `wanted` be a name of `path`? Entry numbers may be left out of each part, and outer parts as
// a whole.
Fit fit(std::string_view wanted, std::string_view path);

// A piece of code as people are shown it: its lines joined, without their indentation.
std::string on_one_line(std::string_view text);

}  // namespace agneto::play
