// What the parts of an engine work with, scripted: no network, no model, no git, no real clock.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "journal/journal.h"
#include "process/process.h"
#include "record/event.h"
#include "run/human.h"
#include "workspace/workspace.h"

namespace agneto::run {

inline constexpr Millis hour{3'600'000};

// Time passes only while somebody sleeps.
class TestClock : public Clock {
 public:
  Time now() const override { return Time(Millis(elapsed_ + set_)); }
  Millis elapsed() const override { return Millis(elapsed_.load()); }
  bool sleep(Millis duration, std::stop_token stop) override {
    if (stop.stop_requested()) return false;
    if (duration >= endless) return wait_for(stop);
    advance(duration);
    std::this_thread::yield();
    return true;
  }
  void advance(Millis duration) { elapsed_ += duration.count(); }
  // Somebody sets the clock, backwards.
  void put_back(Millis by) { set_ -= by.count(); }
  // Who sleeps so long sleeps until somebody stops it.
  Millis endless = Millis::max();

 private:
  static bool wait_for(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait(lock, stop, [] { return false; });
    return false;
  }

  std::atomic<std::int64_t> elapsed_{0};
  std::atomic<std::int64_t> set_{1'000'000};
};

// Keeps what is written.
class FakeJournal : public journal::Writer {
 public:
  struct Write {
    std::vector<journal::Entry> entries;
    Json state;
    std::optional<journal::RunRecord> run;
    std::vector<journal::MessageId> handled;
  };
  void create(const journal::RunRecord& run, const std::map<std::string, std::string>& files,
              std::vector<journal::Entry> entries, Json state) override {
    sources = files;
    append(run.id, std::move(entries), std::move(state), &run, {});
  }
  journal::Seq append(const std::string&, std::vector<journal::Entry> entries, Json state,
                      const journal::RunRecord* run,
                      const std::vector<journal::MessageId>& handled) override {
    if (full) throw Error("the disk is full");
    writes.push_back({std::move(entries), std::move(state), {}, handled});
    if (run) writes.back().run = *run;
    return 0;
  }
  std::map<std::string, std::string> sources;
  std::vector<Write> writes;
  bool full = false;
};

// A tree that is a number; every edit makes it another.
template <typename Interface = workspace::Checkpoints>
class FakeTree : public Interface {
 public:
  using Interface::Interface;
  std::string checkpoint(const std::string&) override {
    return std::to_string(edited_behind_our_back ? tree++ : tree.load());
  }
  void restore(const std::string& checkpoint) override {
    if (!checkpoint.empty()) tree = std::stoi(checkpoint);
    ++restored;
    there = true;
  }
  bool changed_since(const std::string& checkpoint) override {
    return tree != std::stoi(checkpoint);
  }
  std::string rescue(const std::string& checkpoint) override {
    return !checkpoint.empty() && changed_since(checkpoint) ? "refs/agneto/r/rescued-1" : "";
  }
  bool intact() const override { return there; }
  void lend(bool to_edit) override {
    ++lent;
    lent_to_edit = to_edit;
  }
  void give_back() override { ++given_back; }
  std::vector<std::string> put_right() override { return std::exchange(misdeeds, {}); }
  std::vector<std::string> left_changed() override { return std::exchange(for_good, {}); }
  std::string obstacle_to_commit() override { return obstacle; }

  std::atomic<int> tree{1};
  std::atomic<int> restored{0};
  int lent = 0, given_back = 0;
  bool lent_to_edit = false;            // the last time
  bool there = true;                    // nobody has deleted its folder
  bool edited_behind_our_back = false;  // the next call changes files
  std::vector<std::string> misdeeds;    // what is put right next
  std::vector<std::string> for_good;    // what was changed and cannot be undone
  std::string obstacle;                 // to a commit
};

class FakeWorkspace : public FakeTree<workspace::Workspace> {
 public:
  explicit FakeWorkspace(const fs::path& folder = "/tree") : FakeTree(folder, "main", "agneto/r") {}
  workspace::Changes since_base() override { return {"whole diff", {"a.txt"}, "b0", "h0"}; }
  workspace::Changes since_last_commit() override { return {"chunk diff", {"a.txt"}, "b0", "h0"}; }
  std::vector<std::string> foreign_commits() override { return {}; }
  std::vector<std::string> rewind(const std::string& checkpoint) override {
    tree = checkpoint.empty() ? 1 : std::stoi(checkpoint);
    return {"refs/agneto/r/rescued-1"};
  }
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
  std::unique_ptr<workspace::Workspace> fork(const std::string& label) override {
    const std::lock_guard lock(mutex);
    forks.insert(label);
    auto fork = std::make_unique<FakeWorkspace>(path() / label);
    fork->tree = tree.load();
    return fork;
  }
  workspace::Joined join(const workspace::Join& join) override {
    const std::lock_guard lock(mutex);
    workspace::Joined found;
    for (const auto& label : join.forks) forks.erase(label);
    joined[join.effect].clear();
    for (const auto& label : join.wanted) {
      if (conflicting.contains(label)) {
        found.conflicts.push_back({label, "agneto/r." + label, {"a.txt"}});
      } else {
        joined[join.effect].push_back(label);
        if (idle.contains(label)) found.unchanged.push_back(label);
      }
    }
    return found;
  }

  bool busy = false;  // another run merges
  std::set<std::string> done;
  std::vector<std::string> messages;

  std::mutex mutex;
  std::set<std::string> forks;                             // that exist
  std::map<std::string, std::vector<std::string>> joined;  // what was brought in, by effect
  std::set<std::string> conflicting;                       // labels
  std::set<std::string> idle;                              // labels of forks that change nothing
};

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
class Listening : public record::Observer {
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

}  // namespace agneto::run
