// The worktree across crashes, and where somebody deletes it: what was approved is what is
// committed.
#include <fstream>
#include <iterator>

#include "run/engine_fixture.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

using Tree = std::map<std::string, std::string>;  // file -> text

// A folder whose checkpoints are copies of its files.
class FolderWorkspace : public FakeWorkspace {
 public:
  explicit FolderWorkspace(const fs::path& folder) : FakeWorkspace(folder) { make({}); }

  std::string checkpoint(const std::string&) override {
    auto now = tree();
    auto found = std::find(trees_.begin(), trees_.end(), now);
    if (found == trees_.end()) found = trees_.insert(found, now);
    return std::to_string(found - trees_.begin());
  }
  void restore(const std::string& checkpoint) override {
    make(checkpoint.empty() ? committed : trees_.at(std::stoul(checkpoint)));
    renewed_ = false;
  }
  bool changed_since(const std::string& checkpoint) override {
    return tree() != trees_.at(std::stoul(checkpoint));
  }
  std::string rescue(const std::string& checkpoint) override {
    open();
    if (renewed_ || !changed_since(checkpoint)) return {};
    rescued.push_back(tree());
    return "refs/agneto/r/rescued-" + std::to_string(rescued.size());
  }
  bool intact() const override { return !renewed_ && fs::exists(path()); }
  workspace::Result commit(const std::string& message, const std::string& effect) override {
    if (done.insert(effect).second) messages.push_back(message);
    committed = tree();
    return {workspace::Result::Kind::ok, "c0ffee", "", {}};
  }

  Tree tree() const {
    if (!fs::exists(path())) throw Error("cannot work in '" + path().string() + "'");
    Tree files;
    for (const auto& entry : fs::directory_iterator(path())) {
      std::ifstream file(entry.path());
      files[entry.path().filename()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return files;
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path() / name) << text;
  }
  // As a new process finds it.
  void open() {
    if (fs::exists(path())) return;
    make(committed);
    renewed_ = true;
  }

  Tree committed;
  std::vector<Tree> rescued;

 private:
  void make(const Tree& files) const {
    fs::remove_all(path());
    fs::create_directories(path());
    for (const auto& [name, text] : files) write(name, text);
  }

  std::vector<Tree> trees_;
  bool renewed_ = false;
};

// The worker writes work.txt; the judge and the test command write what they may not.
constexpr const char* restored_flow = R"yaml(agneto: 1
name: flow
inputs:
  task: {type: string, main: true}
agents:
  worker: {hooks: hook.lua, access: edit}
  judge: {hooks: hook.lua, access: read-only}
initial: WORKING
states:
  WORKING: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: JUDGING, error: FAILED}}
  JUDGING: {agent: {name: judge, verdicts: {OK: {}}}, on: {OK: TESTING, error: FAILED}}
  TESTING: {run: {argv: [test], access: read-only}, on: {ok: COMMITTING, failed: FAILED}}
  COMMITTING:
    workspace: {commit: {message: work}}
    on: {ok: FINISHED, failed: FAILED}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
)yaml";

class RestoringTest : public EngineTest {
 protected:
  RestoringTest() { place = &tree; }

  void begin() {
    renew_journal();
    calls = Json::array();
    load(restored_flow);
    reply("worker", "DONE");
    calls.back()["edits"] = {{"work.txt", "approved"}};
    reply("judge", "OK");
    calls.back()["edits"] = {{"work.txt", "vandalised"}, {"evil.txt", "evil"}};
    runner.doing = [this](const process::Spec&, std::stop_token) {
      tree.write("junk.txt", "junk");
    };
  }
  // False: it ended before the journal failed.
  bool crash_after(int writes) {
    failing.writes_left = writes;
    try {
      start();
    } catch (const Error&) {
      failing.writes_left = -1;
      return true;
    }
    return false;
  }
  std::vector<std::string> notes() const {
    std::vector<std::string> texts;
    for (const auto& event : seen.of("note")) texts.push_back(event.data.at("text"));
    return texts;
  }

  agneto::testing::TemporaryFolder folder;
  FolderWorkspace tree{folder / "tree"};
  const Tree approved = {{"work.txt", "approved"}};
};

TEST_F(RestoringTest, WhatWasApprovedIsCommittedWithoutWhatOthersLeft) {
  begin();
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(tree.committed, approved);
  EXPECT_EQ(seen.of("workspace.undone").size(), 1u);
  EXPECT_THAT(notes(), ElementsAre("what the command left in the worktree was taken back"));
  EXPECT_EQ(count("noted"), 1);
}

TEST_F(RestoringTest, ACrashAtAnyWriteChangesNothingOfThat) {
  int points = 0;
  for (;; ++points) {
    tree.committed.clear();
    tree.restore("");
    begin();
    if (!crash_after(points)) break;
    tree.open();
    reopen();
    EXPECT_EQ(engine->work(), ExitStatus::complete) << "crash before write " << points;
    EXPECT_EQ(tree.committed, approved) << "crash before write " << points;
  }
  EXPECT_GE(points, 9);
}

