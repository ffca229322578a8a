#include "ui/ending.h"

#include "ui/readable.h"

namespace agneto::ui {
namespace {

using Status = model::FinalStatus;

Color color_of(Status status) {
  if (status == Status::complete) return Color::green;
  return status == Status::aborted ? Color::yellow : Color::red;
}

}  // namespace

std::string RunEnding::why() const {
  const Json& output = member(run.outputs, "reason");
  return run.reason.empty() && output.is_string() ? output.get<std::string>() : run.reason;
}

bool RunEnding::merged() const {
  return work.merged || (!run.branch.empty() && member(run.outputs, "merged") == true);
}

Styled headline(const RunEnding& ending, bool told) {
  const std::string status(model::to_text(ending.run.status));
  Styled line(color_of(ending.run.status), ending.run.outcome + " (" + status + ")");
  std::string why = ending.why();
  if (told) {
    line += ending.merged() ? ": see above" : ", not merged: see above";
  } else if (!why.empty()) {
    line += ": " + why;
  }
  return line;
}

std::vector<std::pair<std::string, std::string>> facts(const RunEnding& ending) {
  std::vector<std::pair<std::string, std::string>> all;
  const record::RunFinished& run = ending.run;
  for (const auto& [name, value] : run.outputs.items()) {
    const bool told =
        name == "reason" ||
        (!run.branch.empty() && (name == "branch" || name == "merged" || name == "commit"));
    const std::string text = value.is_string() ? value.get<std::string>() : to_text(value);
    if (!told && !text.empty()) all.emplace_back(name, first_line(text, one_line));
  }
  if (ending.merged()) {
    all.emplace_back("merged", run.branch + " into " + readable_base(run.base));
  } else if (!ending.work.log_command.empty()) {
    all.emplace_back("look", ending.work.log_command);
    if (run.status == Status::complete) {
      all.emplace_back("merge", "git merge --squash " + run.branch);
    }
  }
  for (const auto& command : ending.work.kept) all.emplace_back("kept", command);
  if (!ending.work.left.empty()) all.emplace_back("left", ending.work.left + ", not committed");
  return all;
}

}  // namespace agneto::ui
