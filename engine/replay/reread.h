// Recorded replies, read again by hooks that may have changed; and prompts, written again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agents/caller.h"
#include "replay/replay.h"

namespace agneto::replay {

// What was recorded of one call.
struct RecordedCall {
  std::vector<agents::PromptRecord> prompts;
  std::vector<agents::ReplyRecord> replies;
  std::string tree;  // the checkpoint that the last reply left; empty: that of its prompt
};

// What a call comes to with the replies it got.
struct Reread {
  std::string event;
  Json data;
  std::string asks;  // instead: why the agent would be asked once more
};

// `request`: the call as it is made now. Throws Error where a hook looks at a worktree that cannot
// be told any more.
Reread reread(const agents::Request& request, const RecordedCall& call, const Script& script,
              const ReplayOptions& options);

// The message of an attempt that was recorded, as it is written now.
struct Rewritten {
  std::optional<std::string> text;
  Reread end;  // without a text: what the call would have ended in before
};

// Throws Error as above.
Rewritten rewrite(const agents::Request& request, const RecordedCall& call, int attempt,
                  const Script& script, const ReplayOptions& options);

}  // namespace agneto::replay
