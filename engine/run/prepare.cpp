#include "run/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agents/caller.h"
#include "base/error.h"
#include "base/text.h"
#include "run/call_settings.h"
#include "script/evaluator.h"

namespace agneto::run {
namespace {

void refuse(const Diagnostics& diagnostics) {
  if (diagnostics.has_errors()) throw InvalidFile(render(diagnostics));
}

bool has_input(const model::Machine& machine, const std::string& name) {
  return std::any_of(machine.inputs.begin(), machine.inputs.end(),
                     [&](const model::Variable& input) { return input.name == name; });
}

std::set<std::string> agents_of(const model::System& system) {
  std::set<std::string> names;
  for (const CallPlace& call : calls_of(system)) names.insert(call.agent().name);
  return names;
}

// The provider that the call had before; null where that is not known.
const std::string* provider_before(const std::map<std::string, std::string>& providers,
                                   const CallPlace& call) {
  for (const std::string& name : {call.name(), call.agent().name}) {
    const auto known = providers.find(name);
    if (known != providers.end()) return &known->second;
  }
  return nullptr;
}

bool reads_auto_merge(const model::System& system) {
  return std::any_of(system.machines.begin(), system.machines.end(), [](const auto& machine) {
    return std::any_of(machine.code.begin(), machine.code.end(), [](const model::Code& code) {
      return code.text.find("auto_merge") != std::string::npos;
    });
  });
}

void require_agents_for_options(const model::System& system, const Request& request) {
  const std::pair<const char*, bool> options[] = {
      {"--agent", !request.provider.empty()},      {"--model", !request.model.empty()},
      {"--max-calls", request.limits.calls > 0},   {"--max-cost", request.limits.cost > 0},
      {"--max-tokens", request.limits.tokens > 0},
  };
  if (!agents_of(system).empty()) return;
  for (const auto& [name, is_given] : options) {
    if (!is_given) continue;
    throw Error(fmt::format("{} means nothing here: workflow '{}' calls no agent", name,
                            system.main().name),
                "leave it out");
  }
}

}  // namespace

model::Loaded load_workflow(const fs::path& file, const Files& files, const fs::path& library) {
  Diagnostics diagnostics;
  model::Loaded loaded = model::load(file, files, diagnostics, library);
  refuse(diagnostics);
  return loaded;
}

model::Loaded load_recorded(const journal::RunRecord& run, const Files& files) {
  return load_workflow(run.file, files, record::options_of(run).library);
}

std::unique_ptr<chart::Evaluator> check_scripts(const model::System& system, const Files& files,
                                                const script::ModulePaths& modules) {
  Diagnostics diagnostics;
  auto evaluator = script::make_evaluator(system, diagnostics);
  script::Hooks hooks(files, modules);
  for (const auto& machine : system.machines) {
    for (const auto& state : machine.states) {
      if (const auto* call = std::get_if<model::AgentCall>(&state.activity)) {
        const auto& agent = machine.agents[call->agent];
        hooks.check(agent, call->task, agent.hooks_span, diagnostics);
      }
    }
  }
  refuse(diagnostics);
  return evaluator;
}

Config read_config(const fs::path& checkout, const Files& files,
                   const std::vector<fs::path>& folders) {
  Diagnostics diagnostics;
  Config config = load_config(config_file(checkout), files, diagnostics);
  check_providers(config, files, folders, diagnostics);
  refuse(diagnostics);
  return config;
}

std::vector<std::string> unknown_agents(const Config& config, const model::System& system,
                                        const std::vector<fs::path>& workflows, const Files& files,
                                        const fs::path& library) {
  Diagnostics diagnostics;
  KnownNames known;
  known.add(system);
  known.agents = agents_of(system);
  check_names(config, std::move(known), workflows, files, library, diagnostics);
  std::vector<std::string> remarks;
  for (const Diagnostic& found : diagnostics.sorted()) {
    const Position at = found.span.position();
    remarks.push_back(fmt::format(".agneto/config.yaml:{}:{}: {} [{}]; {}", at.line, at.column,
                                  found.message, found.rule->id(), found.help));
  }
  return remarks;
}

Json read_inputs(const model::Machine& machine, const std::map<std::string, std::string>& texts,
                 Json given) {
  std::vector<std::string> errors;
  for (const auto& [name, text] : texts) {
    auto input = std::find_if(machine.inputs.begin(), machine.inputs.end(),
                              [&name = name](const model::Variable& v) { return v.name == name; });
    if (input == machine.inputs.end()) {
      given[name] = text;  // check_inputs says what is wrong
    } else if (auto value = model::from_argument(input->type, text)) {
      given[name] = *value;
    } else {
      errors.push_back("input '" + name + "' must be " + model::to_text(input->type) + ", not '" +
                       text + "'");
    }
  }
  Json inputs = machine.check_inputs(given, errors);
  if (!errors.empty()) {
    std::vector<std::string> takes;
    for (const auto& input : machine.inputs) {
      takes.push_back(input.name + " (" + model::to_text(input.type) +
                      (input.required() ? ", required)" : ")"));
    }
    throw Error(join(errors, "\n"), "workflow '" + machine.name + "' takes " +
                                        (takes.empty() ? "no input" : join(takes, ", ")));
  }
  return inputs;
}

Json read_inputs(const model::Machine& machine, const Request& request, const Config& config) {
  Json given = Json::object();
  const model::Variable* main = machine.main_input();
  if (!request.task && main && main->required() && !request.inputs.contains(main->name)) {
    throw Error("there is no task",
                "say what is to be done: agneto run \"fix the login redirect\", "
                "or --file FILE");
  }
  if (request.task) {
    if (!main) {
      throw Error("workflow '" + machine.name + "' takes no task", "give inputs with --input k=v");
    }
    if (trim(*request.task).empty()) {
      throw Error("the task is empty",
                  "say what is to be done: agneto run \"fix the login redirect\"");
    }
    if (request.inputs.contains(main->name)) {
      throw Error("the task was given twice: in your words and with --input " + main->name,
                  "give it once");
    }
    given[main->name] = *request.task;
  }
  if (!config.verify.empty() && has_input(machine, "verify") &&
      !request.inputs.contains("verify")) {
    given["verify"] = config.verify;
  }
  return read_inputs(machine, request.inputs, std::move(given));
}

std::optional<fs::path> repository_for(const model::System& system, const Request& request) {
  require_agents_for_options(system, request);
  if (request.auto_merge && !reads_auto_merge(system)) {
    throw Error("--auto-merge means nothing here: workflow '" + system.main().name +
                    "' does not ask for run.auto_merge",
                "leave it out");
  }
  const bool in_place = system.main().in_place;
  if (!in_place && (system.needs_worktree() || workspace::is_repository(request.folder))) {
    return workspace::find_repository(request.folder);
  }
  const std::string why = in_place ? "workflow '" + system.main().name + "' says `workspace: none`"
                                   : request.folder.string() + " is no git repository";
  if (!request.base.empty()) {
    throw Error("--base means nothing here: " + why, "leave it out");
  }
  if (request.auto_merge) {
    throw Error("--auto-merge means nothing here: " + why, "leave it out");
  }
  return std::nullopt;
}

std::string task_text(const model::Machine& machine, const Json& inputs) {
  const model::Variable* main = machine.main_input();
  if (!main || !inputs.contains(main->name) || !inputs[main->name].is_string()) return {};
  return inputs[main->name];
}

namespace {

std::vector<fs::path> script_folders(const fs::path& folder, const Resources& resources,
                                     const char* kind) {
  return {checkout_of(folder) / ".agneto" / "scripts" / kind, resources.user / "scripts" / kind,
          resources.share / "scripts" / kind};
}

}  // namespace

std::vector<fs::path> provider_folders(const fs::path& folder, const Resources& resources) {
  return script_folders(folder, resources, "providers");
}

std::vector<fs::path> sandbox_folders(const fs::path& folder, const Resources& resources) {
  return script_folders(folder, resources, "sandboxes");
}

Config current_config(const fs::path& folder, const Resources& resources) {
  return read_config(checkout_of(folder), Disk(), provider_folders(folder, resources));
}

void choose_providers(const model::System& system, Config& config,
                      const record::RunOptions& options) {
  if (!options.cassette.is_null()) config.providers["offline"]["cassette"] = options.cassette;
  if (!options.playback.is_null()) config.providers["offline"]["playback"] = options.playback;

  config.settled.clear();
  for (const CallPlace& call : calls_of(system)) {
    AgentSettings settings = config.of(call.machine, call.state.id);
    const auto choose = [&settings](const std::string& provider) {
      settings.change_provider(provider);
      settings.places.erase("provider");
    };
    if (!options.chosen.empty()) choose(options.chosen);
    if (const std::string* before = provider_before(options.providers, call)) {
      const bool is_open = settings.provider.empty() || settings.provider == "auto";
      if (!is_open && *before != settings.provider) choose(*before);
      settings.provider = *before;
    }
    if (!options.model.empty()) settings.model = options.model;
    if (settings.provider.empty()) settings.provider = "auto";
    config.settled[{call.machine.id, call.state.id}] = std::move(settings);
  }
}

void require_settings(const model::System& system, const Config& config, const Files& files,
                      const std::vector<fs::path>& folders) {
  Diagnostics diagnostics;
  check_settings(system, config, files, folders, diagnostics);
  refuse(diagnostics);
}

std::map<std::string, std::string> resolve_providers(const model::System& system, Config& config,
                                                     const record::RunOptions& options,
                                                     const Files& files,
                                                     const std::vector<fs::path>& folders) {
  choose_providers(system, config, options);
  require_settings(system, config, files, folders);
  std::map<std::string, std::string> known;  // "auto" is looked up once
  for (const CallPlace& call : calls_of(system)) {
    AgentSettings& settings = config.settled.at({call.machine.id, call.state.id});
    if (const auto found = known.find(settings.provider); found != known.end()) {
      settings.provider = found->second;
      continue;
    }
    std::string resolved;
    try {
      resolved = agents::resolve_provider(settings.provider, files, folders, config.providers);
    } catch (const Error& error) {
      const Span place = settings.place("provider");
      if (!place || place.source == config.source.get()) throw;
      throw Error(
          fmt::format("{}; the workflow wants it for agent '{}'", error.what(), call.agent().name),
          fmt::format("{}, or for good with 'agents: {{{}: {{provider: PROVIDER}}}}' in "
                      ".agneto/config.yaml",
                      error.help(), call.agent().name),
          error.status());
    }
    known[settings.provider] = resolved;
    settings.provider = resolved;
  }
  require_settings(system, config, files, folders);  // what was open is known now
  return resolved_providers(system, config);
}

std::map<std::string, std::string> resolved_providers(const model::System& system,
                                                      const Config& config) {
  std::map<std::string, std::set<std::string>> of_agents;
  const auto provider_of = [&](const CallPlace& call) {
    return config.of(call.machine, call.state.id).provider;
  };
  const auto calls = calls_of(system);
  for (const CallPlace& call : calls) of_agents[call.agent().name].insert(provider_of(call));
  std::map<std::string, std::string> resolved;
  for (const CallPlace& call : calls) {
    const std::string& agent = call.agent().name;
    const bool is_one = of_agents.at(agent).size() == 1;
    resolved[is_one ? agent : call.name()] = provider_of(call);
  }
  return resolved;
}

std::string describe_providers(const std::map<std::string, std::string>& providers) {
  std::map<std::string, int> counts;
  for (const auto& [agent, provider] : providers) ++counts[provider];
  if (counts.empty()) return "";
  auto most = std::max_element(counts.begin(), counts.end(),
                               [](const auto& a, const auto& b) { return a.second < b.second; });
  std::string text;
  for (const auto& [agent, provider] : providers) {
    if (provider != most->first) text += agent + ": " + provider + ", ";
  }
  return text.empty() ? most->first : text + "others: " + most->first;
}

namespace {

// Is the path the folder, or below it?
bool contains(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

}  // namespace

void furnish(const fs::path& worktree, const fs::path& repository, const Config& config,
             process::Runner& runner, process::Listener& listener, std::stop_token stop) {
  for (const auto& name : config.copy) {
    const fs::path relative = fs::path(name).lexically_normal();
    std::error_code failure;
    const fs::path from = fs::canonical(repository / relative, failure);
    if (!failure && contains(from, fs::weakly_canonical(worktree))) {
      throw Error("workspace.copy: '" + name + "' is a link to a folder around the worktree",
                  "name what is needed of it in .agneto/config.yaml");
    }
    if (!failure) fs::create_directories((worktree / relative).parent_path(), failure);
    if (!failure) {
      using Option = fs::copy_options;
      fs::copy(from, worktree / relative,
               Option::recursive | Option::overwrite_existing | Option::copy_symlinks, failure);
    }
    if (is_disk_full(failure.value())) throw DiskFull("workspace.copy: cannot copy '" + name + "'");
    if (failure) {
      throw Error("workspace.copy: cannot copy '" + name + "': " + failure.message(),
                  "check the name in .agneto/config.yaml");
    }
  }
  if (config.setup.empty()) return;
  process::Spec spec;
  spec.argv = {"/bin/sh", "-c", config.setup};
  spec.cwd = worktree;
  spec.reach = {.tree = worktree, .writes = true};
  process::Exit exit = runner.run(spec, listener, std::move(stop));
  if (!exit.ok() && !has_room(worktree)) {
    throw DiskFull("workspace.setup in .agneto/config.yaml failed (" +
                   process::describe(exit, spec) + ")");
  }
  if (!exit.ok()) {
    const std::string words(trim(exit.output + exit.error));
    throw Error("workspace.setup in .agneto/config.yaml failed (" + process::describe(exit, spec) +
                    "): " + config.setup + (words.empty() ? "" : "\n" + shortened(words, 2000)),
                "it ran in a fresh worktree, which is removed again: only what is committed was "
                "there, and what workspace.copy names");
  }
}

}  // namespace agneto::run
