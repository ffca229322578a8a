#include "lint/report/policy.h"

#include <fmt/format.h>

#include "lint/report/glob.h"
#include "lint/report/rules.h"
#include "model/rules.h"

namespace agneto::lint {

namespace {

std::optional<Level> read_level(const yaml::Node& node) {
  if (node.kind != yaml::Kind::scalar) return std::nullopt;
  if (node.text == "off") return Level::off;
  if (node.text == "warning") return Level::warning;
  if (node.text == "error") return Level::error;
  return std::nullopt;
}

}  // namespace

Policy::Policy(const yaml::Node& node, fs::path folder, std::shared_ptr<const TeamRules> team,
               Diagnostics& diagnostics)
    : team_(std::move(team)), folder_(std::move(folder)) {
  yaml::Reader read(diagnostics, yaml::Findings::of_rules);
  const yaml::Node* paths = nullptr;
  read.map(node, "lint",
           {{"rules", [&](const yaml::Node& value) { read_rules(value, {}, read); }},
            {"explore", [&](const yaml::Node& value) { read.flag(value, "explore", explores_); }},
            {"configurations",
             [&](const yaml::Node& value) {
               const auto number = parse_number<std::size_t>(value.text);
               const bool is_scalar = value.kind == yaml::Kind::scalar;
               if (is_scalar && number && *number > 0) {
                 configurations_ = *number;
               } else {
                 read.wrong(value, "configurations", "a whole number of at least 1");
               }
             }},
            {"paths", [&](const yaml::Node& value) { paths = &value; }}});
  if (!paths) return;
  read.list(*paths, "paths", [&](const yaml::Node& path) {
    if (!read.expect(path, yaml::Kind::map, "paths", "a list of {match, rules}")) return;
    std::string match;
    const yaml::Node* rules = nullptr;
    read.map(path, "paths",
             {{"match", [&](const yaml::Node& value) { read.text(value, "match", match); }},
              {"rules", [&](const yaml::Node& value) { rules = &value; }}});
    const bool matches = path.find("match") != nullptr;
    if (!matches || !rules) {
      diagnostics.report(rules::missing_key, path.span,
                         fmt::format("a path needs the key '{}'", matches ? "rules" : "match"),
                         "write {match: \"workflows/old/**\", rules: {W414: off}}");
    } else if (!match.empty()) {
      read_rules(*rules, match, read);
    }
  });
}

void Policy::read_rules(const yaml::Node& node, const std::string& match, yaml::Reader& read) {
  read.each(node, "rules", [&](const yaml::Node& key, const yaml::Node& value) {
    const Rule* rule = find_rule(key.text, team_.get());
    const std::optional<Level> level = read_level(value);
    if (!rule) {
      read.diagnostics().report(rules::unknown_rule, key.span,
                                fmt::format("there is no rule '{}'", key.text),
                                rule_suggestion(key.text, team_.get()));
    } else if (!level) {
      read.wrong(value, key.text, "off, warning or error");
    } else if (rule->severity() == Severity::error && level != Level::error) {
      read.diagnostics().report(
          rules::unknown_rule, key.span,
          fmt::format("{} is an error, which cannot be turned off", rule->id()),
          "a workflow with errors cannot be run; only warnings have other levels");
    } else {
      settings_.push_back({match, rule, *level});
    }
  });
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
                   std::vector<SourcePtr>& sources, std::shared_ptr<const TeamRules> team) {
  const auto text = files.read(file);
  if (!text || text->find("lint") == std::string::npos) return Policy(std::move(team));
  sources.push_back(std::make_shared<const Source>(file.string(), *text));
  const auto root = yaml::parse(sources.back(), diagnostics);
  const yaml::Node* node = root ? root->find("lint") : nullptr;
  if (!node) return Policy(std::move(team));
  const fs::path folder = fs::absolute(file).lexically_normal().parent_path().parent_path();
  return Policy(*node, folder, std::move(team), diagnostics);
}

}  // namespace agneto::lint
