#include "record/entry.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/errors.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace agneto::record {
namespace {

using testing::error_of;

Macrostep a_macrostep() {
  Macrostep step;
  step.handled = true;
  step.event = chart::Event{chart::Event::Kind::outcome, "DONE", {{"plan", "short"}}, "CODING#1"};
  step.transitions = {{"PANEL#1", "DONE", "CODING", {"GATE", "WAITING"}, 12}};
  step.effects = {
      chart::NamedCall{"CODING#2", "flow", "CODING", "", 2, "run"},
      chart::AskHuman{"GATE#1",
                      "Good?",
                      "the plan",
                      {{"YES", "Take it", model::Need::none, {}},
                       {"EDIT", "Edit it", model::Need::required, "the plan"}},
                      "YES",
                      model::Need::optional},
      chart::RunCommand{
          "TESTING#1", {"make", "test"}, {{"CI", "1"}}, "web", Millis(2000), {}, true, true},
      chart::GitOperation{"MERGING#1", model::WorkspaceOperation::Kind::merge, "done", false, "v1"},
      chart::OpenWorkspace{"PANEL#1[2]"},
      chart::JoinWorkspaces{"PANEL#1", 3, {1, 3}},
      chart::NamedMachine{"SUB#1", "sub", {{"task", "t"}}},
      chart::StartTimer{"GATE#1/after:1", Millis(5000), true},
      chart::Cancel{"CODING#1"},
      chart::Finish{"FAILED", model::FinalStatus::failed, {{"n", 1}}, "a limit"},
      chart::Suspend{"CODING#1", "nobody takes error.lua"}};
  step.problems = {{"CODING#1", "error.lua", "flow.yaml:3: no"}};
  step.refused = {{"PANEL#2", "error.lua", "flow.yaml:9: no list"}};
  step.caught = {{"GATE#1", "error.lua", "flow.yaml:5: no"}};
  return step;
}

std::vector<Body> one_of_each() {
  return {Queued{"lea", "the server was stopped"},
          Started{"flow", {{"task", "t"}}},
          a_macrostep(),
          Prompt{{2,
                  "claude",
                  "opus",
                  "s1",
                  "Do it",
                  "c0ffee",
                  "no verdict",
                  "CODING#1",
                  "try 1 of 3: exit status 1",
                  "high",
                  {"WebSearch"},
                  {"--max-turns", "5"},
                  {{"A", "b"}},
                  {{"lab", {{"command", {"lab"}}}}}},
                 "a.txt"},
          Said{2, {{Millis(5), "text", "Let me see."}, {Millis(6), "tool", "rg"}}},
          Process{{4711, 99}},
          Reply{{2,
                 "Done",
                 "",
                 "",
                 "s1",
                 {0.5, 10, 20},
                 Millis(1200),
                 {{Millis(5), "tool", "rg"}},
                 Millis(2000)},
                "c0ffee"},
          ProgramCall{{"make", "test"}, "c0ffee"},
          Answered{{{"EDIT", "shorter", "a text"}, "elsewhere", "lea"}},
          Instructed{"be brief"},
          Sent{"go", true, "lea"},
          Noted{"a limit cannot be kept"},
          Refused{"answer", "it is not asked any more"},
          StopAsked{"suspended by a person"},
          AbortAsked{"aborted by a person"},
          Suspended{"a question waits for an answer"},
          Parked{"a timer runs"},
          Resumed{{"the worktree was made anew"}},
          Rewound{7},
          Forked{"first-run", 7},
          Restored{{"refs/agneto/kept/1"}},
          Migrated{2}};
}

TEST(Entry, EachKindSurvivesTheWayToTheJournalAndBack) {
  const std::vector<Body> bodies = one_of_each();
  ASSERT_EQ(bodies.size(), std::variant_size_v<Body>);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_EQ(bodies[i].index(), i);
    const Entry entry{3, Time(Millis(1000)), "CODING#1", bodies[i], false, 9};
    const journal::Entry written = encode(entry);
    const Entry read = decode(written);
    EXPECT_EQ(read.body.index(), i);
    EXPECT_EQ(encode(read).body, written.body) << written.kind;
    EXPECT_EQ(read.seq, 3);
    EXPECT_EQ(read.time, Time(Millis(1000)));
    EXPECT_EQ(read.path, "CODING#1");
    EXPECT_FALSE(read.stands);
    EXPECT_EQ(read.message, 9);
    // A field that is lost on the way would be lost twice.
    for (const auto& [key, value] : written.body.items()) {
      EXPECT_FALSE(value.is_null()) << written.kind << ": " << key;
    }
  }
}

