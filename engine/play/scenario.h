// A scenario test: what a workflow is given, what its agents and its person say, and what must come
// of it. As it stands in a file NAME.test.yaml beside NAME.yaml; docs/testing.md describes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "base/source.h"
#include "base/text.h"

namespace agneto::play {

// A text and where it stands.
struct Text {
  std::string text;
  Span span;
};
using Texts = std::vector<Text>;

// A value and where it stands.
struct Value {
  Json json;
  Span span;
};

// What the prompt of a call that has not ended must say. Its hook makes it; the engine's words
// about the verdict, which follow, are not looked at.
struct PromptExpectation {
  Span span;
  Text agent;      // whose; empty: of the only one
  Text at;         // of which state; empty: of any
  Texts contains;  // these stand in it, letter by letter
  Texts lacks;     // these do not
  Texts matches;   // Lua patterns that are found in it
  Text snapshot;   // the name under which the whole of it is kept; empty: it is not
};

// What must be so. What is absent is not looked at. States are named as activities are: "A",
// "SUB/A" or with entry numbers, "SUB#1/A#2".
struct Expectation {
  std::optional<Texts> in;             // active states, among others
  std::optional<Texts> configuration;  // all active atomic states, in document order
  Span configuration_span;
  std::optional<Texts> path;  // where the machine came to rest, in order; "..." is any number
  Span path_span;
  std::vector<std::pair<Text, Value>> context;  // of the root machine, by name
  // The contexts of other machines: the state that delegates; names and values.
  std::vector<std::pair<Text, std::vector<std::pair<Text, Value>>>> machines;
  std::vector<Value> effects;  // each is part of one that was ordered, in this order
  std::vector<PromptExpectation> prompts;
  std::vector<std::pair<Text, Value>> outputs;
  std::optional<Text> outcome;  // of the whole; empty: it has not ended
  std::optional<Text> status;
  std::optional<bool> handled;    // was the step's event taken?
  std::optional<Texts> problems;  // events such as error.lua; none are expected where it is absent
};

struct Step {
  enum class Kind {
    reply,    // an agent's, as it came; its hook reads it
    outcome,  // an activity's end
    answer,   // a person's
    event,    // from outside
    advance,  // the clock's
  };
  Kind kind = Kind::event;
  Span span;
  Text at;     // of the first three: whose
  Text text;   // the reply; the outcome; the option, or the words; the event
  Value data;  // of an outcome or event; null where there is none
  Millis advance{0};
  // What follows is for an answer.
  bool words = false;  // `text` are words, not an option
  std::optional<std::string> feedback, edited;
  std::string by = "person";
  Expectation expect;
};

struct Case {
  Text name;
  Value inputs;
  bool interactive = true;
  bool auto_merge = false;
  bool shallow = false;  // other machines are not entered: their outcome is given, too
  std::vector<Step> steps;
  Expectation expect;  // at the end
  Span extends = {};   // where the file that is played says so, of a case of another file's
};

// NAME.test.yaml beside NAME.yaml.
inline fs::path scenario_test_of(const fs::path& workflow) {
  return workflow.parent_path() / (workflow.stem().string() + ".test.yaml");
}

struct Suite {
  fs::path workflow;
  Text workflow_name;  // as written; empty where the file's own name says it
  std::vector<Case> cases;
  std::vector<SourcePtr> sources;  // its file's, and those of the test files that it extends
};

}  // namespace agneto::play
