#include "yaml/reader.h"

#include <algorithm>

#include "yaml/rules.h"
#include "yaml/scalar.h"

namespace agneto::yaml {

std::string found(const Node& node) {
  constexpr std::size_t longest = 60;
  if (node.kind == Kind::null) return "nothing";
  if (node.kind == Kind::sequence) return "a list";
  if (node.kind == Kind::map) return "a map";
  return "'" + shortened(node.text.substr(0, node.text.find('\n')), longest) + "'";
}

void Reader::map(const Node& node, const std::string& what, const std::vector<Key>& keys) {
  if (!expect(node, Kind::map, what, "a map")) return;
  std::vector<std::string> names;
  for (const auto& key : keys) names.push_back(key.first);
  for (const Entry& entry : node.entries) {
    const auto key = std::find_if(keys.begin(), keys.end(),
                                  [&](const Key& k) { return k.first == entry.key.text; });
    if (key == keys.end()) {
      report(rules::unknown_key, entry.key.span, "unknown key '" + entry.key.text + "' in " + what)
          .help = suggestion(entry.key.text, names, "keys");
    } else {
      key->second(entry.value);
    }
  }
}

void Reader::each(const Node& node, const std::string& what,
                  const std::function<void(const Node& key, const Node& value)>& visit) {
  if (!expect(node, Kind::map, what, "a map")) return;
  for (const Entry& entry : node.entries) visit(entry.key, entry.value);
}

void Reader::list(const Node& node, const std::string& what,
                  const std::function<void(const Node&)>& visit) {
  if (!expect(node, Kind::sequence, what, "a list")) return;
  for (const Node& item : node.items) visit(item);
}

bool Reader::text(const Node& node, const std::string& what, std::string& out) {
  if (!expect(node, Kind::scalar, what, "text")) return false;
  out = node.text;
  return true;
}

bool Reader::flag(const Node& node, const std::string& what, bool& out) {
  const bool plain = node.kind == Kind::scalar && node.is_plain();
  if (!plain || (node.text != "true" && node.text != "false")) {
    wrong(node, what, "true or false");
    return false;
  }
  out = node.text == "true";
  return true;
}

bool Reader::duration(const Node& node, const std::string& what, Millis& out) {
  const auto parsed = node.kind == Kind::scalar ? parse_duration(node.text) : std::nullopt;
  if (!parsed) {
    wrong(node, what, "a duration such as 90s, 20m or 4h");
    return false;
  }
  out = *parsed;
  return true;
}

Diagnostic& Reader::mistake(Span span, std::string message) {
  return diagnostics_.add({nullptr, Severity::error, std::move(message), span, {}, {}});
}

Diagnostic& Reader::report(const Rule& rule, Span span, std::string message) {
  return findings_ == Findings::plain ? mistake(span, std::move(message))
                                      : diagnostics_.report(rule, span, std::move(message));
}

Diagnostic& Reader::wrong(const Node& node, const std::string& what, const std::string& expected) {
  std::string message = "'" + what + "' must be " + expected;
  if (findings_ == Findings::plain) message += ", not " + found(node);
  return report(rules::wrong_type, node.span, std::move(message));
}

bool Reader::expect(const Node& node, Kind kind, const std::string& what,
                    const std::string& expected) {
  if (node.kind == kind) return true;
  wrong(node, what, expected);
  return false;
}

}  // namespace agneto::yaml
