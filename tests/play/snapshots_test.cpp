// Prompts that are kept beside their tests.
#include "play/snapshots.h"

#include <gtest/gtest.h>

#include "playing.h"

namespace agneto::play {
namespace {

const char* const test_file = R"yaml(agneto-test: 1
defaults: {inputs: {task: it}}
cases:
  - {name: one, expect: {prompt: {snapshot: the first}}}
  - name: two
    steps: [{at: WORKING, outcome: MORE, expect: {prompt: {snapshot: the second}}}]
    expect: {prompt: {snapshot: the first}}
)yaml";

std::string hook(const std::string& expression) {
  return "return {prompt = function(m) return " + expression + " end}\n";
}

// What the cases come to, and the page: compared, or written.
class Kept {
 public:
  Kept(const std::string& page, const std::string& expression)
      : files_({{"/w/flow.prompts.md", page}, {"/w/worker.lua", hook(expression)}}),
        snapshots_(files_, "/w/flow.test.yaml") {
    Diagnostics diagnostics;
    source_ = std::make_shared<Source>("flow.test.yaml", test_file);
    const fs::path library = AGNETO_SOURCE_DIR "/scripts/lib";
    const auto suite = read_suite("/w/flow.test.yaml", source_, files_, library, diagnostics);
    const Workflow workflow = load_workflow(suite->workflow, files_, library, diagnostics);
    for (const Case& row : suite->cases) results_.push_back(play_case(row, workflow));
  }

  std::string differences() const {
    std::string all;
    for (const Result& result : results_) all += text_of(snapshots_.differences(result));
    return all;
  }
  std::string update() {
    std::string all;
    for (const Result& result : results_) all += text_of(snapshots_.update(result));
    return all;
  }
  Snapshots& snapshots() { return snapshots_; }

 private:
  static std::string text_of(const std::vector<Failure>& failures) {
    std::string text;
    for (const Failure& failure : failures) {
      text += render(failure.diagnostic);
      for (const auto& line : failure.details) text += "    " + line + "\n";
    }
    return text;
  }

  TestFiles files_;
  Snapshots snapshots_;
  SourcePtr source_;
  std::vector<Result> results_;
};

const char* const page = R"md(# What agents are told in flow.test.yaml

`agneto test --update` writes this page. Read what it changes here as you would read code.

## the first

````text
## Do it

```text
it
```
````

## the second

````text
## Do it

```text
it
```
````
)md";
const char* const fenced = R"('## Do it\n\n```text\n' .. m.inputs.task .. '\n```')";

TEST(Snapshots, AreWrittenAndReadAgain) {
  Kept kept("", fenced);
  EXPECT_EQ(kept.update(), "");
  EXPECT_EQ(kept.snapshots().page(), page);
  EXPECT_EQ(kept.snapshots().file(), "/w/flow.prompts.md");
  EXPECT_EQ(Kept(page, fenced).differences(), "");
  for (const char* text : {"''", "'\\n'", "'a\\n\\n'", "'`````'", "'## a'"}) {
    Kept odd("", text);
    EXPECT_EQ(odd.update(), "");
    EXPECT_EQ(Kept(odd.snapshots().page(), text).differences(), "") << text;
  }
}

TEST(Snapshots, ADifferenceIsShown) {
  EXPECT_EQ(Kept(page, R"('## Do it\n\n```text\nnothing\n```')").differences(),
            R"(flow.test.yaml:4:45: error: the prompt 'the first' is another in flow.prompts.md
  - {name: one, expect: {prompt: {snapshot: the first}}}
                                            ^~~~~~~~~
  help: where it is meant, 'agneto test --update' writes it there
      …
      ```text
    - it
    + nothing
      ```
flow.test.yaml:6:70: error: the prompt 'the second' is another in flow.prompts.md
    steps: [{at: WORKING, outcome: MORE, expect: {prompt: {snapshot: the second}}}]
                                                                     ^~~~~~~~~~
  help: where it is meant, 'agneto test --update' writes it there
      …
      ```text
    - it
    + nothing
      ```
flow.test.yaml:7:33: error: the prompt 'the first' is another in flow.prompts.md
    expect: {prompt: {snapshot: the first}}
                                ^~~~~~~~~
  help: where it is meant, 'agneto test --update' writes it there
      …
      ```text
    - it
    + nothing
      ```
)");
}

TEST(Snapshots, OneThatIsNotThereYetIsMissed) {
  const std::string only_first = std::string(page).substr(0, std::string(page).find("\n## the s"));
  EXPECT_EQ(Kept(only_first, fenced).differences(),
            R"(flow.test.yaml:6:70: error: the prompt 'the second' is not in flow.prompts.md
    steps: [{at: WORKING, outcome: MORE, expect: {prompt: {snapshot: the second}}}]
                                                                     ^~~~~~~~~~
  help: 'agneto test --update' writes it there; read it then
)");
}

TEST(Snapshots, OneNameIsOfOnePrompt) {
  EXPECT_EQ(Kept("", "m.ctx.rounds == 0 and 'Do it' or 'Do it again'").update(),
            R"(flow.test.yaml:7:33: error: another prompt is kept as 'the first', too
    expect: {prompt: {snapshot: the first}}
                                ^~~~~~~~~
  help: give this one a name of its own
    - Do it
    + Do it again
)");
}

TEST(Snapshots, WhatNoCaseKeepsIsForgottenOnDemand) {
  const std::string more = page + std::string("\n## an old one\n\n```text\nDo it\n```\n");
  Kept kept(more, fenced);
  kept.update();
  EXPECT_EQ(kept.snapshots().page(), more);
  kept.snapshots().forget_others();
  EXPECT_EQ(kept.snapshots().page(), page);
}

}  // namespace
}  // namespace agneto::play
