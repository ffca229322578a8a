#include "run/live.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "model/loading.h"

namespace agneto::run {
namespace {

// What is said of sending the event; empty where it may be sent.
std::string objection(const std::string& event) {
  const model::LoadResult result = model::load_files({{"flow.yaml", R"(agneto: 1
name: flow
initial: MAKING
states:
  MAKING:
    run: {argv: [make]}
    on: {ok: ASKING, failed: END, urgent: ASKING}
  ASKING:
    ask: {question: Go on, options: {GO: Go, HALT: Stop}}
    on: {GO: END, HALT: END}
  END: {final: true}
)"}});
  try {
    check_event(event, *result.loaded.system);
    return "";
  } catch (const Error& error) {
    return error.what() + std::string("\n") + error.help();
  }
}

TEST(CheckEvent, TakesWhatComesFromOutsideAndNothingElse) {
  EXPECT_EQ(objection("urgent"), "");
  EXPECT_EQ(objection("urgnt"),
            "nothing in this workflow takes an event 'urgnt'\ndid you mean 'urgent'?");
  for (const std::string outcome : {"ok", "GO"}) {
    EXPECT_EQ(objection(outcome),
              "'" + outcome +
                  "' is what an activity of this workflow ends in, and is not sent\n"
                  "a question is answered: 'agneto answer RUN OPTION'; an event from outside needs "
                  "a name of its own");
  }
  EXPECT_EQ(objection("error.lua"),
            "'error.lua' is an event of the engine, which nobody else sends\n");
  EXPECT_EQ(objection("abort"), "'abort' is not sent: it ends the run\nuse 'agneto abort RUN'");
}

}  // namespace
}  // namespace agneto::run
