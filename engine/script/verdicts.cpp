// Verdicts as hooks and as providers see them.
#include <algorithm>
#include <map>

#include "script/hooks.h"

namespace agneto::script {

namespace {

using Kind = model::Type::Kind;

// Can a provider's strict mode enforce it? A free-form value it cannot.
bool is_closed(const model::Type& type) {
  if (type.kind == Kind::any || type.kind == Kind::map) return false;
  return type.kind != Kind::list || (type.element && is_closed(*type.element));
}

model::Type optional(model::Type type) {
  type.optional = true;
  return type;
}

}  // namespace

Json verdicts_to_json(const std::vector<model::Verdict>& verdicts) {
  Json result = Json::array();
  for (const auto& verdict : verdicts) {
    Json fields = Json::array();
    for (const auto& field : verdict.fields) {
      model::Type type = field.type;
      type.optional = false;
      fields.push_back({{"name", field.name},
                        {"type", model::to_text(type)},
                        {"optional", field.type.optional}});
    }
    result.push_back({{"name", verdict.name}, {"fields", std::move(fields)}});
  }
  return result;
}

Json verdict_schema(const std::vector<model::Verdict>& verdicts) {
  Json names = Json::array();
  std::map<std::string, std::vector<model::Type>> fields;
  for (const auto& verdict : verdicts) {
    names.push_back(verdict.name);
    for (const auto& field : verdict.fields) fields[field.name].push_back(field.type);
  }
  Json properties = {{"verdict", {{"type", "string"}, {"enum", names}}}};
  Json required = Json::array({"verdict"});
  for (const auto& [name, types] : fields) {
    if (name == "verdict" || !std::all_of(types.begin(), types.end(), is_closed)) return nullptr;
    // Strict mode wants every property; one that not every verdict has must allow null.
    const bool always = types.size() == verdicts.size();
    Json choices = Json::array();
    for (const auto& type : types) {
      Json schema = model::schema(always ? type : optional(type));
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

}  // namespace agneto::script
