#include "model/changed_providers.h"

#include <algorithm>
#include <string_view>

namespace agneto::model {

namespace {

using yaml::Entry;
using yaml::Kind;
using yaml::Node;

std::string text_under(const Node* node, std::string_view key) {
  const Node* value = node ? node->find(key) : nullptr;
  return value && value->kind == Kind::scalar ? value->text : "";
}

// Which provider each agent of a machine, and each call, has; empty: none is said.
class Providers {
 public:
  explicit Providers(const Node& machine) {
    const Node* agents = machine.find("agents");
    if (!agents) return;
    for (const auto& [name, agent] : agents->entries) agents_.emplace(name.text, &agent);
  }

  const auto& agents() const { return agents_; }

  // An agent has that of the one that it extends, unless it says its own.
  std::string of_agent(std::string name) const {
    for (std::size_t most = agents_.size(); most > 0; --most) {
      const auto agent = agents_.find(name);
      if (agent == agents_.end()) break;
      if (std::string own = text_under(agent->second, "provider"); !own.empty()) return own;
      name = text_under(agent->second, "extends");
    }
    return {};
  }

  std::string of_call(const Node& call) const {
    const std::string own = text_under(&call, "provider");
    return own.empty() ? of_agent(text_under(&call, "name")) : own;
  }

 private:
  std::map<std::string, const Node*> agents_;
};

// What a map, constant or not, has under the key; null: nothing.
template <typename Tree>
auto* under(Tree& node, std::string_view key) {
  const auto found = std::ranges::find(
      node.entries, key, [](const Entry& entry) { return std::string_view(entry.key.text); });
  return found == node.entries.end() ? nullptr : &found->value;
}

// Visits the calls that are written out as maps, each with its state.
template <typename Tree, typename Visit>
void each_call(Tree& of, const Visit& visit) {
  auto* states = under(of, "states");
  if (!states) return;
  for (auto& [name, state] : states->entries) {
    auto* call = under(state, "agent");
    if (call && call->kind == Kind::map) visit(name.text, *call);
    each_call(state, visit);
  }
}

void forget(Node& node, const Source* kept) {
  std::erase_if(node.entries, [&](const Entry& entry) {
    const std::string& key = entry.key.text;
    const bool is_word = key == "model" || key == "effort" || key == "tools" || key == "args";
    return is_word && entry.key.span.source != kept;
  });
}

}  // namespace

ChangedProviders::ChangedProviders(const Node& machine) {
  const Providers providers(machine);
  for (const auto& [name, agent] : providers.agents()) {
    of_agents_.emplace(name, providers.of_agent(name));
  }
  each_call(machine, [&](const std::string& state, const Node& call) {
    of_states_.emplace(state, providers.of_call(call));
  });
}

void ChangedProviders::forget_words(Node& machine, const Source* kept) const {
  const Providers providers(machine);
  const auto is_another = [](const auto& before, const std::string& name, const std::string& now) {
    const auto was = before.find(name);
    return was != before.end() && was->second != now;
  };
  each_call(machine, [&](const std::string& state, Node& call) {
    if (is_another(of_states_, state, providers.of_call(call))) forget(call, kept);
  });
  Node* agents = under(machine, "agents");
  if (!agents) return;
  for (auto& [name, agent] : agents->entries) {
    if (is_another(of_agents_, name.text, providers.of_agent(name.text))) forget(agent, kept);
  }
}

}  // namespace agneto::model
