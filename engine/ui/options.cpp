#include "ui/options.h"

#include <algorithm>
#include <cctype>

namespace agneto::ui {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

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
    auto free = [&](std::size_t at) {
      return is_letter(label[at]) && taken.find(label[at]) == std::string::npos;
    };
    std::size_t found = label.size();
    for (std::size_t at = 0; at < label.size() && found == label.size(); ++at) {
      if (free(at) && (at == 0 || !is_letter(label[at - 1]))) found = at;
    }
    for (std::size_t at = 0; at < label.size() && found == label.size(); ++at) {
      if (free(at)) found = at;
    }
    keys.push_back(found < label.size() ? std::string(1, label[found]) : std::to_string(i + 1));
    if (found < label.size()) taken += label[found];
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
  auto exactly = std::find_if(options.begin(), options.end(),
                              [&](const auto& option) { return option.name == typed; });
  if (exactly != options.end()) return &*exactly;
  auto nearly = std::find_if(options.begin(), options.end(),
                             [&](const auto& option) { return lower(option.name) == wanted; });
  return nearly == options.end() ? nullptr : &*nearly;
}

}  // namespace agneto::ui
