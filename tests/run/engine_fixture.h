// A run without a network, a model, git or a real clock: everything but the engine is scripted.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/files.h"
#include "model/load.h"
#include "run/engine/engine.h"
#include "run/prepare.h"
#include "script/evaluator.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace agneto::run {

// Time passes only while somebody sleeps.
class TestClock : public Clock {
 public:
  Time now() const override { return Time(Millis(elapsed_ + set_)); }
  Millis elapsed() const override { return Millis(elapsed_.load()); }
  bool sleep(Millis duration, std::stop_token stop) override {
    if (stop.stop_requested()) return false;
    advance(duration);
    std::this_thread::yield();
    return true;
  }
  void advance(Millis duration) { elapsed_ += duration.count(); }
  // Somebody sets the clock, backwards.
  void put_back(Millis by) { set_ -= by.count(); }

 private:
  std::atomic<std::int64_t> elapsed_{0};
  std::atomic<std::int64_t> set_{1'000'000};
};

// A tree that is a number; every edit makes it another.
class FakeWorkspace : public workspace::Workspace {
 public:
  explicit FakeWorkspace(const fs::path& folder = "/tree")
      : Workspace(folder, "main", "agneto/r") {}
  std::string checkpoint(const std::string&) override {
    std::string before = std::to_string(tree.load());
    if (edited_behind_our_back) ++tree;
    return before;
  }
  void restore(const std::string& checkpoint) override {
    if (!checkpoint.empty()) tree = std::stoi(checkpoint);
    ++restored;
  }
  bool changed_since(const std::string& checkpoint) override {
    return tree != std::stoi(checkpoint);
  }
  std::string rescue(const std::string& checkpoint) override {
    return !checkpoint.empty() && changed_since(checkpoint) ? "refs/agneto/r/rescued-1" : "";
  }
  std::vector<std::string> foreign_commits() override { return foreign; }
  std::vector<std::string> rewind(const std::string& checkpoint) override {
    tree = checkpoint.empty() ? 1 : std::stoi(checkpoint);
    return {"refs/agneto/r/rescued-1"};
  }
  bool intact() const override { return true; }
  void lend() override { ++lent; }
  std::vector<std::string> put_right() override { return std::exchange(misdeeds, {}); }
  workspace::Changes since_base() override { return {"whole diff", {"a.txt"}, "b0", "h0"}; }
  workspace::Changes since_last_commit() override { return {"chunk diff", {"a.txt"}, "b0", "h0"}; }
  workspace::Result commit(const std::string& message, const std::string& effect) override {
    if (done.insert(effect).second) messages.push_back(message);
    return {workspace::Result::Kind::ok, "c0ffee", "", {"a.txt"}};
  }
  workspace::Result discard(const std::string&) override { return {}; }
  workspace::Result merge(const workspace::MergeRequest& request) override {
    messages.push_back(request.message);
    if (busy) return {workspace::Result::Kind::busy, "", "another merge is under way", {}};
    return {workspace::Result::Kind::conflict, "", "both changed a.txt", {"a.txt"}};
  }
  std::unique_ptr<workspace::Workspace> fork(const std::string& label) override;
  std::vector<workspace::Conflict> join(const workspace::Join& join) override {
    std::lock_guard lock(mutex);
    std::vector<workspace::Conflict> found;
    for (const auto& label : join.forks) forks.erase(label);
    joined[join.effect].clear();
    for (const auto& label : join.wanted) {
      if (conflicting.contains(label)) {
        found.push_back({label, "agneto/r." + label, {"a.txt"}});
      } else {
        joined[join.effect].push_back(label);
      }
    }
    return found;
  }

  bool edited_behind_our_back = false;  // the next call changes files
  bool busy = false;                    // another run merges
  int lent = 0;
  std::vector<std::string> misdeeds;  // what is put right next
  std::atomic<int> tree{1};
  std::atomic<int> restored{0};
  std::set<std::string> done;
  std::vector<std::string> messages;
  std::vector<std::string> foreign;

  std::mutex mutex;
  std::map<std::string, std::shared_ptr<FakeWorkspace>> forks;  // that exist, by label
  std::map<std::string, std::vector<std::string>> joined;       // what was brought in, by effect
  std::set<std::string> conflicting;                            // labels
};

