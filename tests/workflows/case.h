// A row of the tables: what happens, and where that leads.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "play.h"

namespace agneto::workflows {

struct Case {
  std::string name;  // the arrow of the diagram or the row of the table that it takes
  Steps steps;
  std::string leads;  // the active state, or the outcome
  // What must then hold: entries of the context, or of the outputs once finished.
  Json holds = Json::object();
  bool interactive = true;
  bool auto_merge = false;
  Json inputs = Json::object();
};

inline Play start(const Workflow& workflow, const Case& row) {
  return Play(workflow, row.interactive, row.auto_merge, row.inputs);
}

inline void check(const Workflow& workflow, const Case& row) {
  Play play = start(workflow, row);
  play.steps(row.steps);
  EXPECT_EQ(play.where(), row.leads);
  const Json found = play.finished() ? play.finish().outputs : play.ctx();
  for (const auto& [name, value] : row.holds.items()) EXPECT_EQ(found.at(name), value) << name;
}

// The same, with `abort` before each step: it ends the run as aborted from wherever it is.
inline void check_aborts(const Workflow& workflow, const Case& row) {
  for (std::size_t length = 0; length <= row.steps.size(); ++length) {
    Play play = start(workflow, row);
    play.steps(Steps(row.steps.begin(), row.steps.begin() + static_cast<std::ptrdiff_t>(length)));
    if (play.finished()) continue;
    const std::string from = play.where();
    play.step({"", "abort"});
    ASSERT_TRUE(play.finished()) << from;
    EXPECT_EQ(play.finish().outcome, "TASK_ABORTED") << from;
    EXPECT_EQ(play.finish().status, model::FinalStatus::aborted) << from;
    EXPECT_EQ(play.finish().outputs.at("reason"), "aborted by a person") << from;
    EXPECT_THAT(play.outstanding(), testing::IsEmpty()) << from;
  }
}

inline void PrintTo(const Case& row, std::ostream* out) {
  *out << row.name;
}

inline std::string case_name(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

}  // namespace agneto::workflows
