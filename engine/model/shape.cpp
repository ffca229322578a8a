#include "model/shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/rules.h"
#include "model/traps.h"
#include "model/values.h"
#include "yaml/reader.h"
#include "yaml/rules.h"
#include "yaml/scalar.h"

namespace agneto::model {

namespace {

using yaml::found;
using yaml::Kind;
using yaml::Node;
using Form = Shape::Form;
using Shapes = std::vector<Shape>;

constexpr std::string_view name_help =
    "names begin with a letter or '_' and go on with letters, digits, '_', '-' and '.'";
constexpr std::string_view state_name_help =
    "state names begin with a letter or '_' and go on with letters, digits, '_' and '-'";

std::string either(const std::vector<std::string>& words) {
  if (words.size() < 2) return join(words, "");
  const std::vector<std::string> first(words.begin(), words.end() - 1);
  return join(first, ", ") + " or " + words.back();
}

// What each Shape::Form is called, in their order; empty where that depends on more.
constexpr std::string_view form_names[] = {"text",
                                           "text",
                                           "a Lua expression",
                                           "Lua statements",
                                           "a name",
                                           "a name",
                                           "a name",
                                           "an event's name",
                                           "a duration such as 10m",
                                           "a duration such as 10m, or Lua that gives one",
                                           "true or false",
                                           "a whole number",
                                           "a whole number, or Lua that gives one",
                                           "a number",
                                           "the path of a file",
                                           "",
                                           "a value",
                                           "a type",
                                           "a list"};

std::string describe(const Shape& shape) {
  if (shape.form == Form::choice) return either({shape.choices.begin(), shape.choices.end()});
  if (shape.form == Form::names) return fmt::format("a map by {}", shape.noun);
  if (shape.form == Form::object) {
    return fmt::format("{} (a map of its keys)", construct(shape.construct).noun);
  }
  return std::string(form_names[static_cast<std::size_t>(shape.form)]);
}

std::string describe(const Shapes& shapes) {
  std::vector<std::string> words;
  for (const Shape& shape : shapes) words.push_back(describe(shape));
  return either(words);
}

// The program that is meant by a command line, or a list of words. Empty: none.
std::string program_of(const Node& node) {
  if (node.kind == Kind::scalar && node.text.find('\n') == std::string::npos) {
    return fmt::format("{{shell: {}}}", yaml::quoted(node.text));
  }
  std::vector<std::string> words;
  for (const Node& item : node.items) {
    if (item.kind != Kind::scalar) return {};
    words.emplace_back(item.span.text());
  }
  return words.empty() ? "" : fmt::format("{{argv: [{}]}}", join(words, ", "));
}

// What to write, where something of another shape was written. Empty: nothing can be proposed.
std::string example(const Shapes& shapes, std::string_view label, const Node& node) {
  for (const Shape& shape : shapes) {
    const bool is_object = shape.form == Form::object;
    if (is_object && shape.construct == ConstructId::run) {
      if (const std::string program = program_of(node); !program.empty()) {
        return fmt::format("write {}: {}", label, program);
      }
    }
    const std::string_view text = is_object ? construct(shape.construct).example : shape.example;
    if (!text.empty()) return fmt::format("as in {}: {}", label, text);
  }
  return {};
}

const ForeignKey* find_foreign(const Construct& construct, std::string_view name) {
  const auto& all = construct.foreign_keys;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ForeignKey& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool fits(const Shape& shape, const Node& node) {
  switch (shape.form) {
    case Form::literal:
      return node.kind != Kind::map || !is_written_out(node);
    case Form::type:
      return node.kind != Kind::map || is_type_map(node);
    case Form::list:
      return node.kind == Kind::sequence;
    case Form::names:
    case Form::object:
      return node.kind == Kind::map;
    default:
      return node.kind == Kind::scalar;
  }
}

// Digits and letters and nothing else, as in "10 s" or "1.5h": not what Lua would be.
bool resembles_duration(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_digit(text.front()) &&
         std::any_of(text.begin(), text.end(), is_letter) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == ' '; });
}

class Checker {
 public:
  explicit Checker(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // `owner` is the place to name where something is missing.
  void object(const Node& node, const Construct& construct, Span owner) {
    for (std::size_t i = 0; i < node.entries.size(); ++i) {
      const auto& [key, value] = node.entries[i];
      if (is_torn_off(node, i)) continue;
      const Key* known = find_key(construct, key.text);
      if (!known) {
        unknown_key(node, key, construct);
      } else if (!is_torn_off(node, i + 1)) {
        entry(node, i, known->shapes);
      }
    }
    for (const Key& key : construct.keys) {
      if (!key.required || has_or_means(node, construct, key.name)) continue;
      diagnostics_.report(rules::missing_key, owner,
                          fmt::format("{} needs the key '{}'", construct.noun, key.name),
                          fmt::format("{}: {}", key.name, key.description));
    }
  }

  void value(const Node& node, const Shapes& shapes, std::string_view label, Span owner) {
    const auto shape = std::find_if(shapes.begin(), shapes.end(),
                                    [&](const Shape& candidate) { return fits(candidate, node); });
    if (shape == shapes.end()) {
      return wrong_kind(node, describe(shapes), label, owner, example(shapes, label, node));
    }
    if (!shape->empty_allowed && node.items.empty() && node.entries.empty()) {
      diagnostics_.report(rules::no_value, owner, fmt::format("'{}' must not be empty", label));
      return;
    }
    switch (shape->form) {
      case Form::literal:
        return;
      case Form::type:
        return type(node);
      case Form::list:
        return list(node, *shape, label, owner);
      case Form::names:
        return names(node, *shape);
      case Form::object:
        return object(node, construct(shape->construct), owner);
      default:
        return scalar(node, *shape, label);
    }
  }

 private:
  void entry(const Node& map, std::size_t index, const Shapes& shapes) {
    const Node& key = map.entries[index].key;
    const Node& value = map.entries[index].value;
    if (value.kind != Kind::null) return this->value(value, shapes, key.text, key.span);
    // Lua's null is written like YAML's.
    const auto takes_null = [&](const Shape& shape) {
      return shape.form == Form::literal ||
             (shape.form == Form::expression && value.text == "null");
    };
    if (is_reported(map.entries[index]) || std::any_of(shapes.begin(), shapes.end(), takes_null)) {
      return;
    }
    diagnostics_.report(rules::no_value, key.span, fmt::format("'{}' has no value", key.text),
                        "give it one, or remove the key");
  }

  void list(const Node& node, const Shape& shape, std::string_view label, Span owner) {
    for (const Node& item : node.items) {
      value(item, shape.elements, label, item.span ? item.span : owner);
    }
  }

  void names(const Node& node, const Shape& shape) {
    for (std::size_t i = 0; i < node.entries.size(); ++i) {
      if (is_torn_off(node, i) || is_torn_off(node, i + 1)) continue;
      scalar(node.entries[i].key, Shape{.form = shape.key}, shape.noun);
      entry(node, i, shape.elements);
    }
  }

  // What has the form of no type is reported where it is read (type_syntax.cpp).
  void type(const Node& node) {
    if (const Node* fields = node.find("fields")) {
      value(*fields, {fields_shape()}, "fields", fields->span);
    }
    for (const Node& item : node.items) type(item);
  }

  void scalar(const Node& node, const Shape& shape, std::string_view label) {
    switch (shape.form) {
      case Form::text:
      case Form::templ:
        return text(node, label);
      case Form::expression:
      case Form::statements:
        return lua(node, label);
      case Form::name:
      case Form::state:
        return name(node, shape.form);
      case Form::event:
        return event(node);
      case Form::delay:
        return delay(node, label);
      case Form::count:
        return count(node, label);
      case Form::duration:
        return expect(as_duration(node).has_value(), node, shape, label);
      case Form::boolean:
        return expect(as_boolean(node).has_value(), node, shape, label);
      case Form::integer:
        return expect(as_integer(node).has_value(), node, shape, label);
      case Form::number:
        return expect(as_number(node).has_value(), node, shape, label);
      case Form::reference:
      case Form::file:
        return expect(!node.text.empty(), node, shape, label);
      case Form::choice:
        return choice(node, shape, label);
      default:
        return;
    }
  }

  void text(const Node& node, std::string_view label) {
    if (yaml::ambiguous(node)) {
      yaml::report_ambiguous(node, diagnostics_).fix = {node.span, yaml::quoted(node.text)};
      return;
    }
    if (yaml::is_text(node)) return;
    Diagnostic& problem =
        diagnostics_.report(rules::wrong_kind, node.span,
                            fmt::format("'{}' must be text, found {}", label, found(node)),
                            fmt::format("quote it: \"{}\"", node.text));
    problem.fix = {node.span, fmt::format("\"{}\"", node.text)};
  }

  void lua(const Node& node, std::string_view label) {
    check_lua(node, label, diagnostics_);
    if (trim(node.text).empty()) {
      diagnostics_.report(rules::no_value, node.span, fmt::format("'{}' has no Lua in it", label),
                          "write some, or remove the key");
    }
  }

  void name(const Node& node, Form form) {
    const bool dots = form == Form::name;
    if (is_name(node.text, dots)) return;
    diagnostics_.report(rules::bad_name, node.span, fmt::format("{} is not a name", found(node)),
                        dots ? name_help : state_name_help);
  }

  void event(const Node& node) {
    if (is_name(node.text, true)) return;
    Diagnostic& problem = diagnostics_.report(
        rules::bad_name, node.span, fmt::format("{} is not an event's name", found(node)));
    if (node.text == "*") {
      problem.help = "write 'any' to take every event";
      problem.fix = {node.span, "any"};
    } else if (node.text.ends_with(".*") &&
               is_name(trim(node.text).substr(0, node.text.size() - 2), true)) {
      const std::string prefix = node.text.substr(0, node.text.size() - 2);
      problem.help =
          fmt::format("write '{}': it takes every event that begins with '{}.'", prefix, prefix);
      problem.fix = {node.span, prefix};
    } else {
      problem.help = name_help;
    }
  }

  void delay(const Node& node, std::string_view label) {
    if (as_duration(node)) return;
    if (resembles_duration(node.text)) {
      return wrong_kind(node, "a duration such as 500ms, 10s, 5m, 24h or 1h30m", label, node.span);
    }
    if (as_number(node)) {
      return wrong_kind(node, "a duration with its unit", label, node.span,
                        fmt::format("write {0}s, {0}m or {0}h", node.text));
    }
    lua(node, label);
  }

  void count(const Node& node, std::string_view label) {
    if (as_integer(node)) return;
    if (as_number(node) || trim(node.text).starts_with('-')) {
      return wrong_kind(node, "a whole number, zero or more", label, node.span);
    }
    lua(node, label);
  }

  void choice(const Node& node, const Shape& shape, std::string_view label) {
    if (std::find(shape.choices.begin(), shape.choices.end(), node.text) != shape.choices.end()) {
      return;
    }
    const std::vector<std::string> choices(shape.choices.begin(), shape.choices.end());
    const std::string near = closest(node.text, choices);
    Diagnostic& problem = diagnostics_.report(
        rules::wrong_kind, node.span,
        fmt::format("'{}' must be {}, found {}", label, describe(shape), found(node)));
    if (!near.empty()) problem.help = fmt::format("did you mean '{}'?", near);
    offer(problem, node.text, choices);
  }

  void expect(bool right, const Node& node, const Shape& shape, std::string_view label) {
    if (!right) wrong_kind(node, describe(shape), label, node.span);
  }

  void wrong_kind(const Node& node, const std::string& expected, std::string_view label, Span owner,
                  std::string_view help = {}) {
    if (is_unquoted_template(node)) return;
    diagnostics_.report(
        rules::wrong_kind, node.kind == Kind::scalar && node.span ? node.span : owner,
        fmt::format("'{}' must be {}, found {}", label, expected, found(node)), help);
  }

  void unknown_key(const Node& map, const Node& key, const Construct& construct) {
    Diagnostic& problem = diagnostics_.report(
        rules::unknown_key, key.span, fmt::format("{} has no key '{}'", construct.noun, key.text));
    if (const ForeignKey* foreign = find_foreign(construct, key.text)) {
      problem.help =
          foreign->help.empty() ? fmt::format("write `{}`", foreign->instead) : foreign->help;
      return;
    }
    suggest(problem, key.text, names_of(construct.keys), "keys");
    if (problem.fix && map.find(problem.fix->text)) problem.fix.reset();
  }

  Diagnostics& diagnostics_;
};

}  // namespace

bool has_or_means(const Node& map, const Construct& construct, std::string_view key) {
  if (map.find(key)) return true;
  const std::vector<std::string> names = names_of(construct.keys);
  return std::any_of(map.entries.begin(), map.entries.end(), [&](const yaml::Entry& entry) {
    const std::string& name = entry.key.text;
    if (find_key(construct, name)) return false;
    const ForeignKey* foreign = find_foreign(construct, name);
    return foreign ? foreign->instead == key : closest(name, names) == key;
  });
}

bool is_type_map(const Node& node) {
  return node.kind == Kind::map && (node.find("enum") || node.find("fields"));
}

bool is_written_out(const Node& node) {
  return node.kind == Kind::map && !is_type_map(node) &&
         (node.find("type") || node.find("default") || node.find("init"));
}

void check_shape(const Node& root, ConstructId id, Diagnostics& diagnostics) {
  Checker checker(diagnostics);
  const Construct& of = construct(id);
  if (root.kind == Kind::map) {
    Span start = root.span;
    start.end = start.begin;
    checker.object(root, of, start);
  } else {
    diagnostics.report(
        rules::wrong_kind, root.span,
        fmt::format("expected {} (a map of its keys), found {}", of.noun, found(root)));
  }
}

void check_value(std::string_view key, const Node& value, ConstructId id,
                 Diagnostics& diagnostics) {
  const Key* known = find_key(construct(id), key);
  if (!known) return;
  if (value.kind == Kind::null) {
    diagnostics.report(rules::no_value, value.span, fmt::format("'{}' has no value", key),
                       "give it one, or remove the key");
    return;
  }
  Checker(diagnostics).value(value, known->shapes, key, value.span);
}

}  // namespace agneto::model
