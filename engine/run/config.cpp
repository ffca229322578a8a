#include "run/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <type_traits>

#include "base/error.h"
#include "base/text.h"
#include "model/load.h"
#include "model/rules.h"
#include "script/driver.h"
#include "yaml/reader.h"
#include "yaml/rules.h"
#include "yaml/scalar.h"
#include "yaml/tree.h"

namespace agneto::run {
namespace {

using yaml::Node;
using yaml::Reader;

// Files to copy are below the checkout's root; in its .agneto are the worktrees of runs themselves,
// and a worktree has a .git of its own.
bool can_be_copied(const fs::path& file) {
  const fs::path path = file.lexically_normal();
  return !path.empty() && !path.is_absolute() && path != "." && *path.begin() != ".." &&
         *path.begin() != ".agneto" && *path.begin() != ".git";
}

void read_copy(Reader& reader, const Node& node, std::vector<std::string>& out) {
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

// A name goes to a program as an argument, in a list or in a line of text.
bool can_be_tool(const std::string& name) {
  return !name.empty() && name.front() != '-' &&
         std::ranges::none_of(name, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

void read_tools(Reader& reader, const Node& node, std::vector<std::string>& tools) {
  reader.list(node, "tools", [&](const Node& item) {
    std::string name;
    if (!reader.text(item, "tools", name)) return;
    if (!can_be_tool(name)) reader.wrong(item, "tools", "names of tools, such as WebSearch");
    tools.push_back(name);
  });
}

template <typename Number>
void read_number(Reader& reader, const Node& node, const std::string& what, Number& out,
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

std::vector<Reader::Key> settings_keys(Reader& reader, AgentSettings& settings,
                                       std::vector<Config::Name>& named) {
  return {{"provider",
           [&](const Node& n) {
             if (!reader.text(n, "provider", settings.provider)) return;
             if (settings.provider != "auto") named.push_back({n.text, n.span});
           }},
          {"model", [&](const Node& n) { reader.text(n, "model", settings.model); }},
          {"instructions",
           [&](const Node& n) { reader.text(n, "instructions", settings.instructions); }},
          {"tools", [&](const Node& n) { read_tools(reader, n, settings.tools.emplace()); }}};
}

void read_workspace(Reader& reader, const Node& node, Config& config) {
  reader.map(node, "workspace",
             {{"setup", [&](const Node& n) { reader.text(n, "setup", config.setup); }},
              {"copy", [&](const Node& n) { read_copy(reader, n, config.copy); }},
              {"verify", [&](const Node& n) { reader.text(n, "verify", config.verify); }}});
}

void read_limits(Reader& reader, const Node& node, model::Limits& limits) {
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

// What is read from a cache costs as much as other input where nothing else is said.
void read_price(Reader& reader, const Node& node, const std::string& what, agents::Price& price) {
  std::optional<double> cached;
  const auto key = [&](const char* name, auto& out) {
    return Reader::Key{name, [&reader, &out, name](const Node& n) {
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

void AgentSettings::change_provider(const std::string& name) {
  if (provider != name) {
    model.clear();
    tools.reset();
  }
  provider = name;
}

AgentSettings Config::of(const std::string& agent) const {
  AgentSettings settings = all;
  auto own = agents.find(agent);
  if (own == agents.end()) return settings;
  if (!own->second.provider.empty()) settings.change_provider(own->second.provider);
  if (!own->second.model.empty()) settings.model = own->second.model;
  if (own->second.tools) settings.tools = own->second.tools;
  if (!own->second.instructions.empty()) {
    if (!settings.instructions.empty()) settings.instructions += "\n\n";
    settings.instructions += own->second.instructions;
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
  std::error_code gone;
  if (!text && fs::exists(fs::symlink_status(file, gone))) {
    diagnostics.report(rules::missing_file, {}, "cannot read the file '" + file.string() + "'",
                       "make it a file that can be read, or remove it");
  }
  if (!text) return config;
  config.source = std::make_shared<Source>(file.string(), std::move(*text));
  if (says_nothing(config.source->text())) return config;
  const auto root = yaml::parse(config.source, diagnostics);
  if (!root) return config;

  Reader reader(diagnostics, yaml::Findings::of_rules);
  auto keys = settings_keys(reader, config.all, config.named_providers);
  keys.push_back({"agents", [&](const Node& node) {
                    reader.each(node, "agents", [&](const Node& name, const Node& agent) {
                      config.named_agents.push_back({name.text, name.span});
                      reader.map(
                          agent, "agents." + name.text,
                          settings_keys(reader, config.agents[name.text], config.named_providers));
                    });
                  }});
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
                      const std::string provider = name.text.substr(0, name.text.find('/'));
                      config.named_providers.push_back({provider, name.span});
                      read_price(reader, price, "prices." + name.text, config.prices[name.text]);
                    });
                  }});
  keys.push_back({"workspace", [&](const Node& node) { read_workspace(reader, node, config); }});
  keys.push_back(
      {"patience", [&](const Node& node) { reader.duration(node, "patience", config.patience); }});
  // Lint reads its own.
  keys.push_back({"lint", [](const Node&) {}});
  keys.push_back({"limits", [&](const Node& node) { read_limits(reader, node, config.limits); }});
  reader.map(*root, file.filename().string(), keys);
  return config;
}

void check_providers(const Config& config, const Files& files, const std::vector<fs::path>& folders,
                     Diagnostics& diagnostics) {
  for (const auto& [name, place] : config.named_providers) {
    script::check_provider(name, place, files, folders, diagnostics);
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

void check_agents(const Config& config, std::set<std::string> known,
                  const std::vector<fs::path>& workflows, const Files& files,
                  const fs::path& library, Diagnostics& diagnostics) {
  const auto is_known = [&](const Config::Name& name) { return known.contains(name.text); };
  if (std::ranges::all_of(config.named_agents, is_known)) return;
  for (const fs::path& file : workflows) {
    Diagnostics of_lint;
    const model::Loaded loaded = model::load(file, files, of_lint, library);
    for (const auto& machine : loaded.draft->machines) {
      for (const auto& agent : machine.agents) known.insert(agent.name);
    }
  }
  for (const auto& [name, place] : config.named_agents) {
    if (known.contains(name)) continue;
    suggest(
        diagnostics.report(rules::unknown_agent, place, "no workflow has an agent '" + name + "'"),
        name, {known.begin(), known.end()}, "agents");
  }
}

}  // namespace agneto::run