// A fork outlives those who have it open.
class OpenFork : public workspace::Workspace {
 public:
  explicit OpenFork(std::shared_ptr<FakeWorkspace> fork)
      : Workspace(fork->path(), fork->base(), fork->branch()), fork_(std::move(fork)) {}
  std::string checkpoint(const std::string& label) override { return fork_->checkpoint(label); }
  void restore(const std::string& checkpoint) override { fork_->restore(checkpoint); }
  bool changed_since(const std::string& id) override { return fork_->changed_since(id); }
  std::string rescue(const std::string& id) override { return fork_->rescue(id); }
  std::vector<std::string> foreign_commits() override { return fork_->foreign_commits(); }
  std::vector<std::string> rewind(const std::string& id) override { return fork_->rewind(id); }
  bool intact() const override { return fork_->intact(); }
  void lend() override { fork_->lend(); }
  std::vector<std::string> put_right() override { return fork_->put_right(); }
  workspace::Changes since_base() override { return fork_->since_base(); }
  workspace::Changes since_last_commit() override { return fork_->since_last_commit(); }
  workspace::Result commit(const std::string& message, const std::string& effect) override {
    return fork_->commit(message, effect);
  }
  workspace::Result discard(const std::string& effect) override { return fork_->discard(effect); }
  workspace::Result merge(const workspace::MergeRequest& r) override { return fork_->merge(r); }
  std::unique_ptr<workspace::Workspace> fork(const std::string& label) override {
    return fork_->fork(label);
  }
  std::vector<workspace::Conflict> join(const workspace::Join& join) override {
    return fork_->join(join);
  }

 private:
  std::shared_ptr<FakeWorkspace> fork_;
};

inline std::unique_ptr<workspace::Workspace> FakeWorkspace::fork(const std::string& label) {
  std::lock_guard lock(mutex);
  auto& fork = forks[label];
  if (!fork) {
    fork = std::make_shared<FakeWorkspace>(path() / label);
    fork->tree = tree.load();
  }
  return std::make_unique<OpenFork>(fork);
}

class NoRunner : public process::Runner {
 public:
  process::Exit run(const process::Spec& spec, process::Listener& listener,
                    std::stop_token stop) override {
    if (doing) doing(spec, stop);
    std::lock_guard lock(mutex);
    listener.started({1, 1});
    for (const auto& line : prints) listener.line(line);
    started.push_back(spec.argv);
    places.push_back(spec.cwd);
    process::Exit exit = exits.empty() ? process::Exit{} : exits.front();
    if (!exits.empty()) exits.pop_front();
    if (stop.stop_requested()) exit.kind = process::Exit::Kind::stopped;
    return exit;
  }
  std::mutex mutex;
  std::vector<std::vector<std::string>> started;
  std::vector<fs::path> places;
  std::deque<process::Exit> exits;
  std::vector<std::string> prints;
  std::function<void(const process::Spec&, std::stop_token)> doing;  // what a program does
};

class ScriptedHuman : public Human {
 public:
  bool present() const override { return there; }
  void ask(const Question& question, std::function<void(Answer)> answer) override {
    asked.push_back(question);
    if (answers.empty()) return;
    Answer next = answers.front();
    answers.pop_front();
    answer(next);
  }
  void withdraw(const std::string& path, const std::string& why) override {
    withdrawn.push_back(path + (why.empty() ? "" : ": " + why));
  }
  void interrupted(std::function<void(Interrupt)> answer) override {
    if (hesitates) return;
    ASSERT_FALSE(interrupts.empty());
    Interrupt next = interrupts.front();
    interrupts.pop_front();
    answer(next);
  }

  bool there = true;
  bool hesitates = false;  // does not say what next after an interrupt
  std::deque<Answer> answers;
  std::deque<Interrupt> interrupts;
  std::vector<Question> asked;
  std::vector<std::string> withdrawn;
};

// An event as JSON, as programs see it.
struct Heard {
  std::string kind, path;
  Json data;

  explicit Heard(const record::RunEvent& event)
      : kind(event.kind()), path(event.path), data(record::body_json(event.body)) {}
};

// Keeps what it hears; `on` runs something when a kind of event is heard first.
class Listening : public Observer {
 public:
  void event(const record::RunEvent& event) override {
    events.emplace_back(event);
    if (auto found = on.find(events.back().kind); found != on.end()) {
      auto act = std::move(found->second);
      on.erase(found);
      act();
    }
  }
  std::vector<Heard> of(const std::string& kind) const {
    std::vector<Heard> found;
    for (const auto& event : events) {
      if (event.kind == kind) found.push_back(event);
    }
    return found;
  }
  std::vector<Heard> events;
  std::map<std::string, std::function<void()>> on;
};

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
    loaded = load_workflow("/w/flow.yaml", files);
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
    engine = std::make_unique<Engine>(run::Setup{*loaded.system, *store, failing, *place, services,
                                                 runner, clock, human, seen, config, furnish},
                                      std::move(line), std::move(*instance), std::move(state));
    return *engine;
  }

  ExitStatus start(Json inputs = {{"task", "it"}}) {
    make().begin(inputs, {});
    return engine->work();
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
  script::ModulePaths modules{"/w", AGNETO_SOURCE_DIR "/scripts/lib"};
  model::Loaded loaded;
  std::unique_ptr<chart::Evaluator> evaluator;
  std::optional<chart::Chart> chart;
  Config config;
  run::Setup::Furnish furnish;
  std::unique_ptr<journal::Journal> store = journal::open_journal(journal_folder / "0.db");
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
