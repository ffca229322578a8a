#include "record/cassette_file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "model/rules.h"
#include "yaml/reader.h"
#include "yaml/scalar.h"

namespace agneto::record {
namespace {

using yaml::Kind;
using yaml::Node;
using yaml::Reader;

// The driver reads all of it for each call.
constexpr std::size_t largest = 32 << 20;

class CassetteReader {
 public:
  explicit CassetteReader(Diagnostics& diagnostics)
      : diagnostics_(diagnostics), read_(diagnostics, yaml::Findings::of_rules) {}

  void read(const Node& root) {
    read_.map(root, "the cassette",
              {{"agneto-cassette", [&](const Node& n) { version(n); }},
               {"interactive", [&](const Node& n) { flag(n, "interactive"); }},
               list_key("answers", [this](const Node& each) { answer(each); }),
               list_key("calls", [this](const Node& each) { call(each); })});
  }

 private:
  void version(const Node& node) {
    if (node.kind == Kind::scalar && node.text == "1") return;
    diagnostics_
        .report(rules::version, node.span, "this version of agneto plays cassettes of version 1")
        .help = "write 'agneto-cassette: 1', or play it with the version that recorded it";
  }

  void answer(const Node& node) {
    read_.map(node, "an answer",
              {text_key("state"), text_key("option"), text_key("feedback"), text_key("edited")});
  }

  void call(const Node& node) {
    auto keys = attempt_keys();
    keys.push_back(text_key("agent"));
    keys.push_back(text_key("state"));
    keys.push_back({"again", [this](const Node& n) { flag(n, "again"); }});
    keys.push_back(list_key(
        "attempts", [this](const Node& each) { read_.map(each, "an attempt", attempt_keys()); }));
    read_.map(node, "a call", keys);
    if (node.kind == Kind::map && !node.find("agent")) {
      diagnostics_
          .report(rules::missing_key, node.span, "this call does not say which agent answers")
          .help = "write 'agent: NAME'";
    }
  }

  std::vector<Reader::Key> attempt_keys() {
    return {text_key("prompt"),
            text_key("reply"),
            text_key("error"),
            text_key("patch"),
            {"event", [this](const Node& n) { event(n); }},
            {"edits", [this](const Node& n) { edits(n); }},
            duration_key("delay"),
            duration_key("took"),
            list_key("output", [this](const Node& said) {
              read_.map(said, "what is said",
                        {duration_key("at"),
                         text_key("text"),
                         text_key("tool"),
                         text_key("tool_denied"),
                         text_key("tool_failed"),
                         {"tool_end", [this](const Node& n) { flag(n, "tool_end"); }}});
            })};
  }

  void event(const Node& node) {
    if (node.kind == Kind::scalar && node.text.starts_with("error.")) return;
    read_.wrong(node, "event", "an error such as error.timeout");
  }

  void edits(const Node& node) {
    read_.each(node, "edits", [&](const Node& path, const Node& text) {
      if (text.kind != Kind::null) string(text, "edits." + path.text);
    });
  }

  Reader::Key text_key(const char* name) {
    return {name, [this, name](const Node& node) { string(node, name); }};
  }
  void string(const Node& node, const std::string& what) {
    if (!yaml::to_json(node, diagnostics_).is_string()) read_.wrong(node, what, "text, in quotes");
  }
  // One that is empty may be left so.
  Reader::Key list_key(const char* name, std::function<void(const Node&)> visit) {
    return {name, [this, name, visit = std::move(visit)](const Node& node) {
              if (node.kind != Kind::null) read_.list(node, name, visit);
            }};
  }
  Reader::Key duration_key(const char* name) {
    return {name, [this, name](const Node& node) {
              Millis duration;
              read_.duration(node, name, duration);
            }};
  }
  void flag(const Node& node, const char* name) {
    bool set = false;
    read_.flag(node, name, set);
  }

  Diagnostics& diagnostics_;
  Reader read_;
};

}  // namespace

Json load_cassette(const fs::path& file, const Files& files) {
  auto text = files.read(file);
  if (!text) {
    throw Error("cannot read the cassette " + file.string(), "check the path given to --cassette");
  }
  if (text->size() > largest) {
    throw Error(fmt::format("the cassette {} has {} MB; at most {} are played", file.string(),
                            text->size() >> 20, largest >> 20),
                "leave out of it what the agents said meanwhile ('output')");
  }
  auto source = std::make_shared<Source>(file.string(), std::move(*text));
  Diagnostics diagnostics;
  auto root = yaml::parse(source, diagnostics);
  Json cassette = root ? yaml::to_json(*root, diagnostics) : Json();
  if (!diagnostics.has_errors()) {
    if (!cassette.is_object() || !cassette.contains("agneto-cassette")) {
      throw Error(
          file.string() + " is not a cassette",
          "a cassette is YAML that starts with 'agneto-cassette: 1'; see docs/providers.md");
    }
    CassetteReader(diagnostics).read(*root);
  }
  if (diagnostics.has_errors()) throw InvalidFile(render(diagnostics));
  return cassette;
}

}  // namespace agneto::record
