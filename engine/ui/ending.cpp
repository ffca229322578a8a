#include "ui/ending.h"

#include "ui/readable.h"

namespace agneto::ui {
namespace {

constexpr std::size_t one_line = 200;

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : to_text(value);
}

Color color_of(const std::string& status) {
  if (status == "complete") return Color::green;
  return status == "aborted" ? Color::yellow : Color::red;
}

}  // namespace

std::string Ending::why() const {
  if (!reason.empty() || !outputs.is_object() || !outputs.contains("reason")) return reason;
  return outputs["reason"].is_string() ? outputs["reason"].get<std::string>() : "";
}

bool Ending::merged() const {
  return work.merged ||
         (!branch.empty() && outputs.is_object() && outputs.value("merged", Json()) == true);
}

Styled headline(const Ending& ending, bool told) {
  Styled line(color_of(ending.status), ending.outcome + " (" + ending.status + ")");
  std::string why = ending.why();
  if (told) {
    line += ending.merged() ? ": see above" : ", not merged: see above";
  } else if (!why.empty()) {
    line += ": " + why;
  }
  return line;
}

std::vector<std::pair<std::string, std::string>> facts(const Ending& ending) {
  std::vector<std::pair<std::string, std::string>> all;
  const Json outputs = ending.outputs.is_object() ? ending.outputs : Json::object();
  for (const auto& [name, value] : outputs.items()) {
    bool told = name == "reason" || (!ending.branch.empty() &&
                                     (name == "branch" || name == "merged" || name == "commit"));
    std::string text = text_of(value);
    if (!told && !text.empty()) all.emplace_back(name, first_line(text, one_line));
  }
  if (ending.merged()) {
    all.emplace_back("merged", ending.branch + " into " + readable_base(ending.base));
  } else if (!ending.work.log_command.empty()) {
    all.emplace_back("look", ending.work.log_command);
    if (ending.status == "complete") {
      all.emplace_back("merge", "git merge --squash " + ending.branch);
    }
  }
  return all;
}

}  // namespace agneto::ui
