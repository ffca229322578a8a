// The finite part of a machine's data: values that are known, without running any Lua.
//
// Known are booleans, choices, whole numbers and texts that a parse shows to come from literals,
// from inputs and from each other. Everything else is unknown.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/json.h"
#include "chart/evaluator.h"
#include "model/machine.h"

namespace agneto::lint {

struct Value {
  enum class Kind : std::uint8_t { unknown, boolean, number, text };
  Kind kind = Kind::unknown;
  std::int64_t number = 0;  // a boolean's too; of a text, which one (Texts)

  bool known() const { return kind != Kind::unknown; }
  bool is(Kind what) const { return kind == what; }
  friend bool operator==(const Value&, const Value&) = default;
};

inline Value of_boolean(bool value) {
  return {Value::Kind::boolean, value};
}
inline Value of_number(std::int64_t value) {
  return {Value::Kind::number, value};
}

// Each text once.
class Texts {
 public:
  Value of(const std::string& text) {
    const auto [known, is_new] = index_.try_emplace(text, static_cast<std::int64_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return {Value::Kind::text, known->second};
  }
  // Unknown for null, lists, maps and fractions.
  Value of_json(const Json& json) {
    if (json.is_boolean()) return of_boolean(json.get<bool>());
    if (json.is_number_integer()) return of_number(json.get<std::int64_t>());
    if (json.is_string()) return of(json.get_ref<const std::string&>());
    return {};
  }
  // Null where the value is unknown.
  Json to_json(const Value& value) const {
    switch (value.kind) {
      case Value::Kind::boolean:
        return value.number != 0;
      case Value::Kind::number:
        return value.number;
      case Value::Kind::text:
        return texts_[static_cast<std::size_t>(value.number)];
      case Value::Kind::unknown:
        break;
    }
    return nullptr;
  }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::int64_t> index_;
};

// The values that there can be of the type, where they are few; else none.
inline std::vector<Json> values_of(const model::Type& type) {
  if (type.optional) return {};
  if (type.kind == model::Type::Kind::boolean) return {false, true};
  return {type.choices.begin(), type.choices.end()};
}

// So of an input: also each number from its minimum to its maximum, where these are few.
inline std::vector<Json> values_of(const model::Variable& input) {
  constexpr double most = 8;
  const bool is_range = input.type.kind == model::Type::Kind::integer && !input.type.optional &&
                        input.minimum && input.maximum && *input.maximum - *input.minimum < most;
  if (!is_range) return values_of(input.type);
  std::vector<Json> values;
  for (auto i = static_cast<std::int64_t>(std::ceil(*input.minimum));
       static_cast<double>(i) <= *input.maximum; ++i) {
    values.emplace_back(i);
  }
  return values;
}

// Makes of each object one with each value of the field, unless that would be more than `most`.
inline void branch(std::vector<Json>& objects, const std::string& field,
                   const std::vector<Json>& values, std::size_t most) {
  if (values.empty() || objects.size() * values.size() > most) return;
  std::vector<Json> more;
  for (const Json& one : objects) {
    for (const Json& value : values) more.emplace_back(one)[field] = value;
  }
  objects = std::move(more);
}

// By the slots of AbstractNames.
struct AbstractData : chart::Data {
  std::size_t beginning = 0;  // which inputs: those of one beginning never change
  std::vector<Value> context;
  std::vector<Value> before;  // at the last mark
};

}  // namespace agneto::lint
