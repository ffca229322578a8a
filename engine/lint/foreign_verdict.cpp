#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "lint/check.h"

namespace agneto::lint {

namespace {

// Shorter words are as likely a word of the prose.
constexpr std::size_t shortest = 5;

// The verdicts of agents, and what else has a name, of the machines that use the module.
struct Names {
  std::vector<std::string> verdicts;
  std::set<std::string, std::less<>> all;
};

Names names_of(const Subject& subject, const Module& module) {
  Names names;
  for (const model::MachineId id : module.machines) {
    for (const model::State& state : subject.system.machine(id).states) {
      names.all.insert({state.name, state.outcome});
      if (const auto* ask = std::get_if<model::Ask>(&state.activity)) {
        for (const model::Option& option : ask->options) names.all.insert(option.name);
      }
      const auto* call = std::get_if<model::AgentCall>(&state.activity);
      if (!call) continue;
      for (const model::Verdict& verdict : call->verdicts) {
        if (names.all.insert(verdict.name).second) names.verdicts.push_back(verdict.name);
      }
    }
  }
  return names;
}

// Words of capitals, as verdicts are written.
std::vector<std::string_view> words_of(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_other = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_letter(text[end])) ++end;
    const bool whole =
        (end == text.size() || !is_other(text[end])) && (i == 0 || !is_other(text[i - 1]));
    if (whole && end - i >= shortest) words.push_back(text.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return words;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Module& module : subject.modules()) {
    if (!module.tree) continue;
    const Names names = names_of(subject, module);
    lua::walk(*module.tree, [&](const lua::Node& node) {
      if (node.kind != lua::Node::Kind::string) return;
      for (const std::string_view word : words_of(node.text)) {
        if (names.all.contains(word)) continue;
        const std::string near = closest(word, names.verdicts);
        if (near.empty()) continue;
        Diagnostic& finding = diagnostics.warning(
            foreign_verdict.name, place(module, node),
            fmt::format("no state that uses this hook has the verdict '{}'", word));
        finding.help = fmt::format("did you mean '{}'?", near);
        offer(finding, word, names.verdicts);
      }
    });
  }
}

}  // namespace

const Check foreign_verdict = {"foreign-verdict", check};

}  // namespace agneto::lint
