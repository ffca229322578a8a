#include "model/inline_prompt.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"
#include "yaml/tree.h"

namespace agneto::model {

namespace {

constexpr std::string_view ending = ".md";

}  // namespace

bool is_inline_prompt(std::string_view text) {
  if (text.find('\n') != text.npos || text.find("{{") != text.npos) return true;
  return text.find(' ') != text.npos && !text.ends_with(ending);
}

fs::path inline_prompt_path(const fs::path& workflow, const std::string& agent) {
  return workflow.string() + "#" + agent + std::string(ending);
}

std::uint32_t InlinePrompt::place(std::uint32_t in_text) const {
  const std::size_t at = std::min<std::size_t>(in_text, text.size());
  const auto line = static_cast<std::size_t>(
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  const std::size_t before = at == 0 ? text.npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == text.npos ? 0 : before + 1;
  const std::string& written = workflow->text();
  std::uint32_t place = lines.at(line);
  for (std::size_t i = begin; i < at && place < end; ++i) {
    const bool is_joined = text[i] == ' ' && written[place] == '\n';  // by YAML
    place =
        is_joined ? static_cast<std::uint32_t>(written.find_first_not_of(" \n", place)) : place + 1;
  }
  return std::min(place, end);
}

int InlinePrompt::line(int in_text) const {
  const auto last = static_cast<int>(lines.size());
  return workflow->position(lines.at(static_cast<std::size_t>(std::clamp(in_text, 1, last) - 1)))
      .line;
}

std::string InlinePrompt::on_its_lines(std::string_view code) const {
  std::string placed;
  int now = 1;
  const auto go_to = [&](int number) {
    for (; now < number; ++now) placed += '\n';
  };
  go_to(line(1));
  int in_text = 1;
  for (const char c : code) {
    if (c != '\n') {
      placed += c;
    } else if (const int next = line(++in_text); next > now) {
      go_to(next);
    } else {
      placed += ' ';  // YAML has written several lines on one
    }
  }
  return placed;
}

std::optional<InlinePrompt> inline_prompt(const Files& files, const fs::path& path) {
  const std::string name = path.filename().string();
  const std::size_t mark = name.rfind('#');
  if (mark == name.npos || !name.ends_with(ending)) return std::nullopt;
  const fs::path file = path.parent_path() / name.substr(0, mark);
  const std::string agent = name.substr(mark + 1, name.size() - mark - 1 - ending.size());
  auto text = files.read(file);
  if (!text) return std::nullopt;

  InlinePrompt prompt;
  prompt.workflow = std::make_shared<const Source>(file.string(), std::move(*text));
  Diagnostics unheard;
  const auto root = yaml::parse(prompt.workflow, unheard);
  const yaml::Node* node = root.get();
  for (const std::string& key : {std::string("agents"), agent, std::string("prompt")}) {
    if (node) node = node->find(key);
  }
  if (!node || node->kind != yaml::Kind::scalar || !is_inline_prompt(node->text)) {
    return std::nullopt;
  }
  prompt.text = node->text;
  const std::vector<int> numbers = node->lines();
  const bool is_quoted =
      node->style == yaml::Style::single_quoted || node->style == yaml::Style::double_quoted;
  const auto lines = split_lines(prompt.text);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string_view words = i < lines.size() ? lines[i] : std::string_view();
    const std::string_view written = prompt.workflow->line(numbers[i]);
    const std::size_t from = numbers[i] == node->span.line()
                                 ? static_cast<std::size_t>(node->span.position().column) - 1
                                 : 0;
    std::size_t at = words.empty() ? 0 : written.find(words, from);
    if (at == written.npos) {  // it goes on in the next line of the file
      at = std::min(written.find_first_not_of(' ', from), written.size());
      if (is_quoted && from > 0) ++at;
    }
    const std::size_t start = prompt.workflow->line_start(numbers[i]);
    prompt.lines.push_back(static_cast<std::uint32_t>(start + at));
  }
  prompt.end = node->span.end;
  return prompt;
}

std::optional<std::string> read_hooks(const Files& files, const fs::path& path) {
  if (auto prompt = inline_prompt(files, path)) return std::move(prompt->text);
  return files.read(path);
}

}  // namespace agneto::model
