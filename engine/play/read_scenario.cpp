#include "play/read_scenario.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "play/extended_suite.h"
#include "yaml/reader.h"
#include "yaml/scalar.h"

namespace agneto::play {

namespace {

using yaml::Kind;
using yaml::Node;
using yaml::Reader;

constexpr int most_times = 1000;
constexpr std::size_t most_steps = 100'000;

const std::vector<std::string> actions = {"reply", "outcome", "answer", "text",
                                          "event", "advance", "use"};

// More than 25 names: each key that has a form of its own has a function.
class Loader {
 public:
  explicit Loader(Diagnostics& diagnostics) : diagnostics_(diagnostics), reader_(diagnostics) {}

  Suite suite(const Node& root, const fs::path& file) {
    Suite suite;
    const Node* cases = nullptr;
    bool version = false;
    reader_.map(
        root, "a test file",
        {{"agneto-test", [&](const Node& n) { version = check_version(n); }},
         {"workflow", [&](const Node& n) { text(n, "workflow", suite.workflow_name); }},
         {"defaults", [&](const Node& n) { reader_.map(n, "defaults", setting(defaults_)); }},
         {"steps", [&](const Node& n) { name_steps(n); }},
         {"cases", [&](const Node& n) { cases = &n; }}});
    if (root.kind != Kind::map) return suite;
    if (!version && !root.find("agneto-test")) {
      reader_.mistake(root.span, "this is no scenario test").help =
          "a test file says 'agneto-test: 1'; see docs/testing.md";
    }
    if (!cases) {
      if (!root.find("cases")) {
        reader_.mistake(root.span, "a test file needs 'cases'").help =
            "list at least one: cases: [{name: …, steps: […], expect: {…}}]";
      }
      return suite;
    }
    reader_.list(*cases, "cases", [&](const Node& n) { suite.cases.push_back(one(n)); });
    if (cases->kind == Kind::sequence && cases->items.empty()) {
      reader_.mistake(cases->span, "'cases' lists none");
    }
    check_names(suite);
    for (const auto& [name, list] : named_) steps(*list, name);  // those that nobody uses, too
    suite.workflow =
        file.parent_path() /
        (suite.workflow_name.text.empty() ? workflow_of(file) : suite.workflow_name.text);
    suite.workflow = suite.workflow.lexically_normal();
    return suite;
  }

 private:
  static std::string workflow_of(const fs::path& file) {
    std::string name = file.filename().string();
    const std::string ending = ".test.yaml";
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
    return name + ".yaml";
  }

  bool check_version(const Node& node) {
    if (node.kind == Kind::scalar && node.text == std::to_string(format_version)) return true;
    reader_.wrong(node, "agneto-test", std::to_string(format_version)).help =
        "this program knows version " + std::to_string(format_version) + " of the format";
    return true;
  }

  void text(const Node& node, const std::string& what, Text& out) {
    if (reader_.text(node, what, out.text)) out.span = node.span;
  }
  void text(const Node& node, const std::string& what, std::optional<std::string>& out) {
    std::string value;
    if (reader_.text(node, what, value)) out = value;
  }
  // One or a list of them.
  void texts(const Node& node, const std::string& what, std::optional<Texts>& out) {
    out.emplace();
    if (node.kind != Kind::sequence) return text(node, what, out->emplace_back());
    for (const Node& item : node.items) text(item, what, out->emplace_back());
  }
  Value value(const Node& node) { return {yaml::to_json(node, diagnostics_), node.span}; }
  void values(const Node& node, const std::string& what, std::vector<std::pair<Text, Value>>& out) {
    reader_.each(node, what, [&](const Node& key, const Node& item) {
      out.emplace_back(Text{key.text, key.span}, value(item));
    });
  }