TEST(Entry, IsWrittenAsTheDocumentationOfTheJournalSays) {
  const auto body = [](const Body& of) { return to_text(body_json(of)); };
  EXPECT_EQ(body(Resumed{}), "{}");
  EXPECT_EQ(body(Answered{{{"YES", "", {}}, "person"}}),
            R"({"by":"person","feedback":"","option":"YES"})");
  EXPECT_EQ(body(Reply{{1, "Hi", "", "", "", {}, Millis(1), {{Millis(0), "text", "Hi"}}}}),
            R"({"attempt":1,"cost":0.0,"error":"","event":"","input_tokens":0,"ms":1,)"
            R"("output":[[0,"text","Hi"]],"output_tokens":0,"session":"","text":"Hi"})");
  EXPECT_EQ(body(Prompt{{1, "claude", "opus", "", "Hi", "", ""}}),
            R"({"attempt":1,"checkpoint":"","model":"opus","provider":"claude","session":"",)"
            R"("text":"Hi"})");
  EXPECT_EQ(body(Prompt{{1,
                         "claude",
                         "opus",
                         "",
                         "Hi",
                         "",
                         "",
                         "",
                         "",
                         "high",
                         {"WebSearch"},
                         {"-x"},
                         {{"A", "b"}},
                         {{"lab", {{"url", "http://l"}}}}}}),
            R"({"args":["-x"],"attempt":1,"checkpoint":"","effort":"high","env":{"A":"b"},)"
            R"("mcp":{"lab":{"url":"http://l"}},"model":"opus","provider":"claude","session":"",)"
            R"("text":"Hi","tools":["WebSearch"]})");
  Macrostep step;
  step.effects = {chart::Cancel{"GATE#1"}};
  EXPECT_EQ(body(step),
            R"({"effects":[{"effect":"cancel","path":"GATE#1"}],"event":null,"handled":false,)"
            R"("transitions":[]})");
}

TEST(Entry, SaysWhichOneIsMalformedAndHow) {
  const auto error = [](const std::string& kind, const Json& body) {
    journal::Entry entry;
    entry.seq = 4;
    entry.kind = kind;
    entry.body = body;
    return error_of([&] { decode(entry); });
  };
  EXPECT_EQ(error("guessed", Json::object()),
            "entry 4 (guessed) of the journal cannot be read: this version does not know its kind");
  EXPECT_EQ(error("suspended", Json::object()),
            "entry 4 (suspended) of the journal cannot be read: 'reason' is missing");
  EXPECT_EQ(error("suspended", {{"reason", 7}}),
            "entry 4 (suspended) of the journal cannot be read: 'reason' is of another type than "
            "it should be");
  EXPECT_EQ(error("suspended", Json::array()),
            "entry 4 (suspended) of the journal cannot be read: it is no object");
  const Json effect = {{"effect", "finish"},
                       {"outcome", "X"},
                       {"status", "odd"},
                       {"outputs", nullptr},
                       {"reason", ""}};
  EXPECT_EQ(error("macrostep", {{"handled", true},
                                {"event", nullptr},
                                {"transitions", Json::array()},
                                {"effects", Json::array({effect})}}),
            "entry 4 (macrostep) of the journal cannot be read: 'effects': 'status': 'odd' is not "
            "known to this version");
}

// Journals as programs of their time wrote them: what they say is read, and would be written again.
TEST(Entry, IsReadFromJournalsOfOlderFormats) {
  for (const std::string file : {"format-1.db", "format-2.db", "format-3.db"}) {
    testing::TemporaryFolder folder;
    const std::string copy = folder / "runs.db";
    std::filesystem::copy_file(
        std::filesystem::path(AGNETO_SOURCE_DIR) / "tests/journal/data" / file, copy);
    const auto journal = journal::open_journal(copy);
    std::size_t entries = 0;
    for (const auto& run : journal->list()) {
      for (const auto& entry : journal->entries(run.id)) {
        EXPECT_EQ(encode(decode(entry)).body, entry.body) << file << " " << entry.seq;
        ++entries;
      }
    }
    EXPECT_GT(entries, 10U) << file;
  }
}

}  // namespace
}  // namespace agneto::record
