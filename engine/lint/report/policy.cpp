#include "lint/report/policy.h"

#include <fmt/format.h>

#include <cmath>

#include "lint/report/glob.h"
#include "lint/report/rules.h"
#include "model/rules.h"
#include "yaml/rules.h"

namespace agneto::lint {

namespace {

std::optional<Level> read_level(const yaml::Node& node) {
  if (node.kind != yaml::Kind::scalar) return std::nullopt;
  if (node.text == "off") return Level::off;
  if (node.text == "warning") return Level::warning;
  if (node.text == "error") return Level::error;
  return std::nullopt;
}

std::optional<double> read_value(const Parameter& parameter, const yaml::Node& node,
                                 yaml::Reader& read) {
  if (parameter.kind == Parameter::Kind::duration) {
    Millis time{0};
    if (!read.duration(node, std::string(parameter.name), time)) return std::nullopt;
    return static_cast<double>(time.count());
  }
  const auto number =
      node.kind == yaml::Kind::scalar ? parse_number<double>(node.text) : std::optional<double>();
  if (number && std::isfinite(*number) && *number >= parameter.least) return number;
  const bool is_bounded = std::isfinite(parameter.least);
  read.wrong(node, std::string(parameter.name),
             is_bounded ? fmt::format("a number of at least {}", parameter.least) : "a number");
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
    if (const Rule* rule = find_rule(key.text, team_.get())) {
      read_rule(*rule, key, value, match, read);
    } else {
      read.diagnostics().report(rules::unknown_rule, key.span,
                                fmt::format("there is no rule '{}'", key.text),
                                rule_suggestion(key.text, team_.get()));
    }
  });
}

void Policy::read_rule(const Rule& rule, const yaml::Node& key, const yaml::Node& value,
                       const std::string& match, yaml::Reader& read) {
  const auto set_level = [&](const yaml::Node& node, const std::string& what) {
    const std::optional<Level> level = read_level(node);
    if (!level) {
      read.wrong(node, what, "off, warning or error");
    } else if (rule.severity() == Severity::error && level != Level::error) {
      read.diagnostics().report(
          rules::unknown_rule, key.span,
          fmt::format("{} is an error, which cannot be turned off", rule.id()),
          "a workflow with errors cannot be run; only warnings have other levels");
    } else {
      settings_.push_back({match, &rule, *level});
    }
  };
  if (value.kind != yaml::Kind::map) return set_level(value, key.text);
  std::vector<yaml::Reader::Key> keys = {
      {"level", [&](const yaml::Node& node) { set_level(node, "level"); }}};
  for (const Parameter* parameter : rule.parameters) {
    keys.emplace_back(parameter->name, [&, parameter](const yaml::Node& node) {
      if (!match.empty()) {
        read.diagnostics().report(rules::unknown_key, node.span,
                                  fmt::format("'{}' is the same in all files", parameter->name),
                                  fmt::format("write it in lint.rules, as in {}: {{{}: {}}}",
                                              rule.name, parameter->name, usual_text(*parameter)));
      } else if (const auto number = read_value(*parameter, node, read)) {
        parameters_.set(*parameter, *number);
      }
    });
  }
  read.map(value, key.text, keys);
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
