// A run without a network, a model, git or a real clock: everything but the engine is scripted.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/files.h"
#include "model/load.h"
#include "run/engine/engine.h"
#include "run/fakes.h"
#include "run/prepare.h"
#include "script/evaluator.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace agneto::run {

// Refuses the n-th write and all after it, as a disk that has gone does.
class FailingJournal : public journal::Writer {
 public:
  explicit FailingJournal(std::unique_ptr<journal::Journal>& inner) : inner_(inner) {}
  std::atomic<int> writes_left = -1;  // -1: never fails
  std::atomic<bool> lost = false;     // another owner has taken the run

  void create(const journal::RunRecord& run, const std::map<std::string, std::string>& sources,
              std::vector<journal::Entry> entries, Json state) override {
    inner_->create(run, sources, std::move(entries), std::move(state));
  }
  journal::Seq append(const std::string& id, std::vector<journal::Entry> entries, Json state,
                      const journal::RunRecord* run,
                      const std::vector<journal::MessageId>& handled) override {
    std::lock_guard lock(mutex_);
    if (lost) throw journal::OwnerLost("run r has another owner by now: process 7");
    if (writes_left == 0) throw Error("the disk is full", "make room");
    if (writes_left > 0) --writes_left;
    return inner_->append(id, std::move(entries), std::move(state), run, handled);
  }

 private:
  std::unique_ptr<journal::Journal>& inner_;
  std::mutex mutex_;
};

// The workflow and drivers from memory, the hook library and real drivers from the source tree.
class TestFiles : public Files {
 public:
  MemoryFiles memory;
  std::optional<std::string> read(const fs::path& path) const override {
    auto text = memory.read(path);
    return text ? text : disk_.read(path);
  }

 private:
  Disk disk_;
};

class EngineTest : public ::testing::Test {
 protected:
  // A hook that asks plainly; a driver that answers what `replies` holds for the agent, in order,
  // edits the fake tree where a reply is called EDIT, and stands still where it is WAIT.
  void load(const std::string& yaml) {
    engine.reset();
    files.memory.add("/w/hook.lua",
                     "return {prompt = function(m) return 'work on ' .. "
                     "tostring(m.inputs.task) end}");
    files.memory.add("/w/flow.yaml", yaml);
    loaded = load_workflow("/w/flow.yaml", files, {});
    evaluator = check_scripts(*loaded.system, files, modules);
    chart.emplace(*loaded.system, *evaluator);
    for (const auto& agent : {"worker", "judge"}) config.agents[agent].provider = "offline";
  }

  void reply(const std::string& agent, const std::string& verdict) {
    calls.push_back({{"agent", agent}, {"reply", "VERDICT: " + verdict}});
  }

  Engine& make(RunState state = {}, std::optional<chart::Instance> instance = {}) {
    config.providers["offline"]["cassette"] = {{"agneto-cassette", 1}, {"calls", calls}};
    journal::RunRecord line = store->find("r").value_or(journal::RunRecord{});
    line.id = "r";
    line.workflow = "flow";
    line.file = "/w/flow.yaml";
    if (line.status.empty()) line.status = "running";
    if (line.task.empty()) line.task = given_task;
    if (!instance) instance.emplace(*chart, chart::RunInfo{"r", human.there, false});
    engine.reset();
    engine =
        std::make_unique<Engine>(run::Setup{*loaded.system, *store, failing, *place, services,
                                            runner, clock, human, seen, config, furnish, parks},
                                 std::move(line), std::move(*instance), std::move(state));
    return *engine;
  }

  ExitStatus start(Json inputs = {{"task", "it"}}) {
    make().begin(inputs, {});
    return engine->work();
  }

  // Starts a run whose journal fails at the write behind so many, as where its process dies; false:
  // there were not so many.
  bool crashes_behind(int writes) {
    failing.writes_left = writes;
    bool crashed = false;
    try {
      start();
    } catch (const Error& error) {
      crashed = true;
      EXPECT_STREQ(error.what(), "the disk is full");
      EXPECT_EQ(error.help(), "make room; then continue with 'agneto resume r'");
    }
    failing.writes_left = -1;
    return crashed;
  }

  // As a new process would.
  Engine& reopen() {
    restore().resume();
    return *engine;
  }
  Engine& restore() {
    Json saved = store->state("r");
    auto instance = chart::Instance::restore(*chart, saved.at("instance"));
    RunState state = RunState::from_json(saved.at("run"), *loaded.system);
    return make(std::move(state), std::move(instance));
  }

  std::vector<record::Entry> recorded() const { return record::decode(store->entries("r")); }
  std::vector<std::string> kinds() const {
    std::vector<std::string> names;
    for (const auto& entry : store->entries("r")) names.push_back(entry.kind);
    return names;
  }
  int count(const std::string& kind) const {
    auto names = kinds();
    return static_cast<int>(std::count(names.begin(), names.end(), kind));
  }

  // Each call makes another journal, and the one before is gone.
  void renew_journal() {
    engine.reset();
    store = journal::open_journal(journal_folder / (std::to_string(++journals) + ".db"));
  }

  agneto::testing::TemporaryFolder journal_folder{"/dev/shm"};  // a disk would be waited for
  int journals = 0;
  std::string given_task;  // of the runs that are made
  TestFiles files;
  script::ModulePaths modules{{"/w"}, AGNETO_SOURCE_DIR "/scripts/lib"};
  model::Loaded loaded;
  std::unique_ptr<chart::Evaluator> evaluator;
  std::optional<chart::Chart> chart;
  Config config;
  run::Setup::Furnish furnish;
  std::unique_ptr<journal::Journal> store = journal::open_journal(journal_folder / "0.db");
  bool parks = false;  // does a server work on the runs?
  FailingJournal failing{store};
  FakeWorkspace workspace;
  workspace::Workspace* place = &workspace;
  NoRunner runner;
  TestClock clock;
  ScriptedHuman human;
  Listening seen;
  agents::Services services{files,
                            modules,
                            {AGNETO_SOURCE_DIR "/scripts/providers"},
                            runner,
                            clock,
                            [] { return 0.5; },
                            [] { return std::string("00000000-0000-4000-8000-000000000000"); }};
  Json calls = Json::array();
  std::unique_ptr<Engine> engine;
};

}  // namespace agneto::run
