// What a replay found, for people and for programs.
#pragma once

#include <string>

#include "replay/replay.h"

namespace agneto::ui {

// `prompts`: they were compared too. Lines without escape sequences; secrets are still in them.
std::string replay_text(const replay::Replay& replay, const std::string& run, bool prompts);

Json replay_json(const replay::Replay& replay, const std::string& run);

}  // namespace agneto::ui
