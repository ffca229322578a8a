// The bundled cassettes, played through the machines and hooks: what the demo and the benchmark
// show does not depend on an agent, so it is checked without one.
#include <gmock/gmock.h>

#include "prompting.h"
#include "support/paths.h"
#include "task_cases.h"
#include "yaml/scalar.h"

namespace agneto::workflows {
namespace {

Json load_cassette(const fs::path& file) {
  Diagnostics diagnostics;
  auto text = Disk().read(fs::path(AGNETO_SOURCE_DIR) / file);
  auto source = std::make_shared<Source>(file.string(), text.value());
  auto tree = yaml::parse(source, diagnostics);
  Json cassette = tree ? yaml::to_json(*tree, diagnostics) : Json();
  EXPECT_EQ(render(diagnostics), "");
  return cassette;
}

// Answers every activity from the cassette until the run is over; commands and git succeed.
class Player {
 public:
  Player(Json cassette, bool interactive)
      : cassette_(std::move(cassette)),
        play_(task_workflow(), interactive, true, {{"verify", "sh test.sh"}}) {
    while (!play_.finished()) play_.step(next());
  }

  const Play& play() const { return play_; }
  std::size_t unused_answers() const { return cassette_.at("answers").size() - answers_; }
  int calls_of(const std::string& agent) const { return nth_.at(agent); }

 private:
  Step next() {
    const auto& [path, effect] = *play_.outstanding().begin();
    const std::string names = without_entries(path);
    const std::string state = names.substr(names.rfind('/') + 1);
    if (const auto* call = std::get_if<chart::CallAgent>(&effect)) return reply(state, *call);
    if (std::holds_alternative<chart::AskHuman>(effect)) return answer(state);
    return {state, "ok", {{"status", 0}, {"output", ""}, {"commit", "c1"}}};
  }

  Step reply(const std::string& state, const chart::CallAgent& effect) {
    const Call call = call_of(task_workflow(), play_, effect);
    const int wanted = nth_[call.agent]++;
    int seen = 0;
    for (const auto& entry : cassette_.at("calls")) {
      if (entry.at("agent") != call.agent || seen++ != wanted) continue;
      auto verdict = hooks_.parse(call.hooks, call.task, entry.at("reply"), call.m);
      if (!verdict) throw std::runtime_error("no verdict in " + entry.dump());
      return {state, verdict->name, verdict->fields};
    }
    throw std::runtime_error("no more calls of " + call.agent);
  }

  Step answer(const std::string& state) {
    const Json& answer = cassette_.at("answers").at(answers_++);
    EXPECT_EQ(answer.at("state"), state);
    return {state, answer.at("option"), {{"feedback", answer.value("feedback", "")}}};
  }

  Json cassette_;
  Disk disk_;
  script::Hooks hooks_{disk_, bundled_modules()};
  std::map<std::string, int> nth_;
  std::size_t answers_ = 0;
  Play play_;
};

TEST(Cassettes, ThreeChunksTakeNineteenCalls) {
  const Json cassette = load_cassette("bench/three-chunks.yaml");
  Player player(cassette, false);
  EXPECT_EQ(player.play().where(), "TASK_COMPLETE");
  EXPECT_TRUE(player.play().finish().outputs.at("merged"));
  EXPECT_EQ(player.play().calls(), 19);
  EXPECT_EQ(cassette.at("calls").size(), 19U);
  EXPECT_EQ(player.calls_of("bean_counter"), 4);
  EXPECT_EQ(player.calls_of("coder"), 6);
  EXPECT_EQ(player.calls_of("reviewer"), 6);
}

TEST(Cassettes, TheDemoSimplifiesAPlanRevisesAChangeAndMerges) {
  const Json cassette = load_cassette("scripts/demo/cassette.yaml");
  Player player(cassette, true);
  EXPECT_EQ(player.play().where(), "TASK_COMPLETE");
  EXPECT_TRUE(player.play().finish().outputs.at("merged"));
  EXPECT_EQ(player.play().ctx().at("simplifications"), 1);
  EXPECT_EQ(player.calls_of("planner"), 2);
  EXPECT_EQ(player.calls_of("coder"), 7);
  const std::size_t for_a_person = 2;  // plans for a person at the gate who says no
  EXPECT_EQ(static_cast<std::size_t>(player.play().calls()) + for_a_person,
            cassette.at("calls").size());
  EXPECT_EQ(player.unused_answers(), 0U);
}

}  // namespace
}  // namespace agneto::workflows
