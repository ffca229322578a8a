#include "lsp/outcomes.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "model/outcomes.h"

namespace agneto::lsp {

namespace {

using yaml::Entry;
using yaml::Node;
using Names = std::vector<std::string>;

Names keys_of(const Node* map) {
  Names names;
  if (!map) return names;
  for (const Entry& entry : map->entries) names.push_back(entry.key.text);
  return names;
}

std::vector<NamedOutcome> engines(std::string_view activity) {
  std::vector<NamedOutcome> result;
  for (const model::Outcome& outcome : model::engine_outcomes(activity)) {
    result.push_back({outcome.name, names_of(outcome.fields), {}});
  }
  return result;
}

// The verdicts of that name, and the file that has them; null where there are none.
std::pair<OutlinePtr, const Node*> set_of_verdicts(const OutlinePtr& outline,
                                                   const std::string& name, Outlines& outlines) {
  for (const OutlinePtr& file : outlines.with_bases(outline)) {
    if (const Mention* set = file->declaration(Role::verdicts, name)) {
      return {file, &set->place.entry->value};
    }
  }
  return {outline, nullptr};
}

// Errors apart; empty where the state has no activity.
std::vector<NamedOutcome> outcomes(const OutlinePtr& outline, const State& state,
                                   Outlines& outlines) {
  const Node& node = state.entry->value;
  std::vector<NamedOutcome> result;
  if (const Node* agent = node.find("agent")) {
    const Node* verdicts = agent->find("verdicts");
    if (!verdicts) return engines("agent");
    OutlinePtr declaring = outline;
    if (verdicts->kind == yaml::Kind::scalar) {
      std::tie(declaring, verdicts) = set_of_verdicts(outline, verdicts->text, outlines);
      if (!verdicts) return result;
    }
    for (const Entry& verdict : verdicts->entries) {
      result.push_back(
          {verdict.key.text, keys_of(&verdict.value), target(declaring, verdict.key.span)});
    }
  } else if (const Node* ask = node.find("ask")) {
    const Node* options = ask->find("options");
    if (!options) return engines("ask");
    for (const Entry& option : options->entries) {
      const bool edits = option.value.find("edit") != nullptr;
      const Node* feedback = option.value.find("feedback");
      const bool has_words = feedback && feedback->text != "none";
      const auto need = has_words ? model::Need::optional : model::Need::none;
      result.push_back({option.key.text, names_of(model::option_fields(need, edits)),
                        target(outline, option.key.span)});
    }
  } else if (node.find("for_each")) {
    return engines("for_each");
  } else if (node.find("run")) {
    return engines("run");
  } else if (const Node* operation = node.find("workspace")) {
    result = engines("workspace");
    if (!operation->find("merge")) result.pop_back();
  } else if (const fs::path file = delegate_of(*outline, state, false); !file.empty()) {
    const OutlinePtr machine = outlines.of(file);
    if (!machine) return result;
    for (const Final& final : finals(*machine)) {
      std::vector<std::string> fields = keys_of(machine->root.find("outputs"));
      for (std::string& own : keys_of(final.state->entry->value.find("outputs"))) {
        if (std::ranges::count(fields, own) == 0) fields.push_back(std::move(own));
      }
      result.push_back({final.outcome, std::move(fields), target(machine, final.state->span)});
    }
  }
  return result;
}

}  // namespace

fs::path delegate_of(const Outline& outline, const State& state, bool each) {
  const Node& node = state.entry->value;
  const Node* file = node.find("machine");
  if (const Node* loop = node.find("for_each"); loop && each) file = loop->find("machine");
  return file && !file->text.empty() ? outline.resolve(file->text) : fs::path();
}

std::vector<Final> finals(const Outline& outline) {
  std::vector<Final> result;
  for (const auto& state : outline.states()) {
    if (state->parent || state->kind() != "final") continue;
    const Node* outcome = state->entry->value.find("outcome");
    result.push_back({state.get(), outcome ? outcome->text : state->name});
  }
  return result;
}

std::vector<NamedOutcome> outcomes_within(const OutlinePtr& outline, const State* state,
                                          Outlines& outlines) {
  std::vector<NamedOutcome> result;
  for (const auto& one : outline->states()) {
    const State* around = one.get();
    while (around && around != state) around = around->parent;
    if (around != state) continue;
    for (NamedOutcome& outcome : outcomes(outline, *one, outlines)) {
      outcome.state = one.get();
      result.push_back(std::move(outcome));
    }
  }
  return result;
}

std::vector<NamedOutcome> outcomes_around(const std::vector<OutlinePtr>& files,
                                          const NodeContext& place, Outlines& outlines) {
  std::vector<NamedOutcome> result;
  const State* around = files.front()->state(place.state);
  for (const OutlinePtr& file : files) {
    const State* state = around ? file->state(around->name) : nullptr;
    if (around && !state) continue;
    std::ranges::move(outcomes_within(file, state, outlines), std::back_inserter(result));
  }
  return result;
}

}  // namespace agneto::lsp
