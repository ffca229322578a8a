#include "agents/same_prompt.h"

#include <cctype>

#include "base/line_diff.h"
#include "base/text.h"

namespace agneto::agents {
namespace {

// A message shows so many lines of a diff.
constexpr std::size_t most_lines = 40;

const std::string run_mark = "{agneto.run}";
const std::string repository_mark = "{agneto.repository}";
constexpr std::string_view commit_mark = "{agneto.commit}";

bool is_alphanumeric(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool is_commit(std::string_view word) {
  return (word.size() == 40 || word.size() == 64) &&
         word.find_first_not_of("0123456789abcdef") == word.npos;
}

std::string without_commits(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_alphanumeric(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    out += is_commit(word) ? commit_mark : word;
    if (end < text.size()) out += text[end++];
    i = end;
  }
  return out;
}

// What is so short, such as "/", stands for much else, too.
std::string replaced_name(std::string text, const std::string& what, const std::string& by) {
  return what.size() < 2 ? text : replaced(std::move(text), what, by);
}

std::string repository_of(const std::filesystem::path& folder) {
  const std::string path = folder.string();
  return path.substr(0, path.find("/.agneto/worktrees/"));
}

}  // namespace

std::string portable_text(std::string text, const std::string& run,
                          const std::filesystem::path& folder) {
  text = replaced_name(std::move(text), repository_of(folder), repository_mark);
  return replaced_name(std::move(text), run, run_mark);
}

std::string text_in_run(std::string text, const std::string& run,
                        const std::filesystem::path& folder) {
  text = replaced(std::move(text), repository_mark, repository_of(folder));
  return replaced(std::move(text), run_mark, run);
}

std::string portable_prompt(const std::string& prompt, const Redactor& redactor,
                            const std::string& run, const std::filesystem::path& folder) {
  return portable_text(without_commits(redactor.text(prompt)), run, folder);
}

std::string with_verdicts_alone(const std::string& prompt) {
  constexpr std::string_view heading = "## How to end your reply\n\n";
  const std::size_t section = prompt.rfind(heading);
  if (section == prompt.npos) return prompt;
  const std::size_t begin = section + heading.size();
  const std::size_t verdicts = prompt.find("The verdict is", begin);
  const std::size_t list = prompt.find("\n\n- ", verdicts);
  if (verdicts == prompt.npos || list == prompt.npos) return prompt;
  const std::size_t end = prompt.find("\n\n", list + 2);
  return prompt.substr(0, begin) + prompt.substr(verdicts, end - verdicts) + "\n";
}

std::vector<std::string> prompt_difference(const std::string& recorded, const std::string& now) {
  auto lines = line_diff(with_verdicts_alone(recorded), with_verdicts_alone(now), 1);
  if (lines.size() > most_lines) {
    const std::size_t left = lines.size() - most_lines;
    lines.resize(most_lines);
    lines.push_back("  … and " + std::to_string(left) + " more lines");
  }
  return lines;
}

}  // namespace agneto::agents
