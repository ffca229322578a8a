// schemas/config.schema.json knows the keys that the program reads, and no others.
#include <gtest/gtest.h>

#include "base/json.h"
#include "lint/report/policy.h"
#include "run/config.h"
#include "support/paths.h"

namespace agneto {
namespace {

// The keys of a map, from what is said of one that is in none: "known keys: a, b".
std::set<std::string> keys_read(const std::string& text) {
  MemoryFiles files;
  files.add("/.agneto/config.yaml", text);
  Diagnostics diagnostics;
  std::vector<SourcePtr> sources;
  const run::Config config = run::load_config("/.agneto/config.yaml", files, diagnostics);
  lint::load_policy("/.agneto/config.yaml", files, diagnostics, sources);
  std::set<std::string> keys;
  for (const Diagnostic& found : diagnostics.sorted()) {
    const std::string intro = "known keys: ";
    if (!found.help.starts_with(intro)) continue;
    const std::string names = found.help.substr(intro.size()) + ", ";
    for (std::size_t at = 0, end = 0; (end = names.find(", ", at)) < names.size(); at = end + 2) {
      keys.insert(names.substr(at, end - at));
    }
  }
  return keys;
}

// Compares what the schema says is at `place`, and inside, with what is read there. `begin` leads
// to the place in a text of YAML, and `end` closes what that opens.
void compare(const Json& schema, const std::string& place, const std::string& begin,
             const std::string& end) {
  if (schema.contains("items")) {
    return compare(schema["items"], place + "[]", begin + "[", "]" + end);
  }
  const Json& any = schema.value("additionalProperties", Json());
  if (any.is_object()) return compare(any, place + ".*", begin + "{some: ", "}" + end);
  if (!schema.contains("properties")) return;
  EXPECT_EQ(any, false) << place;
  std::set<std::string> keys;
  for (const auto& [key, value] : schema["properties"].items()) keys.insert(key);
  EXPECT_EQ(keys, keys_read(begin + "{xxxxxxxxxxxx: 1}" + end)) << place;
  for (const auto& [key, value] : schema["properties"].items()) {
    compare(value, place + "." + key, begin + "{" + key + ": ", "}" + end);
  }
}

TEST(ConfigSchema, HasTheKeysThatAreRead) {
  const fs::path file = fs::path(AGNETO_SOURCE_DIR) / "schemas" / "config.schema.json";
  compare(Json::parse(Disk().read(file).value()), "", "", "");
}

}  // namespace
}  // namespace agneto
