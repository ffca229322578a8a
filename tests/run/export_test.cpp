#include "run/export.h"

#include "engine_fixture.h"
#include "support/schema.h"

namespace agneto::run {
namespace {

using ::testing::IsEmpty;

const std::string workflow = R"(agneto: 1
name: flow
inputs:
  task: {type: string, main: true}
agents:
  worker: {hooks: hook.lua, access: edit}
initial: CODING
on: {abort: ABORTED}
states:
  CODING:
    agent: {name: worker, verdicts: {DONE: {}}}
    on: {DONE: GATE, error: FAILED}
  GATE:
    ask:
      question: Good?
      show: inputs.task
      options:
        YES: Take it
        NO: {label: Leave it, feedback: required}
        EDIT: {label: Edit it, edit: inputs.task}
    on: {YES: TESTING, EDIT: TESTING, NO: CODING}
  TESTING:
    run: {argv: [make, test], env: {A: inputs.task}, access: read-only}
    on: {ok: COMMITTING, failed: FAILED, error: FAILED}
  COMMITTING:
    workspace: {commit: {message: "done: {{inputs.task}}"}}
    on: {ok: MERGING, failed: FAILED}
  MERGING:
    workspace: {merge: {}}
    on: {any: FINISHED}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
  ABORTED: {final: true, status: aborted}
)";

class ExportTest : public EngineTest {
 protected:
  Json exported(const Redactor& redactor = Redactor()) {
    const Reader reader(*store, redactor, "r");
    return to_json(export_run(reader, "agneto test", Time(Millis(1'000))));
  }
  static std::vector<std::string> faults(const Json& json) {
    const auto text = Disk().read(AGNETO_SOURCE_DIR "/schemas/export.schema.json");
    return agneto::testing::Schema(Json::parse(text.value())).faults(json);
  }
};

TEST_F(ExportTest, OfAWholeRunIsAsTheSchemaSays) {
  load(workflow);
  reply("worker", "DONE");
  reply("worker", "DONE");
  human.answers = {{"NO", "shorter", {}}, {"EDIT", "", "edited"}};
  EXPECT_EQ(start(), ExitStatus::complete);
  const Json json = exported();
  EXPECT_THAT(faults(json), IsEmpty());
  EXPECT_EQ(json.at("calls").size(), 2u);
  EXPECT_EQ(json.at("questions").size(), 2u);
  EXPECT_EQ(json.at("commands").size(), 1u);
  EXPECT_EQ(json.at("operations").size(), 2u);
  EXPECT_EQ(json.at("entries").size(), store->entries("r").size());
  EXPECT_EQ(json.at("totals").at("calls"), 2);
  EXPECT_EQ(json.at("run").at("status"), "complete");
}

TEST_F(ExportTest, OfARunThatIsSuspended) {
  load(workflow);
  reply("worker", "DONE");
  human.there = false;
  EXPECT_EQ(start(), ExitStatus::suspended);
  const Json json = exported();
  EXPECT_THAT(faults(json), IsEmpty());
  EXPECT_TRUE(json.at("questions")[0].at("answer").is_null());
}

TEST_F(ExportTest, HoldsNoSecret) {
  load(workflow);
  reply("worker", "DONE");
  human.answers = {{"NO", "use hunter-22 and sk-0123456789abcdefABCDEF01", {}}, {"YES", "", {}}};
  calls.push_back({{"agent", "worker"}, {"reply", "I used hunter-22\nVERDICT: DONE"}});
  start({{"task", "log in with hunter-22"}});
  const std::string text =
      to_text(exported(Redactor({{"hunter-22", "PASSWORD"}, {"another one", "B"}})));
  EXPECT_EQ(text.find("hunter-22"), std::string::npos);
  EXPECT_EQ(text.find("sk-0123456789"), std::string::npos);
  EXPECT_NE(text.find("I used [redacted: PASSWORD]"), std::string::npos);
  EXPECT_NE(to_text(exported()).find("hunter-22"), std::string::npos);
}

TEST_F(ExportTest, TheSchemaFindsFaults) {
  load(workflow);
  reply("worker", "DONE");
  human.there = false;
  start();
  Json json = exported();
  json["calls"][0].erase("agent");
  json["run"]["status"] = "unheard of";
  json["more"] = 1;
  EXPECT_THAT(faults(json), ::testing::UnorderedElementsAre(".calls[0].agent: is missing",
                                                            ".run.status: is \"unheard of\"",
                                                            ".more: is not in the schema"));
}

}  // namespace
}  // namespace agneto::run
