// The fields of a record, named once for both ways: to JSON and back. A function describes them,
// in the namespace of the record or in this one:
//
//   void fields(auto& field, Of<Note> auto& note) {
//     field("text", note.text);
//     field.sparse("author", note.author);
//   }
//
// Then `to_fields(note)` is its JSON, and `from_fields(json, note)` reads it. What is malformed
// throws Error, which names the field.
#pragma once

#include <array>
#include <chrono>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"

namespace agneto {

template <typename T, typename Plain>
concept Of = std::same_as<std::remove_const_t<T>, Plain>;

// The texts of an enumeration, in the order of its enumerators.
template <typename Enum>
inline constexpr std::array<const char*, 0> enum_names{};

// What says in JSON which of a variant's alternatives it is.
template <typename T>
inline constexpr std::string_view kind_name = T::kind;

class FieldWriter {
 public:
  // Always written, and missed where it is not there to be read.
  template <typename T>
  void operator()(const char* key, const T& value);
  // Left out where it is empty, or as it begins.
  template <typename T>
  void sparse(const char* key, const T& value);
  // Always written, but older versions did not.
  template <typename T>
  void newer(const char* key, const T& value) {
    (*this)(key, value);
  }

  Json json = Json::object();
};

class FieldReader {
 public:
  explicit FieldReader(const Json& json) : json_(json) {}

  template <typename T>
  void operator()(const char* key, T& value) {
    if (!read(key, value)) throw Error(std::string("'") + key + "' is missing");
  }
  template <typename T>
  void sparse(const char* key, T& value) {
    read(key, value);
  }
  template <typename T>
  void newer(const char* key, T& value) {
    read(key, value);
  }

 private:
  template <typename T>
  bool read(const char* key, T& value);

  const Json& json_;
};

template <typename T>
concept HasFields = requires(FieldWriter& field, const T& value) {
  fields(field, value);
};

// How a value is written and read; specialised for what is no plain JSON.
template <typename T>
struct Coding {
  static Json to(const T& value) {
    if constexpr (HasFields<T>) {
      FieldWriter field;
      fields(field, value);
      return std::move(field.json);
    } else if constexpr (std::is_enum_v<T>) {
      return enum_names<T>.at(static_cast<std::size_t>(value));
    } else {
      return value;
    }
  }
  static void from(const Json& json, T& value) {
    if constexpr (HasFields<T>) {
      if (!json.is_object()) throw Error("it is no object");
      FieldReader field(json);
      fields(field, value);
    } else if constexpr (std::is_enum_v<T>) {
      const auto& text = json.get_ref<const std::string&>();
      for (std::size_t i = 0; i < enum_names<T>.size(); ++i) {
        if (text != enum_names<T>[i]) continue;
        value = static_cast<T>(i);
        return;
      }
      throw Error("'" + text + "' is not known to this version");
    } else if constexpr (std::is_same_v<T, Json>) {
      value = json;
    } else {
      json.get_to(value);
    }
  }
};

template <typename T>
Json to_fields(const T& value) {
  return Coding<T>::to(value);
}

template <typename T>
void from_fields(const Json& json, T& value) {
  Coding<T>::from(json, value);
}

template <typename T>
T from_fields(const Json& json) {
  T value{};
  Coding<T>::from(json, value);
  return value;
}

// A duration is a number of milliseconds, a time those since 1970.
template <>
struct Coding<Millis> {
  static Json to(Millis value) { return value.count(); }
  static void from(const Json& json, Millis& value) { value = Millis(json.get<std::int64_t>()); }
};

template <>
struct Coding<Time> {
  static Json to(Time value) { return value.time_since_epoch().count(); }
  static void from(const Json& json, Time& value) {
    value = Time(Millis(json.get<std::int64_t>()));
  }
};

template <typename T>
struct Coding<std::optional<T>> {
  static Json to(const std::optional<T>& value) { return value ? to_fields(*value) : Json(); }
  static void from(const Json& json, std::optional<T>& value) {
    value.reset();
    if (!json.is_null()) from_fields(json, value.emplace());
  }
};

template <typename T>
struct Coding<std::vector<T>> {
  static Json to(const std::vector<T>& values) {
    Json json = Json::array();
    for (const T& value : values) json.push_back(to_fields(value));
    return json;
  }
  static void from(const Json& json, std::vector<T>& values) {
    if (!json.is_array()) throw Error("it is no list");
    values.clear();
    for (const Json& each : json) values.push_back(from_fields<T>(each));
  }
};

template <typename T>
struct Coding<std::map<std::string, T>> {
  static Json to(const std::map<std::string, T>& values) {
    Json json = Json::object();
    for (const auto& [key, value] : values) json[key] = to_fields(value);
    return json;
  }
  static void from(const Json& json, std::map<std::string, T>& values) {
    if (!json.is_object()) throw Error("it is no object");
    values.clear();
    for (const auto& [key, each] : json.items()) from_fields(each, values[key]);
  }
};

// The alternative of that kind, as it begins; false where there is none.
template <typename... T>
bool become(std::variant<T...>& value, std::string_view kind) {
  return ((kind == kind_name<T> && (value.template emplace<T>(), true)) || ...);
}

template <typename... T>
std::string_view kind_in(const std::variant<T...>& value) {
  return std::visit([](const auto& each) { return kind_name<std::remove_cvref_t<decltype(each)>>; },
                    value);
}

template <typename T>
void FieldWriter::operator()(const char* key, const T& value) {
  json[key] = to_fields(value);
}

template <typename T>
void FieldWriter::sparse(const char* key, const T& value) {
  bool left_out = false;
  if constexpr (requires { value.empty(); }) {
    left_out = value.empty();
  } else if constexpr (requires { value.has_value(); }) {
    left_out = !value.has_value();
  } else {
    left_out = value == T{};
  }
  if (!left_out) json[key] = to_fields(value);
}

template <typename T>
bool FieldReader::read(const char* key, T& value) {
  const auto found = json_.find(key);
  if (found == json_.end()) return false;
  try {
    from_fields(*found, value);
  } catch (const Json::exception&) {
    throw Error(std::string("'") + key + "' is of another type than it should be");
  } catch (const Error& error) {
    throw Error(std::string("'") + key + "': " + error.what());
  }
  return true;
}

}  // namespace agneto
