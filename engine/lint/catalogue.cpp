#include "lint/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/text.h"

namespace agneto::lint {

const std::vector<const Rule*>& catalogue() {
  static const std::vector<const Rule*> all = [] {
    std::vector<const Rule*> rules = listed_rules();
    for (const LintRule* one : lint_rules()) rules.push_back(&one->rule);
    std::ranges::sort(rules, {}, [](const Rule* one) { return one->code.substr(1); });
    return rules;
  }();
  return all;
}

const std::vector<const LintRule*>& lint_rules() {
  static const std::vector<const LintRule*> all = [] {
    std::vector<const LintRule*> rules = listed_lint_rules();
    std::ranges::sort(rules, {}, [](const LintRule* one) { return one->rule.name; });
    return rules;
  }();
  return all;
}

const Rule* find_rule(std::string_view code_or_name) {
  static const std::unordered_map<std::string, const Rule*> index = [] {
    std::unordered_map<std::string, const Rule*> result;
    for (const Rule* rule : catalogue()) {
      for (const auto& key : {std::string(rule->code), std::string(rule->name), rule->id()}) {
        result.emplace(lower(key), rule);
      }
    }
    return result;
  }();
  const auto found = index.find(lower(trim(code_or_name)));
  return found == index.end() ? nullptr : found->second;
}

const LintRule* find_lint_rule(const Rule& rule) {
  const auto& all = lint_rules();
  const auto found =
      std::ranges::find_if(all, [&](const LintRule* one) { return &one->rule == &rule; });
  return found == all.end() ? nullptr : *found;
}

std::string rule_suggestion(std::string_view code_or_name) {
  const std::string wanted = lower(trim(code_or_name));
  std::vector<std::string> names;
  for (const Rule* rule : catalogue()) {
    names.emplace_back(rule->name);
    // E405 for W405: the number is the rule's, whatever its letter.
    if (wanted.size() == rule->code.size() && wanted.substr(1) == rule->code.substr(1)) {
      return fmt::format("did you mean {}?", rule->id());
    }
  }
  std::string holding;
  for (const Rule* rule : catalogue()) {
    if (wanted.size() < 3 || rule->name.find(wanted) == std::string_view::npos) continue;
    holding += (holding.empty() ? "" : ", ") + rule->id();
  }
  if (!holding.empty()) return "rules of that kind: " + holding;
  const std::string near = closest(wanted, names);
  return near.empty() ? "'agneto lint --list-rules' shows all of them"
                      : fmt::format("did you mean {}?", find_rule(near)->id());
}

}  // namespace agneto::lint
