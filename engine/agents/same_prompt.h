// Is a prompt the one that was recorded? Of two runs of the same workflow over the same work, what
// differs by itself is not compared: the run's id, where the repository lies, ids of commits,
// secrets, and the words in which a provider is asked for a verdict.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/redact.h"

namespace agneto::agents {

// A text as any such run has it: "{agneto.run}" and "{agneto.repository}" stand for what differs.
// `folder`: the repository, or a worktree that Agneto has made in it.
std::string portable_text(std::string text, const std::string& run,
                          const std::filesystem::path& folder);
// The same text in the run that it is played in.
std::string text_in_run(std::string text, const std::string& run,
                        const std::filesystem::path& folder);

// A prompt to compare: the same, with "{agneto.commit}", and without secrets.
std::string portable_prompt(const std::string& prompt, const Redactor& redactor,
                            const std::string& run, const std::filesystem::path& folder);

// A prompt whose section on how to end the reply has only the verdicts. The words around them are
// made for the provider, and what one answered to its own is an answer to another's.
std::string with_verdicts_alone(const std::string& prompt);

// What differs from a portable one, as a diff of lines; none: nothing.
std::vector<std::string> prompt_difference(const std::string& recorded, const std::string& now);

}  // namespace agneto::agents
