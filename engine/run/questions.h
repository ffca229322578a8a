// Questions that wait for a person, wherever that person is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chart/effect.h"
#include "journal/journal.h"
#include "record/message.h"
#include "run/human.h"

namespace agneto::run {

// Why the answer is none; empty if it is one.
std::string refusal(const chart::AskHuman& question, const Answer& answer);

// An answer to a question that the owner of the run has not taken yet.
struct WaitingAnswer {
  record::PostedAnswer answer;
  Time posted;
};
// The first one to that question; nothing where there is none that can be read.
std::optional<WaitingAnswer> answer_waiting(const std::vector<journal::Message>& inbox,
                                            const std::string& question);

// "YES", "in words"
std::string describe(const Answer& answer);

}  // namespace agneto::run
