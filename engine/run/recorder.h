// What a call's thread must make durable, and what it shows while it works.
#pragma once

#include "agents/caller.h"
#include "run/engine.h"

namespace agneto::run {

// Used on the worker's thread; writes the journal itself and posts the rest to the engine.
class Recorder : public agents::CallRecorder {
 public:
  // `before`: the tree before the call, `good`: the last good point, where an interrupted owner had
  // recorded them; else empty.
  Recorder(Engine& engine, SharedWorkspace& tree, std::string path, std::string agent,
           std::string state, bool edits, std::string before = {}, std::string good = {});

  std::string prepare(int attempt) override;
  std::string keep(int attempt) override;
  void prompt(const agents::PromptRecord& record) override;
  void process(process::ProcessId guard) override;
  void edits() override { wrote_ = true; }
  std::string damage() override;
  void reply(const agents::ReplyRecord& record) override;
  void progress(const std::string& kind, const std::string& text) override;

  // Checkpoints; empty until `prepare`.
  const std::string& before() const { return before_; }
  const std::string& good() const { return good_; }
  // Of an editing call that has just been answered; else empty.
  const std::string& after() const { return after_; }
  // Did a process run, or a driver edit? If not, the tree is as it was.
  bool may_have_written() const { return wrote_; }

 private:
  void append(record::Body body);
  void show(std::string kind, Json data);

  Engine& engine_;
  SharedWorkspace& tree_;
  std::string path_;
  std::string agent_;
  std::string state_;
  bool edits_;
  std::string before_;
  std::string good_;
  std::string after_;
  bool wrote_ = false;
};

// Notes the process of a worktree's set-up, so that a next owner can end it.
class SetupListener : public process::Listener {
 public:
  explicit SetupListener(Recorder& recorder) : recorder_(recorder) {}
  void started(process::ProcessId guard) override { recorder_.process(guard); }

 private:
  Recorder& recorder_;
};

}  // namespace agneto::run