  std::vector<Reader::Key> setting(Case& row) {
    return {{"inputs",
             [this, &row](const Node& n) {
               if (!reader_.expect(n, Kind::map, "inputs", "a map")) return;
               row.inputs.json.update(value(n).json);
               row.inputs.span = n.span;
             }},
            {"interactive",
             [this, &row](const Node& n) { reader_.flag(n, "interactive", row.interactive); }},
            {"auto_merge",
             [this, &row](const Node& n) { reader_.flag(n, "auto_merge", row.auto_merge); }},
            {"shallow", [this, &row](const Node& n) { reader_.flag(n, "shallow", row.shallow); }}};
  }

  Case one(const Node& node) {
    Case row = defaults_;
    auto keys = setting(row);
    keys.push_back({"name", [&](const Node& n) { text(n, "name", row.name); }});
    keys.push_back({"steps", [&](const Node& n) { row.steps = steps(n, ""); }});
    keys.push_back({"expect", [&](const Node& n) { row.expect = expectation(n); }});
    reader_.map(node, "a case", keys);
    if (node.kind == Kind::map && !node.find("name")) {
      reader_.mistake(node.span, "a case needs a 'name'");
    }
    if (!row.inputs.span) row.inputs.span = row.name.span;
    return row;
  }

  void check_names(const Suite& suite) {
    std::map<std::string, Span> seen;
    for (const Case& row : suite.cases) {
      const auto [first, added] = seen.emplace(row.name.text, row.name.span);
      if (added || row.name.text.empty()) continue;
      reader_.mistake(row.name.span, "there are two cases '" + row.name.text + "'").related = {
          {first->second, "the first is here"}};
    }
  }

  // ---- Steps

  void name_steps(const Node& node) {
    reader_.each(node, "steps",
                 [&](const Node& key, const Node& list) { named_[key.text] = &list; });
  }

  // Reads the steps of the list called `name`, or of a case.
  std::vector<Step> steps(const Node& list, const std::string& name) {
    std::vector<Step> all;
    open_.push_back(name);
    reader_.list(list, name.empty() ? "steps" : name, [&](const Node& node) {
      if (const Node* use = node.kind == Kind::map ? node.find("use") : nullptr) {
        append(all, node, *use);
      } else {
        all.push_back(step(node));
      }
    });
    open_.pop_back();
    return all;
  }

  void append(std::vector<Step>& all, const Node& node, const Node& use) {
    int times = 1;
    reader_.map(node, "a step with 'use'",
                {{"use", [](const Node&) {}}, {"times", [&](const Node& n) { count(n, times); }}});
    std::vector<std::string> names;
    for (const auto& [name, list] : named_) names.push_back(name);
    const auto found = use.kind == Kind::scalar ? named_.find(use.text) : named_.end();
    if (found == named_.end()) {
      reader_.mistake(use.span, "there are no steps called '" + use.text + "'").help =
          names.empty() ? "name some under the file's own 'steps'"
                        : suggestion(use.text, names, "steps");
      return;
    }
    if (std::find(open_.begin(), open_.end(), use.text) != open_.end()) {
      reader_.mistake(use.span,
                      "the steps '" + use.text + "' use themselves, and would have no end");
      return;
    }
    const std::vector<Step> once = steps(*found->second, use.text);
    for (int i = 0; i < times; ++i) {
      if (all.size() + once.size() > most_steps) {
        reader_.mistake(use.span, "that is more than " + std::to_string(most_steps) + " steps");
        return;
      }
      all.insert(all.end(), once.begin(), once.end());
    }
  }

  void count(const Node& node, int& out) {
    const bool digits = node.kind == Kind::scalar && !node.text.empty() && node.text.size() < 6 &&
                        node.text.find_first_not_of("0123456789") == std::string::npos;
    const int number = digits ? std::stoi(node.text) : 0;
    if (number < 1 || number > most_times) {
      reader_.wrong(node, "times", "a number from 1 to " + std::to_string(most_times));
    } else {
      out = number;
    }
  }

