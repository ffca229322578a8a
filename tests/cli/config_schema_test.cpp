// schemas/config.schema.json knows the keys that the program reads, and no others.
#include <gtest/gtest.h>

#include "base/json.h"
#include "lint/report/policy.h"
#include "run/config.h"
#include "support/paths.h"

namespace agneto {
namespace {

std::vector<Diagnostic> findings(const std::string& text) {
  MemoryFiles files;
  files.add("/.agneto/config.yaml", text);
  Diagnostics diagnostics;
  std::vector<SourcePtr> sources;
  const run::Config config = run::load_config("/.agneto/config.yaml", files, diagnostics);
  lint::load_policy("/.agneto/config.yaml", files, diagnostics, sources);
  std::vector<Diagnostic> all = diagnostics.sorted();
  for (Diagnostic& one : all) one.span = {};  // which point into a text that goes
  return all;
}

// The keys of a map, from what is said of one that is in none: "known keys: a, b". Of many the
// first, and "…".
std::set<std::string> keys_read(const std::string& text) {
  std::set<std::string> keys;
  for (const Diagnostic& found : findings(text)) {
    const std::string intro = "known keys: ";
    if (!found.help.starts_with(intro)) continue;
    const std::string names = found.help.substr(intro.size()) + ", ";
    for (std::size_t at = 0, end = 0; (end = names.find(", ", at)) < names.size(); at = end + 2) {
      keys.insert(names.substr(at, end - at));
    }
  }
  return keys;
}

bool is_read(const std::string& key, const std::string& begin, const std::string& end) {
  return std::ranges::none_of(findings(begin + "{" + key + ": 1}" + end), [&](const auto& found) {
    return found.message.find("'" + key + "'") != std::string::npos &&
           found.rule->name == std::string_view("unknown-key");
  });
}

// Compares what the schema says is at `place`, and inside, with what is read there. `begin` leads
// to the place in a text of YAML, and `end` closes what that opens. `whole`: the schema with its
// definitions.
void compare(const Json& whole, const Json& schema, const std::string& place,
             const std::string& begin, const std::string& end) {
  if (schema.contains("$ref")) {
    const std::string pointer = schema["$ref"].get<std::string>().substr(1);
    return compare(whole, whole.at(Json::json_pointer(pointer)), place, begin, end);
  }
  if (schema.contains("items")) {
    return compare(whole, schema["items"], place + "[]", begin + "[", "]" + end);
  }
  const Json& any = schema.value("additionalProperties", Json());
  if (any.is_object()) return compare(whole, any, place + ".*", begin + "{some: ", "}" + end);
  if (!schema.contains("properties")) return;
  EXPECT_EQ(any, false) << place;
  std::set<std::string> keys;
  for (const auto& [key, value] : schema["properties"].items()) keys.insert(key);
  std::set<std::string> read = keys_read(begin + "{xxxxxxxxxxxx: 1}" + end);
  if (read.erase("…") > 0) {
    for (const auto& key : keys) {
      if (is_read(key, begin, end)) read.insert(key);
    }
  }
  EXPECT_EQ(keys, read) << place;
  for (const auto& [key, value] : schema["properties"].items()) {
    compare(whole, value, place + "." + key, begin + "{" + key + ": ", "}" + end);
  }
}

TEST(ConfigSchema, HasTheKeysThatAreRead) {
  const fs::path file = fs::path(AGNETO_SOURCE_DIR) / "schemas" / "config.schema.json";
  const Json schema = Json::parse(Disk().read(file).value());
  compare(schema, schema, "", "", "");
}

}  // namespace
}  // namespace agneto
