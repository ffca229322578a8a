#include "model/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace agneto::model {

std::string_view to_text(Access access) {
  constexpr std::string_view names[] = {"read-only", "edit", "full"};
  return names[static_cast<std::size_t>(access)];
}

std::string_view to_text(FinalStatus status) {
  constexpr std::string_view names[] = {"complete", "failed", "aborted"};
  return names[static_cast<std::size_t>(status)];
}

std::string to_text(const Limits& limits) {
  std::vector<std::string> all;
  const auto add_count = [&](std::int64_t count, const char* what) {
    if (count > 0) all.push_back(fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"));
  };
  add_count(limits.calls, "call");
  if (limits.cost > 0) all.push_back(fmt::format("${:.2f}", limits.cost));
  add_count(limits.tokens, "token");
  if (limits.time.count() > 0) all.push_back(format_duration(limits.time));
  return join(all, ", ");
}

const Delegate* delegate_of(const Activity& activity) {
  if (const auto* delegate = std::get_if<Delegate>(&activity)) return delegate;
  const auto* loop = std::get_if<ForEach>(&activity);
  return loop ? &loop->each : nullptr;
}

Json Machine::check_inputs(const Json& given, std::vector<std::string>& errors) const {
  Json result = Json::object();
  const std::vector<std::string> names = names_of(inputs);
  for (const Variable& input : inputs) {
    const auto it = given.find(input.name);
    if (it != given.end()) {
      Json value = *it;
      settle(input.type, value);
      if (auto why = mismatch(input.type, value)) {
        errors.push_back("input '" + input.name + "': " + *why);
      } else if (input.minimum && value.is_number() && value.get<double>() < *input.minimum) {
        errors.push_back(fmt::format("input '{}' must be at least {}, not {}", input.name,
                                     *input.minimum, agneto::to_text(value)));
      } else if (input.maximum && value.is_number() && value.get<double>() > *input.maximum) {
        errors.push_back(fmt::format("input '{}' must be at most {}, not {}", input.name,
                                     *input.maximum, agneto::to_text(value)));
      }
      result[input.name] = std::move(value);
    } else if (input.required()) {
      std::string message =
          "input '" + input.name + "' is missing; its type is " + model::to_text(input.type);
      if (!input.description.empty()) message += ": " + input.description;
      errors.push_back(std::move(message));
    } else {
      result[input.name] = input.initial.value_or(Json());
    }
  }
  for (const auto& [name, value] : given.items()) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::string message = "unknown input '" + name + "'";
    if (std::string help = suggestion(name, names, "inputs"); !help.empty()) message += "; " + help;
    errors.push_back(std::move(message));
  }
  return result;
}

const Variable* Machine::main_input() const {
  const Variable* only = nullptr;
  int candidates = 0;
  for (const Variable& input : inputs) {
    if (input.main) return &input;
    if (input.required() && input.type.kind == Type::Kind::string) {
      only = &input;
      ++candidates;
    }
  }
  return candidates == 1 ? only : nullptr;
}

// Agents that may edit, git operations, and items with worktrees of their own.
const State* System::needs_worktree() const {
  const auto needs_one = [](const State& state) {
    if (const auto* call = std::get_if<AgentCall>(&state.activity)) {
      return call->access != Access::read_only;
    }
    if (const auto* loop = std::get_if<ForEach>(&state.activity)) return loop->own_workspace;
    return std::holds_alternative<WorkspaceOperation>(state.activity);
  };
  for (const Machine& machine : machines) {
    const auto found = std::find_if(machine.states.begin(), machine.states.end(), needs_one);
    if (found != machine.states.end()) return &*found;
  }
  return nullptr;
}

bool leads_out(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder.lexically_normal();
  return path.is_absolute() || (!path.empty() && *path.begin() == "..");
}

bool matches(std::string_view descriptor, std::string_view event) {
  if (descriptor == "any") return true;
  if (!event.starts_with(descriptor)) return false;
  return event.size() == descriptor.size() || event[descriptor.size()] == '.';
}

bool is_of_invariant(std::string_view what) {
  constexpr std::string_view all[] = {"never", "always_eventually", "after", "eventually"};
  return std::find(std::begin(all), std::end(all), what) != std::end(all);
}

bool is_engines(std::string_view event) {
  constexpr std::string_view own[] = {"abort", "error", "limit", "done.state"};
  return std::any_of(std::begin(own), std::end(own),
                     [&](std::string_view each) { return matches(each, event); });
}

bool takes(const State& state, std::string_view descriptor, std::string_view event) {
  const bool outcome_only = descriptor == "done" && state.has_activity();
  return matches(descriptor, event) && !(outcome_only && matches("done.state", event)) &&
         !(descriptor == "error" && event == undelivered);
}

}  // namespace agneto::model
