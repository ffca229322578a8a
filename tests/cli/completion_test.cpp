#include "cli/completion.h"

#include <gtest/gtest.h>

#include "cli/commands.h"

namespace agneto::cli {
namespace {

using Words = std::vector<std::string>;

class CompletionTest : public ::testing::Test {
 protected:
  CompletionTest() { describe(program_); }

  Completion completion(const Words& words) {
    return complete(program_, words, [&](Value value, const Typed& typed) {
      asked_ = value;
      typed_ = typed;
      return offered_;
    });
  }
  Words texts(const Words& words) {
    Words all;
    for (const Candidate& candidate : completion(words).candidates) all.push_back(candidate.text);
    return all;
  }

  Program program_;
  std::optional<Value> asked_;
  Typed typed_;
  std::vector<Candidate> offered_ = {{"one", "the first"}, {"other", ""}};
};

TEST_F(CompletionTest, OfCommands) {
  EXPECT_EQ(completion(Words{"resu"}),
            (Completion{{{"resume", "Go on with a run that was suspended or cut off"}}, false}));
  EXPECT_EQ(texts({"ru"}), Words({"run", "runs"}));
  EXPECT_EQ(texts({"help", "ru"}), Words({"run", "runs"}));
  EXPECT_EQ(texts({"--v"}), Words({"--version"}));
  EXPECT_EQ(texts({""}).front(), "run");
  EXPECT_EQ(texts({"__"}), Words()) << "what scripts call is not for people";
  EXPECT_EQ(texts({"no-command", ""}), Words());
}

TEST_F(CompletionTest, OfOptions) {
  EXPECT_EQ(texts({"export", "--fo"}), Words({"--format"}));
  EXPECT_EQ(texts({"runs", "--jso"}), Words({"--json"}));
  EXPECT_EQ(texts({"show", "last", "--"}),
            Words({"--help", "--json", "--server", "--token-file", "--log-level", "--journal"}));
}

TEST_F(CompletionTest, OfAnOptionsChoices) {
  EXPECT_EQ(texts({"lint", "--format", "j"}), Words({"json", "junit"}));
  EXPECT_EQ(texts({"lint", "--format=j"}), Words({"--format=json", "--format=junit"}));
  EXPECT_EQ(texts({"runs", "--json=t"}), Words()) << "it takes no value";
}

TEST_F(CompletionTest, OfValuesThatAreLookedUp) {
  EXPECT_EQ(completion({"show", "on"}), (Completion{{{"one", "the first"}}, false}));
  EXPECT_EQ(asked_, Value::run);
  EXPECT_EQ(texts({"run", "-w", "o"}), Words({"one", "other"}));
  EXPECT_EQ(asked_, Value::workflow_file);
  EXPECT_TRUE(completion({"run", "-w", "o"}).files);
  EXPECT_EQ(texts({"run", "--agent=ot"}), Words({"--agent=other"}));
  EXPECT_EQ(asked_, Value::agent);
}

// The options that can be chosen are those of the run's question.
TEST_F(CompletionTest, KnowsTheWordsBefore) {
  completion({"answer", "--feedback", "too long", "--resume", "last", ""});
  EXPECT_EQ(asked_, Value::runs_option);
  EXPECT_EQ(typed_.words, Words({"last"}));
  EXPECT_EQ(typed_.options.at("--feedback"), "too long");
  completion({"show", "--", ""});
  EXPECT_EQ(asked_, Value::run);
}

// Which workflow's they are says another option, or a word.
TEST_F(CompletionTest, OfWhatAWorkflowHas) {
  offered_ = {{"task=", "What is to be done"}, {"rounds=", ""}};
  EXPECT_EQ(texts({"run", "-w", "mine", "-i", "t"}), Words({"task="}));
  EXPECT_EQ(asked_, Value::input);
  EXPECT_EQ(typed_.command, "run");
  EXPECT_EQ(typed_.options.at("--workflow"), "mine");
  texts({"simulate", "mine", "-i", ""});
  EXPECT_EQ(typed_.words, Words({"mine"}));
  EXPECT_EQ(texts({"run", "--workflow=mine", "--input=r"}), Words({"--input=rounds="}));
  EXPECT_EQ(typed_.options.at("--workflow"), "mine");
  EXPECT_EQ(texts({"new", "mine", "--from", ""}).size(), 2U);
  EXPECT_EQ(asked_, Value::new_from);
}

TEST_F(CompletionTest, OfAStateAndThenItsOutcome) {
  offered_ = {{"PLANNING=DONE", "verdict"}, {"PLANNING=error.exit", "error"}, {"P=ok", "outcome"}};
  EXPECT_EQ(texts({"run", "--choose", ""}), Words({"PLANNING=", "P="}));
  EXPECT_EQ(asked_, Value::choice);
  EXPECT_EQ(completion({"run", "--choose", "PLANNING=D"}),
            (Completion{{{"PLANNING=DONE", "verdict"}}, false}));
  EXPECT_EQ(texts({"run", "--choose=PLANNING=e"}), Words({"--choose=PLANNING=error.exit"}));
}

TEST_F(CompletionTest, NothingMoreThanIsTaken) {
  EXPECT_EQ(texts({"show", "last", ""}), Words());
  EXPECT_EQ(texts({"clean", "a", "b", "o"}), Words({"one", "other"}));
}

TEST_F(CompletionTest, OfFiles) {
  EXPECT_EQ(completion({"lint", "work"}), (Completion{{}, true}));
  EXPECT_EQ(completion({"export", "last", "-o", ""}), (Completion{{}, true}));
  EXPECT_EQ(completion({"send", "last", "--data", ""}), (Completion{{}, false}));
}

// A new option must say what its values are.
TEST_F(CompletionTest, KnowsAllValues) {
  for (const CommandLine* command : commands_for_people(program_)) {
    for (const Option& option : command->options) {
      if (!option.takes_value() || !option.details.choices.empty()) continue;
      EXPECT_NO_THROW(value_of(option)) << command->name << " " << option.name;
    }
  }
}

}  // namespace
}  // namespace agneto::cli
