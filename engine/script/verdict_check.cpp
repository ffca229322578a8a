#include "script/verdict_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace agneto::script {

std::optional<std::string> problem_with(const std::vector<model::Verdict>& declared,
                                        std::optional<VerdictReply>& read) {
  if (!read) return "no verdict was found in it";
  if (!read->problem.empty()) return read->problem;
  const auto verdict = std::find_if(declared.begin(), declared.end(),
                                    [&](const auto& one) { return one.name == read->name; });
  if (verdict == declared.end()) {
    return fmt::format("the verdict '{}' is not one of those declared", shortened(read->name, 100));
  }
  std::vector<std::string> problems;
  Json fields = Json::object();
  for (const model::Field& field : verdict->fields) {
    const auto given =
        read->fields.is_object() ? read->fields.find(field.name) : read->fields.end();
    Json value = given == read->fields.end() ? Json() : *given;
    model::settle(field.type, value);
    const auto wrong = model::mismatch(field.type, value);
    if (wrong && value.is_null()) {
      problems.push_back(fmt::format("the field '{}' of {} ({}) is missing", field.name,
                                     verdict->name, model::to_text(field.type)));
    } else if (wrong) {
      problems.push_back(
          fmt::format("the field '{}' of {}: {}", field.name, verdict->name, *wrong));
    }
    fields[field.name] = std::move(value);
  }
  if (!problems.empty()) return join(problems, "; ");
  read->fields = std::move(fields);
  return std::nullopt;
}

}  // namespace agneto::script
