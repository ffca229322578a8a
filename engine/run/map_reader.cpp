#include "run/map_reader.h"

#include <algorithm>

namespace agneto::run {

using syntax::Kind;

void MapReader::map(const Node& node, const std::string& what, const std::vector<Key>& keys) {
  if (!expect(node, Kind::map, what, "a map")) return;
  std::vector<std::string> names;
  for (const auto& key : keys) names.push_back(key.first);
  for (const auto& entry : node.entries) {
    auto key = std::find_if(keys.begin(), keys.end(),
                            [&](const Key& k) { return k.first == entry.key.text; });
    if (key == keys.end()) {
      diagnostics_
          .error("unknown-key", entry.key.span, "unknown key '" + entry.key.text + "' in " + what)
          .help = suggestion(entry.key.text, names, "keys");
    } else {
      key->second(entry.value);
    }
  }
}

void MapReader::each(const Node& node, const std::string& what,
                     const std::function<void(const std::string&, const Node&)>& visit) {
  if (!expect(node, Kind::map, what, "a map")) return;
  for (const auto& entry : node.entries) visit(entry.key.text, entry.value);
}

void MapReader::list(const Node& node, const std::string& what,
                     const std::function<void(const Node&)>& visit) {
  if (!expect(node, Kind::sequence, what, "a list")) return;
  for (const auto& item : node.items) visit(item);
}

void MapReader::text(const Node& node, const std::string& what, std::string& out) {
  if (expect(node, Kind::scalar, what, "text")) out = node.text;
}

void MapReader::texts(const Node& node, const std::string& what, std::vector<std::string>& out) {
  list(node, what, [&](const Node& item) { text(item, what, out.emplace_back()); });
}

void MapReader::number(const Node& node, const std::string& what, double& out) {
  if (!expect(node, Kind::scalar, what, "a number")) return;
  try {
    std::size_t used = 0;
    out = std::stod(node.text, &used);
    if (used == node.text.size() && out > 0) return;
  } catch (const std::exception&) {
  }
  wrong(node, what, "a number above 0");
}

void MapReader::duration(const Node& node, const std::string& what, Millis& out) {
  if (!expect(node, Kind::scalar, what, "a duration")) return;
  if (auto parsed = parse_duration(node.text)) {
    out = *parsed;
  } else {
    wrong(node, what, "a duration such as 90s, 20m or 4h");
  }
}

void MapReader::flag(const Node& node, const std::string& what, bool& out) {
  if (!expect(node, Kind::scalar, what, "true or false")) return;
  if (node.text != "true" && node.text != "false") return wrong(node, what, "true or false");
  out = node.text == "true";
}

void MapReader::wrong(const Node& node, const std::string& what, const std::string& expected) {
  diagnostics_.error("wrong-type", node.span, "'" + what + "' must be " + expected);
}

bool MapReader::expect(const Node& node, Kind kind, const std::string& what,
                       const std::string& expected) {
  if (node.kind == kind) return true;
  wrong(node, what, expected);
  return false;
}

}  // namespace agneto::run
