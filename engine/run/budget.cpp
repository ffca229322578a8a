#include "run/budget.h"

#include <fmt/format.h>

#include <set>

#include "base/error.h"
#include "base/text.h"
#include "run/call_settings.h"
#include "script/driver.h"

namespace agneto::run {
namespace {

// The calls of the machine, and of those that it delegates to.
std::vector<CallPlace> calls_within(const model::System& system, model::MachineId root) {
  std::set<model::MachineId> seen = {root};
  std::vector<model::MachineId> left = {root};
  while (!left.empty()) {
    const model::Machine& machine = system.machine(left.back());
    left.pop_back();
    for (const auto& state : machine.states) {
      const auto* delegate = model::delegate_of(state.activity);
      if (delegate && seen.insert(delegate->machine).second) left.push_back(delegate->machine);
    }
  }
  std::vector<CallPlace> calls;
  for (const CallPlace& call : calls_of(system)) {
    if (seen.contains(call.machine.id)) calls.push_back(call);
  }
  return calls;
}

class Budget {
 public:
  Budget(const Config& config, const Files& files,
         const std::vector<std::filesystem::path>& folders)
      : config_(config), files_(files), folders_(folders) {}

  // `where`: whose limits these are, as a message ends; empty: the run's.
  void require_keepable(const model::Limits& limits, const std::vector<CallPlace>& calls,
                        const std::string& where) const {
    for (const CallPlace& call : calls) {
      const std::string& agent = call.agent().name;
      const AgentSettings settings = config_.of(call.machine, call.state.id);
      const std::string usage = script::Driver(settings.provider, files_, folders_).usage();
      const auto price = config_.price_of(settings.provider, settings.model);
      const bool is_free = price && price->is_nothing();
      const bool priced = usage == "cost" || is_free || (price && !usage.empty());
      if (limits.cost > 0 && !priced) {
        throw Error(fmt::format("the limit of ${:.2f}{} cannot be kept: the provider '{}' of agent "
                                "'{}' does not say what a call costs",
                                limits.cost, where, settings.provider, agent),
                    usage.empty()
                        ? "limit calls or time instead"
                        : "say what its tokens cost with 'prices' in .agneto/config.yaml, "
                          "or limit tokens, calls or time instead");
      }
      if (limits.tokens > 0 && usage.empty()) {
        throw Error(fmt::format("the limit of {} tokens{} cannot be kept: the provider '{}' of "
                                "agent '{}' does not say how many a call uses",
                                limits.tokens, where, settings.provider, agent),
                    "limit calls or time instead");
      }
    }
  }

 private:
  const Config& config_;
  const Files& files_;
  const std::vector<std::filesystem::path>& folders_;
};

}  // namespace

void require_keepable_limits(const model::System& system, const Config& config, const Files& files,
                             const std::vector<std::filesystem::path>& folders) {
  const Budget budget(config, files, folders);
  for (const auto& machine : system.machines) {
    const bool main = &machine == &system.main();
    const model::Limits limits = main ? config.limits.before(machine.limits) : machine.limits;
    if (limits.cost == 0 && limits.tokens == 0) continue;
    budget.require_keepable(limits, calls_within(system, machine.id),
                            main ? "" : " of machine '" + machine.name + "'");
  }
}

}  // namespace agneto::run
