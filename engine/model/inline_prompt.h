// Prompts that are written in a workflow's file itself, as `prompt: Do what is asked:
// {{inputs.task}}`.
//
// Wherever a hook module is named by its path, such a prompt is FILE#AGENT.md: a file of its own,
// which is read out of the workflow's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/source.h"

namespace agneto::model {

// Is what stands under `prompt` the text itself, and not the path of a file?
bool is_inline_prompt(std::string_view text);
fs::path inline_prompt_path(const fs::path& workflow, const std::string& agent);

struct InlinePrompt {
  SourcePtr workflow;
  std::string text;
  std::vector<std::uint32_t> lines;  // where each line of the text begins in the workflow's file
  std::uint32_t end = 0;             // of it all

  // Where that offset of the text is in the workflow's file.
  std::uint32_t place(std::uint32_t in_text) const;
  // The line of the file, from 1, on which that line of the text is, from 1.
  int line(int in_text) const;
  // Code with as many lines as the text, with its lines where those are in the file.
  std::string on_its_lines(std::string_view code) const;
};
// Nothing where the path is none of those, or there is no such prompt.
std::optional<InlinePrompt> inline_prompt(const Files& files, const fs::path& path);

// Of a module, a prompt that is a file, or one that is inline; nothing where there is no such one.
std::optional<std::string> read_hooks(const Files& files, const fs::path& path);

}  // namespace agneto::model
