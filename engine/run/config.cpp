#include "run/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <type_traits>

#include "base/error.h"
#include "base/text.h"
#include "journal/postgresql/address.h"
#include "model/bind_settings.h"
#include "model/keys.h"
#include "model/load.h"
#include "model/rules.h"
#include "model/shape.h"
#include "process/git_address.h"
#include "run/labels.h"
#include "run/read_schedules.h"
#include "script/driver.h"
#include "yaml/reader.h"
#include "yaml/rules.h"
#include "yaml/scalar.h"
#include "yaml/tree.h"

namespace agneto::run {
namespace {

using yaml::Node;

// Files to copy are below the checkout's root; in its .agneto are the worktrees of runs themselves,
// and a worktree has a .git of its own.
bool can_be_copied(const fs::path& file) {
  const fs::path path = file.lexically_normal();
  return !path.empty() && !path.is_absolute() && path != "." && *path.begin() != ".." &&
         *path.begin() != ".agneto" && *path.begin() != ".git";
}

void read_copy(yaml::Reader& reader, const Node& node, std::vector<std::string>& out) {
  reader.list(node, "copy", [&](const Node& item) {
    std::string file;
    if (!reader.text(item, "copy", file)) return;
    if (!can_be_copied(file)) {
      reader.wrong(item, "copy",
                   "paths below the root of the checkout, outside of .agneto and .git");
    }
    out.push_back(file);
  });
}

void read_tools(yaml::Reader& reader, const Node& node, std::vector<std::string>& tools) {
  reader.list(node, "tools", [&](const Node& item) {
    std::string name;
    if (!reader.text(item, "tools", name)) return;
    if (!model::can_be_tool(name)) reader.wrong(item, "tools", "names of tools, such as WebSearch");
    tools.push_back(name);
  });
}

template <typename Number>
void read_number(yaml::Reader& reader, const Node& node, const std::string& what, Number& out,
                 bool may_be_zero = false) {
  const auto number =
      node.kind == yaml::Kind::scalar ? parse_number<Number>(node.text) : std::optional<Number>();
  const bool is_above = number && (*number > 0 || (may_be_zero && *number == 0));
  if (is_above && *number <= std::numeric_limits<Number>::max()) {
    out = *number;
  } else {
    constexpr bool whole = std::is_integral_v<Number>;
    reader.wrong(node, what,
                 may_be_zero ? "0 or a number above 0"
                 : whole     ? "a whole number above 0"
                             : "a number above 0");
  }
}

std::vector<yaml::Reader::Key> settings_keys(yaml::Reader& reader, AgentSettings& settings,
                                             std::vector<Config::Name>& named) {
  const auto placed = [&settings](const char* key, const Node& value) {
    settings.places.insert_or_assign(key, value.span);
  };
  std::vector<yaml::Reader::Key> keys = {
      {"provider",
       [&, placed](const Node& n) {
         if (!reader.text(n, "provider", settings.provider)) return;
         placed("provider", n);
         if (settings.provider != "auto") named.push_back({n.text, n.span});
       }},
      {"model",
       [&, placed](const Node& n) {
         reader.text(n, "model", settings.model);
         placed("model", n);
       }},
      {"instructions",
       [&](const Node& n) { reader.text(n, "instructions", settings.instructions); }},
      {"tools", [&, placed](const Node& n) {
         read_tools(reader, n, settings.tools.emplace());
         placed("tools", n);
       }}};
  // As in a workflow.
  for (const char* key : {"effort", "args", "env", "mcp", "retry"}) {
    keys.push_back({key, [&, key](const Node& n) {
                      model::check_value(key, n, model::ConstructId::agent, reader.diagnostics());
                      model::read_setting(settings, key, n, reader.diagnostics());
                    }});
  }
  return keys;
}

// The key `agents`: settings by role.
yaml::Reader::Key agents_key(yaml::Reader& reader, std::map<std::string, AgentSettings>& agents,
                             Config& config, const std::string& around = {}) {
  return {"agents", [&, around](const Node& node) {
            reader.each(node, "agents", [&](const Node& name, const Node& agent) {
              config.named_agents.push_back({name.text, name.span});
              reader.map(agent, around + "agents." + name.text,
                         settings_keys(reader, agents[name.text], config.named_providers));
            });
          }};
}

void read_workflows(yaml::Reader& reader, const Node& node, Config& config) {
  reader.each(node, "workflows", [&](const Node& name, const Node& settings) {
    config.named_workflows.push_back({name.text, name.span});
    const std::string what = "workflows." + name.text;
    Config::OfWorkflow& own = config.workflows[name.text];
    auto keys = settings_keys(reader, own.all, config.named_providers);
    keys.push_back(agents_key(reader, own.agents, config, what + "."));
    reader.map(settings, what, keys);
  });
}

void read_workspace(yaml::Reader& reader, const Node& node, Config& config) {
  reader.map(node, "workspace",
             {{"setup", [&](const Node& n) { reader.text(n, "setup", config.setup); }},
              {"copy", [&](const Node& n) { read_copy(reader, n, config.copy); }},
              {"verify", [&](const Node& n) { reader.text(n, "verify", config.verify); }}});
}

// The line is not shown where it is wrong: it may have a password in it.
void read_journal(yaml::Reader& reader, const Node& node, Config& config,
                  Diagnostics& diagnostics) {
  if (!reader.text(node, "journal", config.journal)) return;
  try {
    journal::Address address(config.journal);
  } catch (const Error& error) {
    diagnostics.report(rules::wrong_type, {},
                       fmt::format("{}: {}", config.source->path(), error.what()), error.help());
  }
}

// Neither is this one.
void read_hub(yaml::Reader& reader, const Node& node, Config& config, Diagnostics& diagnostics) {
  if (!reader.text(node, "hub", config.hub)) return;
  const auto fault = process::fault_of_address(config.hub);
  if (fault == process::AddressFault::none) return;
  const bool tells = fault == process::AddressFault::password;
  diagnostics.report(
      rules::wrong_type, {},
      fmt::format("{}: 'hub' {}", config.source->path(),
                  tells ? "has a password in it" : "is no address of a git repository"),
      tells ? "leave it out: git asks its credential helpers"
            : "write a remote's name, such as origin, a path, or such as "
              "ssh://git@example.com/team/project.git");
}

bool is_path_of_sandbox(const std::string& path) {
  return path.starts_with('/') || path.starts_with("~/");
}

bool is_pattern_of_variables(const std::string& text) {
  const std::size_t star = text.find('*');
  return !text.empty() && (star == text.npos || star + 1 == text.size());
}

// Its driver's name, or all that can be said of it.
void read_sandbox(yaml::Reader& reader, const Node& node, SandboxSettings& sandbox) {
  if (node.kind != yaml::Kind::map) {
    reader.text(node, "sandbox", sandbox.driver);
    return;
  }
  const auto list_of = [&](const char* key, std::vector<std::string>& all, auto is_right,
                           const char* wanted) {
    return yaml::Reader::Key{key, [&reader, &all, key, is_right, wanted](const Node& list) {
                               const std::string what = std::string("sandbox.") + key;
                               reader.list(list, what, [&](const Node& n) {
                                 std::string text;
                                 if (!reader.text(n, what, text)) return;
                                 if (!is_right(text)) reader.wrong(n, what, wanted);
                                 all.push_back(std::move(text));
                               });
                             }};
  };
  constexpr const char* paths = "paths such as ~/.cargo or /srv/cache";
  sandbox.driver = "bubblewrap";
  reader.map(node, "sandbox",
             {{"driver", [&](const Node& n) { reader.text(n, "sandbox.driver", sandbox.driver); }},
              {"network",
               [&](const Node& n) {
                 std::string word;
                 if (!reader.text(n, "sandbox.network", word)) return;
                 if (word != "open" && word != "none") {
                   reader.wrong(n, "sandbox.network", "open or none");
                 }
                 sandbox.network = word != "none";
               }},
              list_of("reads", sandbox.reads, is_path_of_sandbox, paths),
              list_of("writes", sandbox.writes, is_path_of_sandbox, paths),
              list_of("passes", sandbox.passes, is_pattern_of_variables,
                      "names of variables, of which the last letter may be a *")});
}

void read_limits(yaml::Reader& reader, const Node& node, model::Limits& limits) {
  reader.map(node, "limits",
             {{"calls", [&](const Node& n) { read_number(reader, n, "calls", limits.calls); }},
              {"cost", [&](const Node& n) { read_number(reader, n, "cost", limits.cost); }},
              {"tokens", [&](const Node& n) { read_number(reader, n, "tokens", limits.tokens); }},
              {"time", [&](const Node& n) {
                 if (reader.duration(n, "time", limits.time) && limits.time.count() == 0) {
                   reader.wrong(n, "time", "a duration above 0");
                 }
               }}});
}

void read_labels(yaml::Reader& reader, const Node& node, std::vector<std::string>& labels) {
  reader.list(node, "serve.labels", [&](const Node& item) {
    std::string label;
    if (!reader.text(item, "serve.labels", label)) return;
    if (!is_label(label)) reader.wrong(item, "serve.labels", "labels such as gpu or linux-arm64");
    if (label == label_of_sandbox) {
      reader.wrong(item, "serve.labels", "others than that of whoever has a sandbox");
    }
    labels.push_back(label);
  });
}

void read_serve(yaml::Reader& reader, const Node& node, Config& config) {
  const auto by_name = [&](const char* key, std::map<std::string, int>& most,
                           std::vector<Config::Name>& names) {
    return yaml::Reader::Key{key, [&reader, &most, &names, key](const Node& n) {
                               const std::string what = std::string("serve.") + key;
                               reader.each(n, what, [&](const Node& name, const Node& number) {
                                 names.push_back({name.text, name.span});
                                 read_number(reader, number, what + "." + name.text,
                                             most[name.text]);
                               });
                             }};
  };
  Concurrency& most = config.concurrency;
  reader.map(
      node, "serve",
      {{"runs", [&](const Node& n) { read_number(reader, n, "serve.runs", most.runs); }},
       by_name("workflows", most.bounds.workflows, config.named_workflows),
       by_name("providers", most.bounds.providers, config.named_providers),
       {"labels", [&](const Node& n) { read_labels(reader, n, config.labels); }},
       {"url", [&](const Node& n) { read_base_url(reader, n, config.url); }},
       {"keep", [&](const Node& n) { reader.duration(n, "serve.keep", config.keep.emplace()); }}});
}

// What is read from a cache costs as much as other input where nothing else is said.
void read_price(yaml::Reader& reader, const Node& node, const std::string& what,
                agents::Price& price) {
  std::optional<double> cached;
  const auto key = [&](const char* name, auto& out) {
    return yaml::Reader::Key{name, [&reader, &out, name](const Node& n) {
                               double number = 0;
                               read_number(reader, n, name, number, true);
                               out = number;
                             }};
  };
  reader.map(node, what,
             {key("input", price.input), key("cached_input", cached), key("output", price.output)});
  price.cached_input = cached.value_or(price.input);
  for (const char* needed : {"input", "output"}) {
    if (node.kind != yaml::Kind::map || node.find(needed)) continue;
    reader.diagnostics().report(rules::missing_key, node.span,
                                fmt::format("a price needs the key '{}'", needed),
                                "write {input: 1.25, output: 10}: US dollars for a million tokens");
  }
}

// Nothing where the driver takes any, or cannot be used, which the run says that needs it.
std::optional<std::vector<std::string>> options_of_driver(const std::string& provider,
                                                          const Files& files,
                                                          const std::vector<fs::path>& folders) {
  try {
    return script::Driver(provider, files, folders).options();
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Nothing but comments.
bool says_nothing(std::string_view text) {
  const auto lines = split_lines(text);
  return std::all_of(lines.begin(), lines.end(), [](std::string_view line) {
    return trim(line).empty() || trim(line).starts_with('#');
  });
}

}  // namespace

AgentSettings Config::of(const model::Machine& machine, model::StateId state) const {
  const auto known = settled.find({machine.id, state});
  if (known != settled.end()) return known->second;
  const auto& call = std::get<model::AgentCall>(machine.state(state).activity);
  const model::Agent& agent = machine.agents[call.agent];
  const auto lay = [&agent](AgentSettings& over, const auto& by_agent) {
    const auto own = by_agent.find(agent.name);
    if (own != by_agent.end()) over.lay(own->second);
  };
  AgentSettings settings = all;
  settings.lay(agent.settings);
  settings.lay(call.settings);
  lay(settings, agents);
  if (const auto own = workflows.find(machine.name); own != workflows.end()) {
    settings.lay(own->second.all);
    lay(settings, own->second.agents);
  }
  return settings;
}

Json Config::options_of(const std::string& provider) const {
  auto found = providers.find(provider);
  return found == providers.end() ? Json::object() : found->second;
}

std::optional<agents::Price> Config::price_of(const std::string& provider,
                                              const std::string& model) const {
  auto found = prices.find(provider + "/" + model);
  if (found == prices.end()) found = prices.find(provider);
  return found == prices.end() ? std::nullopt : std::optional(found->second);
}

fs::path config_file(const fs::path& checkout) {
  return checkout / ".agneto" / "config.yaml";
}

Config load_config(const fs::path& file, const Files& files, Diagnostics& diagnostics) {
  Config config;
  auto text = files.read(file);
  if (!text && is_there(file)) {
    diagnostics.report(rules::missing_file, {}, "cannot read the file '" + file.string() + "'",
                       "make it a file that can be read, or remove it");
  }
  if (!text) return config;
  config.source = std::make_shared<Source>(file.string(), std::move(*text));
  if (says_nothing(config.source->text())) return config;
  const auto root = yaml::parse(config.source, diagnostics);
  if (!root) return config;

  yaml::Reader reader(diagnostics, yaml::Findings::of_rules);
  auto keys = settings_keys(reader, config.all, config.named_providers);
  keys.push_back(agents_key(reader, config.agents, config));
  keys.push_back({"workflows", [&](const Node& node) { read_workflows(reader, node, config); }});
  keys.push_back(
      {"providers", [&](const Node& node) {
         reader.each(node, "providers", [&](const Node& name, const Node& options) {
           config.named_providers.push_back({name.text, name.span});
           const std::string what = "providers." + name.text;
           if (!reader.expect(options, yaml::Kind::map, what, "a map")) return;
           config.providers[name.text] = yaml::to_json(options, diagnostics);
           for (const yaml::Entry& option : options.entries) {
             config.named_options[name.text].push_back({option.key.text, option.key.span});
           }
         });
       }});
  keys.push_back({"prices", [&](const Node& node) {
                    reader.each(node, "prices", [&](const Node& name, const Node& price) {
                      config.named_prices.push_back({name.text, name.span});
                      read_price(reader, price, "prices." + name.text, config.prices[name.text]);
                    });
                  }});
  keys.push_back({"workspace", [&](const Node& node) { read_workspace(reader, node, config); }});
  keys.push_back(
      {"journal", [&](const Node& node) { read_journal(reader, node, config, diagnostics); }});
  keys.push_back({"hub", [&](const Node& node) { read_hub(reader, node, config, diagnostics); }});
  keys.push_back(
      {"patience", [&](const Node& node) { reader.duration(node, "patience", config.patience); }});
  // Lint reads its own.
  keys.push_back({"lint", [](const Node&) {}});
  keys.push_back({"serve", [&](const Node& node) { read_serve(reader, node, config); }});
  keys.push_back({"notify", [&](const Node& node) {
                    std::vector<NamedWorkflow> named;
                    read_ways(reader, node, config.ways, named);
                    for (const auto& [name, place] : named) {
                      config.named_workflows.push_back({name, place});
                    }
                  }});
  keys.push_back(
      {"schedules", [&](const Node& node) { read_schedules(reader, node, config.schedules); }});
  keys.push_back(
      {"sandbox", [&](const Node& node) { read_sandbox(reader, node, config.sandbox); }});
  keys.push_back({"limits", [&](const Node& node) { read_limits(reader, node, config.limits); }});
  reader.map(*root, file.filename().string(), keys);
  return config;
}

void check_providers(const Config& config, const Files& files, const std::vector<fs::path>& folders,
                     Diagnostics& diagnostics) {
  for (const auto& [name, place] : config.named_providers) {
    script::check_provider(name, place, files, folders, diagnostics);
  }
  for (const auto& [name, place] : config.named_prices) {
    const std::string provider = script::provider_in(name, files, folders);
    script::check_provider(provider, place, files, folders, diagnostics);
  }
  for (const auto& [provider, options] : config.named_options) {
    const auto known = options_of_driver(provider, files, folders);
    if (!known) continue;
    for (const auto& [name, place] : options) {
      if (std::ranges::find(*known, name) != known->end()) continue;
      suggest(diagnostics.report(rules::unknown_key, place,
                                 fmt::format("unknown key '{}' in providers.{}", name, provider)),
              name, *known, "keys");
    }
  }
}

void KnownNames::add(const model::System& system) {
  for (const auto& machine : system.machines) {
    workflows.insert(machine.name);
    for (const auto& agent : machine.agents) agents.insert(agent.name);
  }
}

void check_names(const Config& config, KnownNames known, const std::vector<fs::path>& workflows,
                 const Files& files, const fs::path& library, Diagnostics& diagnostics) {
  const auto all_in = [](const std::vector<Config::Name>& names,
                         const std::set<std::string>& there) {
    return std::ranges::all_of(names,
                               [&](const Config::Name& name) { return there.contains(name.text); });
  };
  if (all_in(config.named_agents, known.agents) &&
      all_in(config.named_workflows, known.workflows)) {
    return;
  }
  for (const fs::path& file : workflows) {
    Diagnostics of_lint;
    known.add(*model::load(file, files, of_lint, library).draft);
  }
  const auto report = [&](const std::vector<Config::Name>& names,
                          const std::set<std::string>& there, const Rule& rule, const char* kinds,
                          const auto& message) {
    for (const auto& [name, place] : names) {
      if (there.contains(name)) continue;
      suggest(diagnostics.report(rule, place, message(name)), name, {there.begin(), there.end()},
              kinds);
    }
  };
  report(config.named_agents, known.agents, rules::unknown_agent, "agents",
         [](const auto& name) { return "no workflow has an agent '" + name + "'"; });
  report(config.named_workflows, known.workflows, rules::unknown_workflow, "workflows",
         [](const auto& name) { return "there is no workflow '" + name + "'"; });
}

}  // namespace agneto::run
