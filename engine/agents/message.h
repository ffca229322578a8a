// The words of a message to an agent: what the hook wrote, and what the engine adds.
#pragma once

#include <string>
#include <vector>

#include "agents/caller.h"

namespace agneto::agents {

// The message that asks for the work: the hook's text, the files that it is given, configured and
// personal instructions, why the attempt before failed (unless the hook tells it already), the form
// of the verdict.
std::string work_message(const std::string& hook_text, const std::string& files,
                         const Request& request, const std::string& last_error,
                         const std::string& verdict_format);

// The message that a call would begin with, made where nobody is called and no files are.
struct Preview {
  std::string text;
  std::string problem;        // why there is none; the call would end in error.lua
  bool saw_no_files = false;  // its hook looked at the worktree, which is not there
};
Preview preview(const Request& request, script::Hooks& hooks);

// The message that asks for the answer again.
std::string again_message(const std::string& problem, const std::vector<model::Verdict>& verdicts,
                          const std::string& verdict_format);

// The message behind what was said in the conversation, for a provider that does not know that.
std::string with_exchanges(const std::vector<Exchange>& exchanges, const std::string& message);

}  // namespace agneto::agents
