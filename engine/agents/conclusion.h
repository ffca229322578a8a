// What an attempt comes to, whoever answered.
#pragma once

#include <optional>
#include <string>

#include "agents/attempt.h"

namespace agneto::agents {

void fail(Attempt& attempt, std::string event, std::string why);

// What an answer or a program's result says, once it is in.
void conclude(Attempt& attempt, const std::optional<std::string>& result,
              const std::optional<std::string>& error);

// The end of what a program printed, fit for a message.
std::string last_words(const std::string& text);

}  // namespace agneto::agents
