// Questions that wait for a person, wherever that person is.
#pragma once

#include <string>
#include <vector>

#include "chart/effect.h"
#include "journal/journal.h"
#include "run/human.h"

namespace agneto::run {

// Why the answer is none; empty if it is one.
std::string refusal(const chart::AskHuman& question, const Answer& answer);

// The answer to it that nobody has taken yet; null where there is none.
const journal::Message* posted_to(const std::vector<journal::Message>& inbox,
                                  const std::string& question);

// "YES", "in words"
std::string describe(const Answer& answer);

}  // namespace agneto::run
