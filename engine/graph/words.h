// The words of a picture.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/picture.h"

namespace agneto::graph {

// On one line, without control characters, shortened to about that many characters.
std::string in_short(std::string_view text, std::size_t limit);

// Lines of at most so many columns, broken at blanks where there are any.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

// "coder · plan · read-only": what a state does, a line each.
std::vector<std::string> notes_of(const model::System& system, const model::Machine& machine,
                                  const model::State& state);

// What a machine is about: its description, limits, and the numbers that are its inputs' defaults.
std::vector<std::string> notes_of(const model::Machine& machine);

// "ok, failed" or "after 1d".
std::string trigger_of(const model::Machine& machine, const model::Transition& transition);

// "ctx.n < 3"; "else" where it has none but one before it for the same has.
std::string guard_of(const model::Machine& machine, const std::vector<model::TransitionId>& all,
                     std::size_t at);

// The words on an arrow, as lines: "CODE_REJECTED", "[ctx.n < 3] ×2".
std::vector<std::string> words_of(const Arrow& arrow, Trail::Kind trail);

}  // namespace agneto::graph
