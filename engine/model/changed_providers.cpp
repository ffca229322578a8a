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

// Empty: none is said. An agent has that of the one that it extends, unless it says its own.
std::string provider_of(const Node* agents, std::string name) {
  for (std::size_t most = agents ? agents->entries.size() : 0; most > 0 && !name.empty(); --most) {
    const Node* agent = agents->find(name);
    if (std::string own = text_under(agent, "provider"); !own.empty()) return own;
    name = text_under(agent, "extends");
  }
  return {};
}

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

std::string provider_of_call(const Node& machine, const Node& call) {
  const std::string own = text_under(&call, "provider");
  return own.empty() ? provider_of(machine.find("agents"), text_under(&call, "name")) : own;
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
  const Node* agents = machine.find("agents");
  if (!agents) return;
  for (const Entry& agent : agents->entries) {
    of_agents_.emplace(agent.key.text, provider_of(agents, agent.key.text));
  }
  each_call(machine, [&](const std::string& state, const Node& call) {
    of_states_.emplace(state, provider_of_call(machine, call));
  });
}

void ChangedProviders::forget_words(Node& machine, const Source* kept) const {
  Entry* agents = machine.find_entry("agents");
  if (!agents) return;
  const auto is_another = [](const auto& before, const std::string& name, const std::string& now) {
    const auto was = before.find(name);
    return was != before.end() && was->second != now;
  };
  each_call(machine, [&](const std::string& state, Node& call) {
    if (is_another(of_states_, state, provider_of_call(machine, call))) forget(call, kept);
  });
  for (Entry& agent : agents->value.entries) {
    const std::string& name = agent.key.text;
    if (is_another(of_agents_, name, provider_of(&agents->value, name))) forget(agent.value, kept);
  }
}

}  // namespace agneto::model
