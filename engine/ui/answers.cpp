#include "ui/answers.h"

namespace agneto::ui {

std::string answer_command(const std::string& run, bool live) {
  return (live ? "agneto answer " : "agneto resume ") + run;
}

std::vector<Styled> answer_commands(const std::string& run, const std::vector<Choice>& choices,
                                    bool words, std::size_t width, bool live) {
  const std::string margin(4, ' ');
  const std::string start = margin + answer_command(run, live);
  std::vector<Styled> lines;
  if (words) lines.emplace_back(start + " --feedback \"…\"");
  for (const Choice& choice : choices) {
    Styled command(start + (live ? " " : " --answer ") + choice.name);
    if (choice.feedback) command += " --feedback \"…\"";
    if (choice.edit) command += " --edited FILE";
    Styled label(Color::dim, "# " + choice.label);
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

}  // namespace agneto::ui