  Step step(const Node& node) {
    Step step;
    step.span = node.span;
    if (node.kind != Kind::map) {
      reader_.wrong(node, "a step", "a map").help =
          "write {at: STATE, outcome: NAME}, {event: NAME} or {use: STEPS}";
      return step;
    }
    std::string action;
    for (const auto& entry : node.entries) {
      const auto& key = entry.key.text;
      if (std::find(actions.begin(), actions.end(), key) == actions.end()) continue;
      if (!action.empty()) {
        reader_.mistake(entry.key.span,
                        "a step does one thing; this one has '" + action + "' and '" + key + "'");
        return step;
      }
      action = key;
      step.span = entry.value.span;
    }
    if (action.empty()) {
      std::string help = "give it one of " + join(actions, ", ");
      for (const auto& entry : node.entries) {
        const std::string near = closest(entry.key.text, actions);
        if (!near.empty()) help = "did you mean '" + near + "' by '" + entry.key.text + "'?";
      }
      reader_.mistake(node.span, "this step does nothing").help = help;
      return step;
    }
    read(node, action, step);
    const bool of_activity = action != "event" && action != "advance";
    if (of_activity && !node.find("at")) {
      reader_.mistake(node.span, "'" + action + "' needs an 'at'").help =
          "name the state whose activity it is of: {at: STATE, " + action + ": …}";
    }
    return step;
  }

  void read(const Node& node, const std::string& action, Step& step) {
    std::vector<Reader::Key> keys = {
        {"expect", [&](const Node& n) { step.expect = expectation(n); }}};
    const auto add = [&](const std::string& key, std::function<void(const Node&)> read) {
      keys.emplace_back(key, std::move(read));
    };
    const auto add_text = [&](const std::string& key) {
      add(key, [this, key, &step](const Node& n) { text(n, key, step.text); });
    };
    const auto add_data = [&] { add("data", [&](const Node& n) { step.data = value(n); }); };
    if (action == "advance") {
      step.kind = Step::Kind::advance;
      add(action, [&](const Node& n) { reader_.duration(n, "advance", step.advance); });
    } else if (action == "event") {
      step.kind = Step::Kind::event;
      add_text(action);
      add_data();
    } else {
      add("at", [&](const Node& n) { text(n, "at", step.at); });
      add_text(action);
    }
    if (action == "reply") step.kind = Step::Kind::reply;
    if (action == "outcome") {
      step.kind = Step::Kind::outcome;
      add_data();
    }
    if (action == "answer" || action == "text") {
      step.kind = Step::Kind::answer;
      step.words = action == "text";
      add("by", [&](const Node& n) { reader_.text(n, "by", step.by); });
    }
    if (action == "answer") {
      add("feedback", [&](const Node& n) { text(n, "feedback", step.feedback); });
      add("edited", [&](const Node& n) { text(n, "edited", step.edited); });
    }
    reader_.map(node, "a step with '" + action + "'", keys);
  }

  // ---- Expectations

  Expectation expectation(const Node& node) {
    Expectation expect;
    reader_.map(
        node, "expect",
        {{"in", [&](const Node& n) { texts(n, "in", expect.in); }},
         {"configuration",
          [&](const Node& n) {
            texts(n, "configuration", expect.configuration);
            expect.configuration_span = n.span;
          }},
         {"path",
          [&](const Node& n) {
            texts(n, "path", expect.path);
            expect.path_span = n.span;
          }},
         {"context", [&](const Node& n) { values(n, "context", expect.context); }},
         {"machines",
          [&](const Node& n) {
            reader_.each(n, "machines", [&](const Node& key, const Node& context) {
              auto& [owner, names] = expect.machines.emplace_back();
              owner = {key.text, key.span};
              values(context, key.text, names);
            });
          }},
         {"effects",
          [&](const Node& n) {
            reader_.list(n, "effects", [&](const Node& item) {
              if (reader_.expect(item, Kind::map, "an effect", "a map")) {
                expect.effects.push_back(value(item));
              }
            });
          }},
         {"prompt",
          [&](const Node& n) {
            if (n.kind != Kind::sequence) return expect.prompts.push_back(prompt(n));
            for (const Node& item : n.items) expect.prompts.push_back(prompt(item));
          }},
         {"outputs", [&](const Node& n) { values(n, "outputs", expect.outputs); }},
         {"outcome",
          [&](const Node& n) {
            expect.outcome = Text{"", n.span};
            if (n.kind != Kind::null) text(n, "outcome", *expect.outcome);
          }},
         {"status", [&](const Node& n) { status(n, expect.status.emplace()); }},
         {"handled", [&](const Node& n) { reader_.flag(n, "handled", expect.handled.emplace()); }},
         {"problems", [&](const Node& n) { texts(n, "problems", expect.problems); }}});
    return expect;
  }

