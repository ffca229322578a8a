// What a team wants of the warnings: `lint` in .agneto/config.yaml.
//
//   lint:
//     rules:
//       W414: off
//       untaken-outcome: error
//       hasty-timer: {level: error, person: 5m}
//     paths:
//       - match: workflows/experiments/**
//         rules: {W405: off}
//     explore: false
//     configurations: 200000
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/files.h"
#include "lint/parameters.h"
#include "lint/team/team_rules.h"
#include "yaml/reader.h"

namespace agneto::lint {

enum class Level { off, warning, error };

class Policy {
 public:
  // Every rule has its own severity. `team`: the rules of its own.
  Policy() = default;
  explicit Policy(std::shared_ptr<const TeamRules> team) : team_(std::move(team)) {}
  // From the value of `lint`; paths are relative to `folder`, which is absolute. Errors have no
  // level but their own.
  Policy(const yaml::Node& node, fs::path folder, std::shared_ptr<const TeamRules> team,
         Diagnostics& diagnostics);

  const std::shared_ptr<const TeamRules>& team() const { return team_; }

  // The level of a rule in a file; the last of the matching settings counts.
  Level level(const Rule& rule, const fs::path& file) const;
  // Those of all rules, in every file.
  const Parameters& parameters() const { return parameters_; }
  // Are configurations explored? Yes unless somebody says no.
  bool explores() const { return explores_; }
  void set_explores(bool explores) { explores_ = explores; }
  // How many configurations are explored of a workflow at most; none: as many as usual.
  std::optional<std::size_t> configurations() const { return configurations_; }

 private:
  struct Setting {
    std::string match;  // a glob; empty: everywhere
    const Rule* rule = nullptr;
    Level level = Level::warning;
  };

  void read_rules(const yaml::Node& node, const std::string& match, yaml::Reader& read);
  // A level, or a map with one and with parameters.
  void read_rule(const Rule& rule, const yaml::Node& key, const yaml::Node& value,
                 const std::string& match, yaml::Reader& read);

  std::shared_ptr<const TeamRules> team_;
  fs::path folder_;
  std::vector<Setting> settings_;
  Parameters parameters_;
  bool explores_ = true;
  std::optional<std::size_t> configurations_;
};

// From the `lint` in the file, whose folder is `.agneto`; the usual one where there is neither.
// Findings carry the file's own places; `sources` keeps them valid. What else is wrong in the file
// is not looked at.
Policy load_policy(const fs::path& file, const Files& files, Diagnostics& diagnostics,
                   std::vector<SourcePtr>& sources, std::shared_ptr<const TeamRules> team = {});

}  // namespace agneto::lint
