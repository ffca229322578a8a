#include "lint/sends.h"

#include <algorithm>

namespace agneto::lint {

namespace {

const std::string* text_under(const Node& table, std::string_view key) {
  const Node* value = value_of(table, key);
  return value ? lua::literal_text(*value) : nullptr;
}

}  // namespace

bool is_made_always(const Raised& one) {
  return one.piece->tree && std::ranges::any_of(one.piece->tree->children, [&](const Node& node) {
           return &node == one.call ||
                  (node.kind == Node::Kind::statement && node.children.size() == 1 &&
                   &node.children.front() == one.call);
         });
}

const Node* value_of(const Node& table, std::string_view key) {
  if (table.kind != Node::Kind::table) return nullptr;
  for (const Node& field : table.children) {
    const std::string* name =
        field.children.size() == 2 ? lua::literal_text(field.children[0]) : nullptr;
    if (name && *name == key) return &field.children[1];
  }
  return nullptr;
}

std::vector<std::pair<model::MachineId, const State*>> neighbours(const model::System& system,
                                                                  const Machine& machine) {
  std::vector<std::pair<model::MachineId, const State*>> all;
  for (const Machine& other : system.machines) {
    const auto starts = [&](const State& state) {
      const model::Delegate* to = model::delegate_of(state.activity);
      return to && to->machine == machine.id;
    };
    if (std::ranges::any_of(other.states, starts)) all.emplace_back(other.id, nullptr);
  }
  for (const State& state : machine.states) {
    if (const auto* to = model::delegate_of(state.activity)) all.emplace_back(to->machine, &state);
  }
  return all;
}

std::vector<DelayedSend> delayed_sends(const LintContext& context, const Machine& machine,
                                       const State& state) {
  std::vector<DelayedSend> found;
  for (const CodeId code : state.entry) {
    // They stand in the order of their pieces, of which there may be many.
    const Piece* piece = &context.piece(machine, code);
    const std::vector<Raised>& all = context.raised(machine).all();
    for (auto at = std::ranges::lower_bound(all, piece, {}, &Raised::piece);
         at != all.end() && at->piece == piece; ++at) {
      const Raised& one = *at;
      if (one.function != "send" || !one.name || !one.call || !is_made_always(one)) continue;
      if (one.to) continue;
      if (one.call->children.size() < 4) continue;
      const Node& options = one.call->children[3];
      const std::string* delay = text_under(options, "after");
      const auto after = delay ? parse_duration(*delay) : std::nullopt;
      const Node* id = value_of(options, "id");
      if (!after) continue;
      const std::string* written = id ? lua::literal_text(*id) : nullptr;
      found.push_back({&one, *one.name, *after, id != nullptr, written ? *written : ""});
    }
  }
  return found;
}

bool may_be_cancelled(const LintContext& context, const Machine& machine, const DelayedSend& sent) {
  return sent.has_id && std::ranges::any_of(context.raised(machine).all(), [&](const Raised& one) {
           return one.function == "cancel" &&
                  (!one.name || sent.id.empty() || *one.name == sent.id);
         });
}

}  // namespace agneto::lint
