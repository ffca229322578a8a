#include "record/playback.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "model/load.h"
#include "support/errors.h"

namespace agneto::record {
namespace {

using testing::error_of;

const char* const part = R"yaml(agneto: 1
name: part
agents: {coder: {hooks: h.lua}}
initial: CODING
states:
  CODING:
    agent: {name: coder}
    on: {done: GOOD, error: BAD}
  GOOD: {final: true}
  BAD: {final: true, status: failed}
)yaml";

const char* const flow = R"yaml(agneto: 1
name: flow
initial: PANEL
states:
  PANEL:
    machine: part.yaml
    on: {GOOD: FINE, BAD: STOPPED}
  FINE: {final: true}
  STOPPED: {final: true, status: failed}
)yaml";

Json options_of(std::vector<std::string> faults) {
  const MemoryFiles files({{"/flow.yaml", flow}, {"/part.yaml", part}, {"/h.lua", "return {}"}});
  Diagnostics diagnostics;
  const auto loaded = model::load("/flow.yaml", files, diagnostics);
  EXPECT_EQ(render(diagnostics), "");
  return playback_options({2, true, std::move(faults)}, *loaded.system);
}

std::string fault_refusal(const std::string& fault) {
  return error_of([&] { options_of({fault}); });
}

TEST(Playback, IsWhatTheProviderTakes) {
  EXPECT_EQ(options_of({"hang@CODING", "slow=2m@PANEL/CODING#3", "slow@coder#2"}),
            Json::parse(R"({"speed": 2.0, "fuzzy": true, "faults": [
              {"text": "hang@CODING", "kind": "hang", "step": "CODING#1"},
              {"text": "slow=2m@PANEL/CODING#3", "kind": "slow", "step": "PANEL#1/CODING#3",
               "time": 120000},
              {"text": "slow@coder#2", "kind": "slow", "step": "coder#2", "time": 30000}]})"));
}

TEST(Playback, AFaultThatThereIsNotIsRefused) {
  EXPECT_EQ(fault_refusal("hnag@CODING"),
            "--fault 'hnag@CODING': there is no fault 'hnag'\ndid you mean 'hang'?");
  EXPECT_EQ(fault_refusal("hang"),
            "--fault 'hang': where it strikes is missing\nwrite KIND@STEP, such as exit@CODING");
  EXPECT_EQ(fault_refusal("exit=3@CODING"),
            "--fault 'exit=3@CODING': only 'slow' takes a time\n"
            "leave '=3' out");
  EXPECT_EQ(fault_refusal("slow=soon@CODING"),
            "--fault 'slow=soon@CODING': 'soon' is no duration\n"
            "write it as 90s, 20m or 4h");
}

TEST(Playback, AStepWhereNobodyIsCalledIsRefused) {
  EXPECT_EQ(fault_refusal("exit@CODNIG"),
            "--fault 'exit@CODNIG': no agent is called in a state 'CODNIG', and none is called so\n"
            "did you mean 'CODING'?");
  EXPECT_EQ(fault_refusal("exit@PANEL"),
            "--fault 'exit@PANEL': no agent is called in a state 'PANEL', and none is called so\n"
            "known steps: CODING, coder");
  EXPECT_EQ(fault_refusal("exit@PANLE/CODING"),
            "--fault 'exit@PANLE/CODING': no state 'PANLE' delegates to a machine\ndid you mean "
            "'PANEL'?");
}

TEST(Playback, AStepIsAPath) {
  for (const char* step : {"CODING#0", "CODING#", "#1", "CODING#1#2", "CODING[2", "PANEL[*]/CODING",
                           "PANEL//CODING"}) {
    const std::string fault = std::string("exit@") + step;
    EXPECT_EQ(fault_refusal(fault), "--fault '" + fault + "': '" + step +
                                        "' names no step\n"
                                        "write CODING, CODING#2, or PANEL[2]/REVIEWING#1");
  }
  EXPECT_EQ(fault_refusal("exit@PANEL/"),
            "--fault 'exit@PANEL/': where it strikes is missing\n"
            "write KIND@STEP, such as exit@CODING");
  EXPECT_EQ(fault_refusal("slow=@CODING"),
            "--fault 'slow=@CODING': the time is missing\n"
            "write it as slow=2m@CODING");
}

}  // namespace
}  // namespace agneto::record
