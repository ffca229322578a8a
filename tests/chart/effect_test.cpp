// Effects as JSON and back.
#include "base/error.h"
#include "chart_fixture.h"

namespace agneto::chart {
namespace {

Workflow two_machines() {
  return Workflow(Texts{{"main.yaml", "initial: SUB\nstates: {SUB: {machine: child.yaml}}"},
                        {"child.yaml", R"yaml(
    agneto: 1
    name: child
    agents: {worker: {hooks: hooks.lua, session: machine}}
    initial: A
    states: {A: {agent: {name: worker, verdicts: {OK: {}}}, on: {OK: A}}}
  )yaml"}});
}

TEST(EffectCodec, KeepsEveryField) {
  const Workflow workflow = two_machines();
  const std::vector<Effect> effects = {
      CallAgent{"SUB#1/A#2", 1, 1, "SUB#1", 2, "SUB#1"},
      AskHuman{
          "A#1",
          "Well?",
          "the plan",
          {{"YES", "Yes", model::Need::none, {}}, {"EDIT", "Edit", model::Need::required, "text"}},
          "YES",
          model::Need::optional},
      RunCommand{
          "A#1", {"a", "b c"}, {{"Z", "1"}, {"A", "2"}}, "web", Millis(5000), {.tries = 3}, true},
      GitOperation{"A#1", model::WorkspaceOperation::Kind::discard, "words", false, "main"},
      StartTimer{"A#1/after:1", Millis(90000), true},
      Cancel{"A#1"},
      Finish{"DONE", model::FinalStatus::aborted, {{"x", 1}}, "because"},
      Suspend{"A#1", "an error"},
  };
  for (const Effect& effect : effects) {
    const Json json = to_json(effect, workflow.system());
    const Effect back = effect_from_json(Json::parse(json.dump()), workflow.system());
    EXPECT_EQ(back.index(), effect.index());
    EXPECT_EQ(to_json(back, workflow.system()), json);
    EXPECT_EQ(path_of(back), path_of(effect));
  }
}

TEST(EffectCodec, ReadsBackWhatItWrote) {
  const Workflow workflow = two_machines();
  const auto round_trip = [&](const Effect& effect) {
    return effect_from_json(to_json(effect, workflow.system()), workflow.system());
  };
  const auto call = std::get<CallAgent>(round_trip(CallAgent{"SUB#1/A#2", 1, 1, "SUB#1", 2, "s"}));
  EXPECT_EQ(call.machine, 1u);
  EXPECT_EQ(call.state, 1u);
  EXPECT_EQ(call.instance, "SUB#1");
  EXPECT_EQ(call.entry, 2);
  EXPECT_EQ(call.scope, "s");
  const auto run = std::get<RunCommand>(round_trip(
      RunCommand{"A#1", {"a"}, {{"Z", "1"}, {"A", "2"}}, "web", Millis(5), {.tries = 3}, true}));
  EXPECT_THAT(run.env, testing::ElementsAre(testing::Pair("Z", "1"), testing::Pair("A", "2")));
  EXPECT_EQ(run.cwd, "web");
  EXPECT_EQ(run.retry, (model::Retry{.tries = 3}));
  EXPECT_EQ(run.timeout, Millis(5));
  EXPECT_TRUE(run.once);
}

TEST(EffectCodec, NamesMachinesAndStates) {
  const Workflow workflow = two_machines();
  EXPECT_EQ(to_json(CallAgent{"SUB#1/A#1", 1, 1, "SUB#1", 1, "SUB#1"}, workflow.system()),
            (Json{{"effect", "agent"},
                  {"path", "SUB#1/A#1"},
                  {"machine", "child"},
                  {"state", "A"},
                  {"instance", "SUB#1"},
                  {"entry", 1},
                  {"scope", "SUB#1"}}));
}

std::string complaint(const Json& json) {
  const Workflow workflow = two_machines();
  try {
    effect_from_json(json, workflow.system());
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(EffectCodec, SaysWhatDoesNotFitTheWorkflow) {
  Json call = {{"effect", "agent"}, {"path", "SUB#1/GONE#1"}, {"machine", "child"},
               {"state", "GONE"},   {"instance", "SUB#1"},    {"entry", 1},
               {"scope", ""}};
  EXPECT_EQ(complaint(call),
            "the recorded effect 'SUB#1/GONE#1' does not fit the workflow: machine 'child' has no "
            "state 'GONE'");
  call["path"] = "SUB#1/A#1/B#1";
  EXPECT_EQ(complaint(call),
            "the recorded effect 'SUB#1/A#1/B#1' does not fit the workflow: state 'A' does not "
            "delegate to a machine");
  EXPECT_EQ(complaint({{"effect", "dance"}}),
            "the record of an effect says 'dance', which this version does not know");
}

}  // namespace
}  // namespace agneto::chart
