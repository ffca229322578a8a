// Scalars as the values they stand for. Nothing where the node is no such scalar.
#pragma once

#include <optional>
#include <string_view>

#include "base/text.h"
#include "yaml/tree.h"

namespace agneto::model {

// Unquoted `true` or `false`.
std::optional<bool> as_boolean(const yaml::Node& node);
// Unquoted, zero or more.
std::optional<int> as_integer(const yaml::Node& node);
std::optional<double> as_number(const yaml::Node& node);
// Quoted or not.
std::optional<Millis> as_duration(const yaml::Node& node);
// The text of a scalar, however it is quoted.
std::optional<std::string_view> as_text(const yaml::Node& node);

// [A-Za-z_][A-Za-z0-9_-]*; with dots between such words where `dots`.
bool is_name(std::string_view text, bool dots);

}  // namespace agneto::model
