#include "run/call_settings.h"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <tuple>

#include "base/error.h"
#include "script/driver.h"
#include "script/rules.h"

namespace agneto::run {
namespace {

class Check {
 public:
  Check(const Config& config, const Files& files, const std::vector<fs::path>& folders)
      : config_(config), files_(files), folders_(folders) {}

  void call(const CallPlace& place) {
    const AgentSettings settings = config_.of(place.machine, place.state.id);
    const std::string& agent = place.agent().name;
    if (settings.provider.empty() || settings.provider == "auto") return open(agent, settings);
    if (script::Driver* driver = driver_of(settings)) refusals(agent, settings, *driver);
  }

  // Several calls of one agent have its mistakes, which are worth saying once.
  void tell(Diagnostics& diagnostics) const {
    std::set<std::tuple<const Source*, std::uint32_t, std::string>> seen;
    for (const Diagnostic& one : found_.sorted()) {
      if (seen.emplace(one.span.source, one.span.begin, one.message).second) diagnostics.add(one);
    }
  }

 private:
  // A configuration is of one place, where somebody knows which provider is first on PATH.
  void open(const std::string& agent, const AgentSettings& settings) {
    for (const char* key : {"model", "effort", "tools", "args"}) {
      const Span place = settings.place(key);
      if (!place || place.source == config_.source.get()) continue;
      found_.report(rules::open_provider, place,
                    fmt::format("'{}' is given to whichever provider is there: agent '{}' has none",
                                key, agent),
                    "say which provider it is for: provider: claude");
    }
  }

  // Null where there is none, or none that can be used, which the run says that needs it.
  script::Driver* driver_of(const AgentSettings& settings) {
    const std::string& name = settings.provider;
    const Span place = settings.place("provider");
    if (place) script::check_provider(name, place, files_, folders_, found_);
    const auto [known, is_new] = drivers_.try_emplace(name);
    if (!is_new) return known->second.get();
    try {
      known->second = std::make_unique<script::Driver>(name, files_, folders_);
    } catch (const Error&) {
    }
    return known->second.get();
  }

  void refusals(const std::string& agent, const AgentSettings& settings, script::Driver& driver) {
    const auto refuse = [&](const std::string& key, const std::string& what,
                            const std::optional<std::string>& why) {
      if (!why) return;
      Diagnostic& problem = found_.report(rules::unusable_setting, settings.place(key),
                                          fmt::format("agent '{}' ({}) cannot be given {}: {}",
                                                      agent, settings.provider, what, *why),
                                          "correct it, leave it out, or choose another provider");
      const Span place = settings.place("provider");
      if (place && place.source != problem.span.source) {
        problem.related.push_back({place, "the provider is chosen here"});
      }
    };
    const auto refuse_setting = [&](const std::string& key, const std::string& name,
                                    const Json& arguments) {
      refuse(key, "'" + name + "'", driver.refusal_of_setting(name, arguments));
    };
    for (const auto& tool : settings.tools.value_or(std::vector<std::string>())) {
      refuse("tools", "the tool '" + tool + "'", driver.refusal_of_tool(tool));
    }
    if (!settings.effort.empty()) {
      refuse_setting("effort", "effort", Json::array({settings.effort}));
    }
    if (settings.args && !settings.args->empty()) {
      refuse_setting("args", "args", Json::array({*settings.args}));
    }
    for (const auto& [name, value] : settings.env) {
      refuse_setting("env." + name, "env", Json::array({name, value}));
    }
    for (const auto& [name, server] : settings.mcp) {
      refuse_setting("mcp." + name, "mcp", Json::array({name, model::to_json(server)}));
    }
  }

  const Config& config_;
  const Files& files_;
  const std::vector<fs::path>& folders_;
  std::map<std::string, std::unique_ptr<script::Driver>> drivers_;
  Diagnostics found_;
};

}  // namespace

const model::Agent& CallPlace::agent() const {
  return machine.agents[std::get<model::AgentCall>(state.activity).agent];
}

std::vector<CallPlace> calls_of(const model::System& system) {
  std::vector<CallPlace> calls;
  for (const auto& machine : system.machines) {
    for (const auto& state : machine.states) {
      if (std::holds_alternative<model::AgentCall>(state.activity)) {
        calls.push_back({machine, state});
      }
    }
  }
  return calls;
}

void check_settings(const model::System& system, const Config& config, const Files& files,
                    const std::vector<fs::path>& folders, Diagnostics& diagnostics) {
  Check check(config, files, folders);
  for (const CallPlace& place : calls_of(system)) check.call(place);
  check.tell(diagnostics);
}

}  // namespace agneto::run
