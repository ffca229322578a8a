// How the options of a question are chosen at a keyboard.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chart/effect.h"

namespace agneto::ui {

// One key an option, all different: `e` for the first that edits; else a letter of its label (the
// first of a word, if it is free) or, where none is left, its number. Never v or d: these view the
// material and the diff.
std::vector<std::string> option_keys(const chart::AskHuman& question);

// By key, number or name, in any case; null where it is none of these.
const chart::AskHuman::Option* chosen_option(const chart::AskHuman& question,
                                             std::string_view typed);

}  // namespace agneto::ui
