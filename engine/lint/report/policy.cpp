#include "lint/report/policy.h"

#include <fmt/format.h>

#include "base/text.h"
#include "lint/report/glob.h"
#include "yaml/scalar.h"

namespace agneto::lint {

namespace {

using yaml::Kind;
using yaml::Node;

bool expect(const Node& node, Kind kind, std::string_view what, std::string_view expected,
            Diagnostics& diagnostics) {
  if (node.kind == kind) return true;
  diagnostics.error("wrong-kind", node.span, fmt::format("'{}' must be {}", what, expected));
  return false;
}

void unknown_key(const Node& key, std::string_view what, const std::vector<std::string>& known,
                 Diagnostics& diagnostics) {
  diagnostics.error("unknown-key", key.span, fmt::format("{} has no key '{}'", what, key.text))
      .help = suggestion(key.text, known, "keys");
}

std::optional<Level> read_level(const Node& node) {
  if (node.kind != Kind::scalar) return std::nullopt;
  if (node.text == "off") return Level::off;
  if (node.text == "warning") return Level::warning;
  if (node.text == "error") return Level::error;
  return std::nullopt;
}

}  // namespace

Policy::Policy(const Node& node, fs::path folder, Diagnostics& diagnostics)
    : folder_(std::move(folder)) {
  if (!expect(node, Kind::map, "lint", "a map", diagnostics)) return;
  for (const auto& [key, value] : node.entries) {
    if (key.text == "rules") {
      read_rules(value, {}, diagnostics);
    } else if (key.text == "explore") {
      explores_ = value.text != "false";
      const bool fits = value.kind == Kind::scalar && (value.text == "true" || !explores_);
      if (!fits) diagnostics.error("wrong-kind", value.span, "'explore' must be true or false");
    } else if (key.text != "paths") {
      unknown_key(key, "lint", {"explore", "rules", "paths"}, diagnostics);
    }
  }
  const Node* paths = node.find("paths");
  if (!paths || !expect(*paths, Kind::sequence, "paths", "a list", diagnostics)) return;
  for (const Node& path : paths->items) {
    if (!expect(path, Kind::map, "paths", "a list of {match, rules}", diagnostics)) continue;
    for (const auto& [key, value] : path.entries) {
      if (key.text == "match" || key.text == "rules") continue;
      unknown_key(key, "a path", {"match", "rules"}, diagnostics);
    }
    const Node* match = path.find("match");
    const Node* rules = path.find("rules");
    if (!match || !rules) {
      diagnostics
          .error("missing-key", path.span,
                 fmt::format("a path needs the key '{}'", match ? "rules" : "match"))
          .help = "write {match: \"workflows/old/**\", rules: {W414: off}}";
    } else if (expect(*match, Kind::scalar, "match", "a pattern", diagnostics)) {
      read_rules(*rules, match->text, diagnostics);
    }
  }
}

void Policy::read_rules(const Node& node, const std::string& match, Diagnostics& diagnostics) {
  if (!expect(node, Kind::map, "rules", "a map by rule", diagnostics)) return;
  for (const auto& [key, value] : node.entries) {
    const Rule* rule = find_rule(key.text);
    const std::optional<Level> level = read_level(value);
    if (!rule) {
      diagnostics.error("unknown-rule", key.span, fmt::format("there is no rule '{}'", key.text))
          .help = rule_suggestion(key.text);
    } else if (!level) {
      diagnostics.error("wrong-kind", value.span,
                        fmt::format("'{}' must be off, warning or error", key.text));
    } else if (rule->severity() == Severity::error && level != Level::error) {
      diagnostics
          .error("unknown-rule", key.span,
                 fmt::format("{} is an error, which cannot be turned off", rule->id()))
          .help = "a workflow with errors cannot be run; only warnings have other levels";
    } else {
      settings_.push_back({match, rule, *level});
    }
  }
}

Level Policy::level(const Rule& rule, const fs::path& file) const {
  Level level = rule.severity() == Severity::error ? Level::error : Level::warning;
  std::string path;
  for (const Setting& setting : settings_) {
    if (setting.rule != &rule) continue;
    if (!setting.match.empty()) {
      if (file.empty()) continue;
      if (path.empty()) {
        path = fs::absolute(file).lexically_normal().lexically_relative(folder_).generic_string();
      }
      if (!glob_matches(setting.match, path)) continue;
    }
    level = setting.level;
  }
  return level;
}

Policy load_policy(const fs::path& file, const Files& files, Diagnostics& diagnostics,
                   std::vector<SourcePtr>& sources) {
  const auto text = files.read(file);
  std::error_code gone;
  if (!text && fs::exists(fs::symlink_status(file, gone))) {
    diagnostics.error("missing-file", {}, fmt::format("cannot read the file '{}'", file.string()))
        .help = "make it a file that can be read, or remove it; how lint judges is said in it";
  }
  if (!text || text->find("lint") == std::string::npos) return {};
  sources.push_back(std::make_shared<const Source>(file.string(), *text));
  const auto root = yaml::parse(sources.back(), diagnostics);
  const Node* node = root ? root->find("lint") : nullptr;
  if (!node) return {};
  const fs::path folder = fs::absolute(file).lexically_normal().parent_path().parent_path();
  return Policy(*node, folder, diagnostics);
}

}  // namespace agneto::lint
