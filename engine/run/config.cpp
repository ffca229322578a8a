#include "run/config.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "base/text.h"
#include "syntax/scalar.h"
#include "syntax/tree.h"

namespace agneto::run {
namespace {

using syntax::Kind;
using syntax::Node;

// Reads one map by a table of its keys; everything unknown or of the wrong kind is reported.
class Reader {
 public:
  explicit Reader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  using Key = std::pair<std::string, std::function<void(const Node&)>>;

  void map(const Node& node, const std::string& what, const std::vector<Key>& keys) {
    if (!expect(node, Kind::map, what, "a map")) return;
    std::vector<std::string> names;
    for (const auto& key : keys) names.push_back(key.first);
    for (const auto& entry : node.entries) {
      auto key = std::find_if(keys.begin(), keys.end(),
                              [&](const Key& k) { return k.first == entry.key.text; });
      if (key == keys.end()) {
        diagnostics_
            .error("unknown-key", entry.key.span, "unknown key '" + entry.key.text + "' in " + what)
            .help = suggestion(entry.key.text, names, "keys");
      } else {
        key->second(entry.value);
      }
    }
  }

  void each(const Node& node, const std::string& what,
            const std::function<void(const std::string&, const Node&)>& visit) {
    if (!expect(node, Kind::map, what, "a map")) return;
    for (const auto& entry : node.entries) visit(entry.key.text, entry.value);
  }

  void text(const Node& node, const std::string& what, std::string& out) {
    if (expect(node, Kind::scalar, what, "text")) out = node.text;
  }

  void texts(const Node& node, const std::string& what, std::vector<std::string>& out) {
    if (!expect(node, Kind::sequence, what, "a list")) return;
    for (const auto& item : node.items) text(item, what, out.emplace_back());
  }

  void number(const Node& node, const std::string& what, double& out) {
    if (!expect(node, Kind::scalar, what, "a number")) return;
    try {
      std::size_t used = 0;
      out = std::stod(node.text, &used);
      if (used == node.text.size() && out > 0) return;
    } catch (const std::exception&) {
    }
    wrong(node, what, "a number above 0");
  }

  void duration(const Node& node, const std::string& what, Millis& out) {
    if (!expect(node, Kind::scalar, what, "a duration")) return;
    if (auto parsed = parse_duration(node.text)) {
      out = *parsed;
    } else {
      wrong(node, what, "a duration such as 90s, 20m or 4h");
    }
  }

  void wrong(const Node& node, const std::string& what, const std::string& expected) {
    diagnostics_.error("wrong-type", node.span, "'" + what + "' must be " + expected);
  }

 private:
  bool expect(const Node& node, Kind kind, const std::string& what, const std::string& expected) {
    if (node.kind == kind) return true;
    wrong(node, what, expected);
    return false;
  }

  Diagnostics& diagnostics_;
};

std::vector<Reader::Key> settings_keys(Reader& reader, AgentSettings& settings) {
  return {{"provider", [&](const Node& n) { reader.text(n, "provider", settings.provider); }},
          {"model", [&](const Node& n) { reader.text(n, "model", settings.model); }},
          {"instructions",
           [&](const Node& n) { reader.text(n, "instructions", settings.instructions); }}};
}

void read_workspace(Reader& reader, const Node& node, Config& config) {
  reader.map(node, "workspace",
             {{"setup", [&](const Node& n) { reader.text(n, "setup", config.setup); }},
              {"copy", [&](const Node& n) { reader.texts(n, "copy", config.copy); }},
              {"verify", [&](const Node& n) { reader.text(n, "verify", config.verify); }}});
}

void read_limits(Reader& reader, const Node& node, model::Limits& limits) {
  double calls = 0, tokens = 0;
  reader.map(node, "limits",
             {{"calls", [&](const Node& n) { reader.number(n, "calls", calls); }},
              {"cost", [&](const Node& n) { reader.number(n, "cost", limits.cost); }},
              {"tokens", [&](const Node& n) { reader.number(n, "tokens", tokens); }},
              {"time", [&](const Node& n) { reader.duration(n, "time", limits.time); }}});
  if (calls > 0) limits.calls = static_cast<int>(calls);
  if (tokens > 0) limits.tokens = static_cast<std::int64_t>(tokens);
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
    // A model belongs to its provider: everybody's model is not for somebody else's provider.
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

Config load_config(const fs::path& file, const Files& files, Diagnostics& diagnostics,
                   std::vector<SourcePtr>& sources) {
  Config config;
  auto text = files.read(file);
  if (!text || says_nothing(*text)) return config;
  auto source = std::make_shared<Source>(file.string(), std::move(*text));
  sources.push_back(source);
  auto root = syntax::parse(source, diagnostics);
  if (!root) return config;

  Reader reader(diagnostics);
  auto keys = settings_keys(reader, config.all);
  keys.push_back({"agents", [&](const Node& node) {
                    reader.each(node, "agents", [&](const std::string& name, const Node& agent) {
                      reader.map(agent, "agents." + name,
                                 settings_keys(reader, config.agents[name]));
                    });
                  }});
  keys.push_back({"providers", [&](const Node& node) {
                    reader.each(node, "providers",
                                [&](const std::string& name, const Node& options) {
                                  config.providers[name] = syntax::to_json(options, diagnostics);
                                });
                  }});
  keys.push_back({"workspace", [&](const Node& node) { read_workspace(reader, node, config); }});
  // Lint reads its own.
  keys.push_back({"lint", [](const Node&) {}});
  keys.push_back({"limits", [&](const Node& node) { read_limits(reader, node, config.limits); }});
  reader.map(*root, file.filename().string(), keys);
  return config;
}

Json load_cassette(const fs::path& file, const Files& files) {
  auto text = files.read(file);
  if (!text) {
    throw Error("cannot read the cassette " + file.string(), "check the path given to --cassette");
  }
  auto source = std::make_shared<Source>(file.string(), std::move(*text));
  Diagnostics diagnostics;
  auto root = syntax::parse(source, diagnostics);
  Json cassette = root ? syntax::to_json(*root, diagnostics) : Json();
  if (diagnostics.has_errors()) {
    throw Error("the cassette cannot be read:\n" + render(diagnostics));
  }
  if (!cassette.is_object() || !cassette.contains("agneto-cassette")) {
    throw Error(file.string() + " is not a cassette",
                "a cassette is YAML that starts with 'agneto-cassette: 1'; see docs/providers.md");
  }
  return cassette;
}

}  // namespace agneto::run