TEST_F(RestoringTest, NorDoesItWhereTheFolderIsDeletedMeanwhile) {
  int points = 0;
  for (;; ++points) {
    tree.committed.clear();
    tree.restore("");
    begin();
    if (!crash_after(points)) break;
    fs::remove_all(tree.path());
    tree.open();
    reopen();
    EXPECT_EQ(engine->work(), ExitStatus::complete) << "crash before write " << points;
    EXPECT_EQ(tree.committed, approved) << "crash before write " << points;
    EXPECT_THAT(notes(), ::testing::Contains("the worktree was deleted; it is made anew as it was "
                                             "at the last checkpoint"));
  }
  EXPECT_GE(points, 9);
}

TEST_F(RestoringTest, WhatAPersonChangedBeforeAResumeIsKept) {
  begin();
  ASSERT_TRUE(crash_after(4)) << "while the judge was asked";
  seen.events.clear();
  tree.write("fix.txt", "a person's");
  reopen();
  ASSERT_THAT(tree.rescued, ElementsAre(::testing::Contains(Pair("fix.txt", "a person's"))));
  EXPECT_THAT(
      notes(),
      ElementsAre("what was changed in the worktree since the last checkpoint is undone, and kept; "
                  "to have it back: git diff --binary 1 refs/agneto/r/rescued-1 | git apply"));
  EXPECT_EQ(engine->work(), ExitStatus::complete);
  EXPECT_EQ(tree.committed, approved);
}

TEST_F(RestoringTest, AFolderThatVanishesBetweenTwoStepsIsMadeAnew) {
  begin();
  seen.on["agent.finished"] = [this] { fs::remove_all(tree.path()); };
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(tree.committed, approved);
  EXPECT_THAT(notes(), ::testing::Contains("the worktree was deleted; it is made anew as it was at "
                                           "the last checkpoint"));
}

// Dependencies that git ignores are in no checkpoint; what a set-up does to the others is undone.
TEST_F(RestoringTest, WhatIsMadeAnewIsFurnishedBeforeAnybodyWorksThere) {
  begin();
  int furnished = 0;
  furnish = [&](const fs::path& anew, process::Listener&, std::stop_token) {
    ++furnished;
    EXPECT_EQ(anew, tree.path());
    EXPECT_EQ(tree.tree(), approved) << "as it was";
    tree.write("work.txt", "overwritten");
  };
  seen.on["agent.finished"] = [this] { fs::remove_all(tree.path()); };
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(furnished, 1);
  EXPECT_EQ(tree.committed, approved);
}

TEST_F(RestoringTest, AFurnishingThatFailsStopsTheRunAndIsTriedAgain) {
  begin();
  furnish = [&](const fs::path&, process::Listener&, std::stop_token) {
    throw Error("workspace.setup failed");
  };
  seen.on["agent.finished"] = [this] { fs::remove_all(tree.path()); };
  try {
    start();
    FAIL() << "it worked without its dependencies";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "workspace.setup failed");
    EXPECT_EQ(error.help(), "continue with 'agneto resume r'");
  }
}

TEST_F(RestoringTest, WhatWasDoneToGitIsPutRightAndSaidOfThoseWhoDidIt) {
  begin();
  tree.misdeeds = {"left HEAD nowhere"};
  runner.doing = [this](const process::Spec&, std::stop_token) {
    tree.misdeeds = {"changed core.pager"};
  };
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_THAT(notes(), ElementsAre("worker left HEAD nowhere", "the command changed core.pager"));
  std::vector<std::string> told;
  for (const auto& entry : recorded()) {
    const auto* reply = entry.get<record::Reply>();
    if (reply) told.insert(told.end(), reply->put_right.begin(), reply->put_right.end());
  }
  EXPECT_THAT(told, ElementsAre("worker left HEAD nowhere"));
  EXPECT_EQ(tree.lent, 5) << "each time that nobody else was at work, and behind each attempt";
}

TEST_F(RestoringTest, ACallWhoseFolderVanishesIsTriedAgain) {
  begin();
  calls[0].erase("edits");
  services.new_uuid = [this, made = 0]() mutable {  // while the call is made
    ++made;
    if (made == 1) fs::remove_all(tree.path());
    if (made == 2) tree.write("work.txt", "approved");
    return std::string("00000000-0000-4000-8000-000000000000");
  };
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(tree.committed, approved);
  ASSERT_EQ(seen.of("agent.retry").size(), 1u);
  EXPECT_EQ(seen.of("agent.retry")[0].data.at("reason"),
            "try 1 of 3: the worktree " + tree.path().string() +
                " was deleted or moved during the call, and the work with it");
}

}  // namespace
}  // namespace agneto::run
