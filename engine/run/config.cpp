#include "run/config.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.h"
#include "base/text.h"
#include "yaml/reader.h"
#include "yaml/scalar.h"
#include "yaml/tree.h"

namespace agneto::run {
namespace {

using yaml::Node;
using yaml::Reader;

void read_texts(Reader& reader, const Node& node, const std::string& what,
                std::vector<std::string>& out) {
  reader.list(node, what, [&](const Node& item) { reader.text(item, what, out.emplace_back()); });
}

void read_number(Reader& reader, const Node& node, const std::string& what, double& out,
                 bool may_be_zero = false) {
  if (!reader.expect(node, yaml::Kind::scalar, what, "a number")) return;
  const auto number = parse_number<double>(node.text);
  if (!number || !std::isfinite(*number) || *number < 0 || (*number == 0 && !may_be_zero)) {
    reader.wrong(node, what, may_be_zero ? "0 or a number above 0" : "a number above 0");
  } else {
    out = *number;
  }
}

std::vector<Reader::Key> settings_keys(Reader& reader, AgentSettings& settings) {
  return {{"provider", [&](const Node& n) { reader.text(n, "provider", settings.provider); }},
          {"model", [&](const Node& n) { reader.text(n, "model", settings.model); }},
          {"instructions",
           [&](const Node& n) { reader.text(n, "instructions", settings.instructions); }}};
}

void read_workspace(Reader& reader, const Node& node, Config& config) {
  reader.map(node, "workspace",
             {{"setup", [&](const Node& n) { reader.text(n, "setup", config.setup); }},
              {"copy", [&](const Node& n) { read_texts(reader, n, "copy", config.copy); }},
              {"verify", [&](const Node& n) { reader.text(n, "verify", config.verify); }}});
}

void read_limits(Reader& reader, const Node& node, model::Limits& limits) {
  double calls = 0, tokens = 0;
  reader.map(node, "limits",
             {{"calls", [&](const Node& n) { read_number(reader, n, "calls", calls); }},
              {"cost", [&](const Node& n) { read_number(reader, n, "cost", limits.cost); }},
              {"tokens", [&](const Node& n) { read_number(reader, n, "tokens", tokens); }},
              {"time", [&](const Node& n) { reader.duration(n, "time", limits.time); }}});
  if (calls > 0) limits.calls = static_cast<int>(calls);
  if (tokens > 0) limits.tokens = static_cast<std::int64_t>(tokens);
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
}

// Nothing but comments.
bool says_nothing(std::string_view text) {
  const auto lines = split_lines(text);
  return std::all_of(lines.begin(), lines.end(), [](std::string_view line) {
    return trim(line).empty() || trim(line).starts_with('#');
  });
}

}  // namespace

AgentSettings Config::of(const std::string& agent) const {
  AgentSettings settings = all;
  auto own = agents.find(agent);
  if (own == agents.end()) return settings;
  if (!own->second.provider.empty()) {
    // A model belongs to its provider, so the default model is not for another provider.
    if (own->second.provider != settings.provider) settings.model.clear();
    settings.provider = own->second.provider;
  }
  if (!own->second.model.empty()) settings.model = own->second.model;
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

Config load_config(const fs::path& file, const Files& files, Diagnostics& diagnostics,
                   std::vector<SourcePtr>& sources) {
  Config config;
  auto text = files.read(file);
  if (!text || says_nothing(*text)) return config;
  auto source = std::make_shared<Source>(file.string(), std::move(*text));
  sources.push_back(source);
  auto root = yaml::parse(source, diagnostics);
  if (!root) return config;

  Reader reader(diagnostics, yaml::Findings::of_rules);
  auto keys = settings_keys(reader, config.all);
  keys.push_back({"agents", [&](const Node& node) {
                    reader.each(node, "agents", [&](const Node& name, const Node& agent) {
                      reader.map(agent, "agents." + name.text,
                                 settings_keys(reader, config.agents[name.text]));
                    });
                  }});
  keys.push_back({"providers", [&](const Node& node) {
                    reader.each(node, "providers", [&](const Node& name, const Node& options) {
                      config.providers[name.text] = yaml::to_json(options, diagnostics);
                    });
                  }});
  keys.push_back({"prices", [&](const Node& node) {
                    reader.each(node, "prices", [&](const Node& name, const Node& price) {
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

}  // namespace agneto::run
