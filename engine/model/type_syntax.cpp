#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "model/binder.h"
#include "model/rules.h"
#include "model/shape.h"
#include "model/values.h"
#include "yaml/reader.h"

namespace agneto::model {

namespace {

using yaml::Kind;
using yaml::Node;

constexpr std::string_view choice_help = "write \"enum [a, b]\", with its quotes";

std::string_view unquoted(std::string_view text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
      text.back() == text.front()) {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

std::optional<Type> list_of(const std::optional<Type>& element) {
  if (!element) return std::nullopt;
  Type type;
  type.kind = Type::Kind::list;
  type.element = std::make_shared<Type>(*element);
  return type;
}

std::optional<Type> fields_of(const Node& node, Diagnostics& diagnostics) {
  Type type;
  type.kind = Type::Kind::map;
  type.fields = std::make_shared<const std::vector<Field>>(read_fields(node, diagnostics));
  return type;
}

class TypeReader {
 public:
  TypeReader(Span span, Diagnostics& diagnostics) : span_(span), diagnostics_(diagnostics) {}

  std::optional<Type> read(std::string_view text) {
    text = trim(text);
    const bool optional = text.ends_with('?');
    if (optional) text = trim(text.substr(0, text.size() - 1));
    std::optional<Type> type = read_plain(text);
    if (type) type->optional = optional;
    return type;
  }

  std::optional<Type> read_choices(std::vector<std::string> choices) {
    std::set<std::string_view> known;
    for (const std::string& choice : choices) {
      if (choice.empty()) return wrong("an empty choice in an enum", choice_help);
      if (!known.insert(choice).second) {
        return wrong(fmt::format("'{}' is in this enum twice", choice), "");
      }
    }
    if (choices.empty()) return wrong("an enum without its choices", choice_help);
    Type type;
    type.kind = Type::Kind::choice;
    type.choices = std::move(choices);
    return type;
  }

  // {enum: …, optional: true}, {fields: …, optional: true}
  std::optional<Type> optional_or_not(std::optional<Type> type, const Node& node,
                                      std::string_view key) {
    for (const auto& [name, value] : node.entries) {
      if (name.text == key) continue;
      const auto optional = as_boolean(value);
      if (name.text != "optional" || !optional) {
        return wrong(fmt::format("beside '{}', a type has nothing but 'optional: true'", key),
                     "what describes a field stands around it: {type: {fields: {line: integer}}, "
                     "description: TEXT}");
      }
      if (type) type->optional = *optional;
    }
    return type;
  }

  std::optional<Type> wrong(std::string message, std::string_view help) {
    diagnostics_.report(rules::bad_type, span_, std::move(message), help);
    return std::nullopt;
  }

 private:
  std::optional<Type> read_plain(std::string_view text) {
    Type type;
    const auto* name = std::find(std::begin(kind_names), std::end(kind_names), text);
    if (name != std::end(kind_names)) {
      type.kind = static_cast<Type::Kind>(name - std::begin(kind_names));
      return type;
    }
    if (text.starts_with('[') && text.ends_with(']')) {
      return list_of(read(text.substr(1, text.size() - 2)));
    }
    if (starts_with_word(text, "enum")) {
      const std::string_view list = trim(text.substr(4));
      if (!list.starts_with('[') || !list.ends_with(']')) {
        return wrong("an enum without its choices", choice_help);
      }
      return read_choices(split(list.substr(1, list.size() - 2)));
    }
    std::vector<std::string> names(std::begin(kind_names), std::end(kind_names));
    names.emplace_back("enum");
    return wrong(fmt::format("there is no type '{}'", text), suggestion(text, names, "types"));
  }

  static std::vector<std::string> split(std::string_view list) {
    std::vector<std::string> choices;
    while (!trim(list).empty()) {
      const std::size_t comma = std::min(list.find(','), list.size());
      choices.emplace_back(unquoted(trim(list.substr(0, comma))));
      list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return choices;
  }

  Span span_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::vector<Field> read_fields(const Node& node, Diagnostics& diagnostics) {
  std::vector<Field> fields;
  for (const auto& [name, value] : node.entries) {
    const Node* type = is_written_out(value) ? value.find("type") : &value;
    const auto read = type ? read_type(*type, diagnostics) : std::nullopt;
    if (!read) continue;
    fields.push_back({name.text, *read});
    if (const Node* text = value.find("description"); text && type != &value) {
      fields.back().description = as_text(*text).value_or("");
    }
  }
  return fields;
}

std::optional<Type> read_type(const Node& node, Diagnostics& diagnostics) {
  TypeReader reader(node.span, diagnostics);
  if (node.kind == Kind::scalar) return reader.read(node.text);
  if (node.kind == Kind::sequence && node.items.size() == 1) {
    return list_of(read_type(node.items.front(), diagnostics));
  }
  if (const Node* fields = node.find("fields")) {
    if (fields->kind != Kind::map) return std::nullopt;  // its shape is reported
    return reader.optional_or_not(fields_of(*fields, diagnostics), node, "fields");
  }
  if (const Node* choices = node.find("enum")) {
    std::vector<std::string> names;
    for (const Node& item : choices->items) {
      if (item.kind != Kind::scalar) {
        return reader.wrong("a choice of an enum is a name or text", choice_help);
      }
      names.push_back(item.text);
    }
    return reader.optional_or_not(reader.read_choices(std::move(names)), node, "enum");
  }
  return reader.wrong(fmt::format("expected a type, found {}", yaml::found(node)),
                      "types are string, integer, number, boolean, list, map, any, [string], "
                      "enum [a, b], {fields: {line: integer}}, and each of them with a ? behind it "
                      "for what may be null");
}

}  // namespace agneto::model
