#include "record/cassette_file.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/errors.h"

namespace agneto::record {
namespace {

using testing::error_of;

Json load(const std::string& text) {
  const MemoryFiles files({{"c.yaml", text}});
  return load_cassette("c.yaml", files);
}

std::string refusal(const std::string& text) {
  return error_of([&] { load(text); });
}

TEST(CassetteFile, IsRecognisedByItsFirstKey) {
  EXPECT_EQ(load("agneto-cassette: 1\ncalls: []\n").at("calls"), Json::array());
  EXPECT_EQ(refusal("calls: []\n"),
            "c.yaml is not a cassette\n"
            "a cassette is YAML that starts with 'agneto-cassette: 1'; see docs/providers.md");
  EXPECT_EQ(error_of([] { load_cassette("none.yaml", MemoryFiles()); }),
            "cannot read the cassette none.yaml\ncheck the path given to --cassette");
}

TEST(CassetteFile, MayHaveEverythingThatIsRecorded) {
  const Json cassette = load(R"yaml(agneto-cassette: 1
interactive: false
answers:
  - {state: GATE, option: GO, feedback: well, edited: "a\n"}
calls:
  - agent: coder
    state: CODING
    prompt: Do it.
    output: [{at: 5ms, text: hm}, {at: 6ms, tool: make}, {at: 7ms, tool_end: true},
             {tool_denied: WebFetch}, {tool_failed: "edit: greet"}]
    took: 1s
    delay: 2s
    reply: "5"
    edits: {a.txt: "b\n", c.txt: null}
    patch: |
      diff
  - agent: coder
    again: true
    attempts: [{error: busy, event: error.timeout}, {reply: well}]
)yaml");
  EXPECT_EQ(cassette.at("calls").size(), 2u);
}

TEST(CassetteFile, HasNoListsWhereTheyAreEmpty) {
  EXPECT_EQ(load("agneto-cassette: 1\nanswers:\ncalls:\n").size(), 3u);
}

TEST(CassetteFile, SaysAllThatIsWrongAndWhere) {
  EXPECT_EQ(
      refusal(R"yaml(agneto-cassette: 2
calls:
  - {agnet: coder, reply: 5}
  - {agent: coder, delay: soon, event: timeout}
  - {agent: coder, edits: {a: [b]}, output: [{tool_end: 1}]}
)yaml"),
      R"(c.yaml:1:18: error: this version of agneto plays cassettes of version 1 [E120/version]
agneto-cassette: 2
                 ^
  help: write 'agneto-cassette: 1', or play it with the version that recorded it
c.yaml:3:5: error: this call does not say which agent answers [E122/missing-key]
  - {agnet: coder, reply: 5}
    ^~~~~~~~~~~~~~~~~~~~~~~~
  help: write 'agent: NAME'
c.yaml:3:6: error: unknown key 'agnet' in a call [E121/unknown-key]
  - {agnet: coder, reply: 5}
     ^~~~~
  help: did you mean 'agent'?
c.yaml:3:27: error: 'reply' must be text, in quotes [E302/wrong-type]
  - {agnet: coder, reply: 5}
                          ^
c.yaml:4:27: error: 'delay' must be a duration such as 90s, 20m or 4h [E302/wrong-type]
  - {agent: coder, delay: soon, event: timeout}
                          ^~~~
c.yaml:4:40: error: 'event' must be an error such as error.timeout [E302/wrong-type]
  - {agent: coder, delay: soon, event: timeout}
                                       ^~~~~~~
c.yaml:5:31: error: 'edits.a' must be text, in quotes [E302/wrong-type]
  - {agent: coder, edits: {a: [b]}, output: [{tool_end: 1}]}
                              ^~~
c.yaml:5:57: error: 'tool_end' must be true or false [E302/wrong-type]
  - {agent: coder, edits: {a: [b]}, output: [{tool_end: 1}]}
                                                        ^
)");
}

}  // namespace
}  // namespace agneto::record
