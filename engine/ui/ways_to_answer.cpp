#include "ui/ways_to_answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "ui/readable.h"

namespace agneto::ui {
namespace {

bool resumes(const Asking& asking) {
  return !asking.live && asking.question.empty();
}

// Quotes a path with brackets, as those of items have, for a shell.
std::string word(const std::string& path) {
  return path.find('[') == std::string::npos ? path : "'" + path + "'";
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

const chart::AskHuman& find_question(const std::string& run_id,
                                     const std::vector<chart::AskHuman>& open,
                                     const std::string& wanted) {
  if (open.empty()) throw Error("run " + run_id + " has no open question to answer");
  if (wanted.empty() && open.size() == 1) return open.front();
  std::vector<std::string> paths;
  std::vector<const chart::AskHuman*> matching;
  for (const auto& question : open) {
    paths.push_back(question.path);
    if (question.path == wanted) return question;
    if (means_path(wanted, question.path)) matching.push_back(&question);
  }
  if (matching.size() == 1) return *matching.front();
  const std::string choice = open.size() == 1 ? "its open question is " : "name one of ";
  throw Error(wanted.empty()     ? fmt::format("run {} has {} open questions", run_id, open.size())
              : matching.empty() ? fmt::format("run {} has no open question '{}'", run_id, wanted)
                                 : fmt::format("run {} has {} open questions '{}'", run_id,
                                               matching.size(), wanted),
              choice + join(paths, ", "));
}

std::string answer_command(const Asking& asking) {
  if (resumes(asking)) return "agneto resume " + asking.run;
  return "agneto answer " + asking.run +
         (asking.question.empty() ? "" : " " + word(asking.question));
}

std::vector<Styled> answer_commands(const Asking& asking, const record::Question& question,
                                    std::size_t width) {
  const std::string margin(4, ' ');
  const std::string start = margin + answer_command(asking);
  std::vector<Styled> lines;
  if (question.words) {
    lines.emplace_back(start + (resumes(asking) ? " --feedback" : " --text") + " \"…\"");
  }
  for (const auto& option : question.options) {
    Styled command(start + (resumes(asking) ? " --answer " : " ") + option.name);
    if (option.feedback == model::Need::required) command += " --feedback \"…\"";
    if (option.edit) command += " --edited FILE";
    Styled label(Color::dim, "# " + option.label);
    Styled both = (command + "   ") + label;
    if (both.width() <= width) {
      lines.push_back(std::move(both));
    } else {
      lines.push_back(Styled(margin) + label);
      lines.push_back(std::move(command));
    }
  }
  return lines;
}

std::vector<std::string> option_keys(const chart::AskHuman& question) {
  std::string taken = "vde";
  std::vector<std::string> keys;
  bool edits = false;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    if (question.options[i].edit && !edits) {
      edits = true;
      keys.emplace_back("e");
      continue;
    }
    const std::string label = lower(question.options[i].label);
    std::string key;
    for (const bool only_first : {true, false}) {  // of a word
      for (std::size_t at = 0; at < label.size() && key.empty(); ++at) {
        const bool free = is_letter(label[at]) && taken.find(label[at]) == std::string::npos;
        const bool first = at == 0 || !is_letter(label[at - 1]);
        if (free && (first || !only_first)) key = label[at];
      }
    }
    keys.push_back(key.empty() ? std::to_string(i + 1) : key);
    taken += key;
  }
  return keys;
}

const chart::AskHuman::Option* chosen_option(const chart::AskHuman& question,
                                             std::string_view typed) {
  const std::string wanted = lower(typed);
  const auto keys = option_keys(question);
  const auto& options = question.options;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (wanted == keys[i] || wanted == std::to_string(i + 1)) return &options[i];
  }
  auto found = std::ranges::find(options, typed, &chart::AskHuman::Option::name);
  if (found == options.end()) {
    found = std::ranges::find_if(options,
                                 [&](const auto& option) { return lower(option.name) == wanted; });
  }
  return found == options.end() ? nullptr : &*found;
}

}  // namespace agneto::ui