  PromptExpectation prompt(const Node& node) {
    PromptExpectation expect;
    expect.span = node.span;
    const auto parts = [this](const std::string& key, Texts& out) {
      return Reader::Key{key, [this, key, &out](const Node& n) {
                           std::optional<Texts> all;
                           texts(n, key, all);
                           out = *std::move(all);
                           for (const Text& each : out) {
                             if (each.span && each.text.empty()) {
                               reader_.mistake(each.span, "every prompt has the empty text in it");
                             }
                           }
                         }};
    };
    reader_.map(node, "prompt",
                {{"agent", [&](const Node& n) { text(n, "agent", expect.agent); }},
                 {"at", [&](const Node& n) { text(n, "at", expect.at); }},
                 parts("contains", expect.contains),
                 parts("lacks", expect.lacks),
                 parts("matches", expect.matches),
                 {"snapshot", [&](const Node& n) { snapshot(n, expect.snapshot); }}});
    const bool asks = node.find("contains") || node.find("lacks") || node.find("matches") ||
                      node.find("snapshot");
    if (node.kind == Kind::map && !asks) {
      reader_.mistake(node.span, "this expects nothing of the prompt").help =
          "give it 'contains', 'lacks', 'matches' or 'snapshot'";
    }
    return expect;
  }

  // It becomes a heading.
  void snapshot(const Node& node, Text& out) {
    text(node, "snapshot", out);
    const bool one_line = !out.text.empty() && out.text.find('\n') == std::string::npos;
    if (node.kind == Kind::scalar && !one_line) reader_.wrong(node, "snapshot", "a name in a line");
  }

  void status(const Node& node, Text& out) {
    text(node, "status", out);
    const bool known = out.text == "complete" || out.text == "failed" || out.text == "aborted";
    if (node.kind == Kind::scalar && !known) {
      reader_.wrong(node, "status", "complete, failed or aborted");
    }
  }

  Diagnostics& diagnostics_;
  Reader reader_;
  Case defaults_{{}, {Json::object(), {}}, true, false, false, {}, {}};
  std::map<std::string, const Node*> named_;
  std::vector<std::string> open_;  // the lists of steps that are being read
};

}  // namespace

std::optional<Suite> read_suite(const fs::path& file, const SourcePtr& source, const Files& files,
                                const fs::path& library, Diagnostics& diagnostics) {
  std::vector<SourcePtr> sources;
  const auto [root, extends] = whole_suite(file, source, files, library, sources, diagnostics);
  if (!root) return std::nullopt;
  // What stands in named steps is read for each use; its mistakes are told once.
  Diagnostics found;
  Suite suite = Loader(found).suite(*root, file);
  std::set<std::tuple<const Source*, std::uint32_t, std::string>> told;
  for (const Diagnostic& each : found.sorted()) {
    if (!told.emplace(each.span.source, each.span.begin, each.message).second) continue;
    diagnostics.add(each);
  }
  for (Case& row : suite.cases) {
    if (row.name.span.source != source.get()) row.extends = extends;
  }
  suite.sources = std::move(sources);
  if (diagnostics.has_errors()) return std::nullopt;
  return suite;
}

}  // namespace agneto::play
