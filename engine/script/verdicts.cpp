#include "script/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"

namespace agneto::script {

namespace {

using TypeKind = model::Type::Kind;

// Can a provider's strict mode enforce it? A free-form value it cannot.
bool is_closed(const model::Type& type) {
  if (type.fields) {
    return std::ranges::all_of(*type.fields,
                               [](const auto& field) { return is_closed(field.type); });
  }
  if (type.kind == TypeKind::any || type.kind == TypeKind::map) return false;
  return type.kind != TypeKind::list || (type.element && is_closed(*type.element));
}

Json fields_to_json(const std::vector<model::Field>& fields) {
  Json result = Json::array();
  for (const auto& field : fields) {
    model::Type type = field.type;
    type.optional = false;
    Json json = {
        {"name", field.name}, {"type", model::to_text(type)}, {"optional", field.type.optional}};
    if (!field.description.empty()) json["description"] = field.description;
    while (type.element) type = model::Type(*type.element);
    if (type.fields) json["fields"] = fields_to_json(*type.fields);
    result.push_back(std::move(json));
  }
  return result;
}

}  // namespace

Json verdicts_to_json(const std::vector<model::Verdict>& verdicts) {
  Json result = Json::array();
  for (const auto& verdict : verdicts) {
    result.push_back({{"name", verdict.name}, {"fields", fields_to_json(verdict.fields)}});
  }
  return result;
}

Json verdict_schema(const std::vector<model::Verdict>& verdicts) {
  Json names = Json::array();
  std::map<std::string, std::vector<model::Field>> fields;
  for (const auto& verdict : verdicts) {
    names.push_back(verdict.name);
    for (const auto& field : verdict.fields) fields[field.name].push_back(field);
  }
  Json properties = {{"verdict", {{"type", "string"}, {"enum", names}}}};
  Json required = Json::array({"verdict"});
  for (const auto& [name, of_name] : fields) {
    const bool closed =
        std::ranges::all_of(of_name, [](const auto& field) { return is_closed(field.type); });
    if (name == "verdict" || !closed) return nullptr;
    // Strict mode wants every property; one that not every verdict has must allow null.
    const bool always = of_name.size() == verdicts.size();
    Json choices = Json::array();
    for (model::Field field : of_name) {
      field.type.optional |= !always;
      Json schema = model::schema(field);
      if (std::find(choices.begin(), choices.end(), schema) == choices.end()) {
        choices.push_back(std::move(schema));
      }
    }
    properties[name] = choices.size() == 1 ? choices[0] : Json{{"anyOf", choices}};
    required.push_back(name);
  }
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

std::optional<std::string> problem_with(const std::vector<model::Verdict>& declared,
                                        std::optional<VerdictReply>& read) {
  if (!read) return "no verdict was found in the reply";
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
