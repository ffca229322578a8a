// What a call makes durable, and what it shows while it works.
#pragma once

#include <optional>

#include "agents/caller.h"
#include "run/engine/job.h"

namespace agneto::run {

// Used on the call's thread.
//
// More than 25 names: it has each function of CallRecorder, and says afterwards what the call has
// left.
class Recorder : public agents::CallRecorder {
 public:
  // What the call was recorded with so far, by an owner that was interrupted, says which tree was
  // there before it, and the last good point.
  Recorder(const Job& job, const agents::Request& request);

  std::string prepare(int attempt) override;
  std::string keep(int attempt) override;
  void prompt(const agents::PromptRecord& record) override;
  void process(process::ProcessId guard) override;
  std::string obstacle() override;
  void note(const std::string& text) override;
  void edits() override { wrote_ = true; }
  std::string damage() override;
  void reply(const agents::ReplyRecord& record) override;
  void said(int attempt, std::vector<agents::Output> output) override;
  void progress(const std::string& kind, const std::string& text) override;

  // May the call change files?
  bool may_edit() const { return edits_; }
  // Checkpoints; empty until `prepare`. The last good point is the tree that a good reply to this
  // owner has left, or else that before the last prompt.
  const std::string& before() const { return before_; }
  const std::string& good() const { return after_.empty() ? good_ : after_; }
  // The tree that an editing call has left; empty until it is answered.
  const std::string& after() const { return after_; }
  // What is known of an attempt that was stopped; it is not recorded yet.
  const std::optional<record::Reply>& stopped() const { return stopped_; }
  // What was wrong with the last attempt, and whether its provider refused it.
  const std::string& problem() const { return problem_; }
  bool refused() const { return refused_; }
  // Did a process run, or a driver edit? If not, the tree is as it was.
  bool may_have_written() const { return wrote_; }

 private:
  // What an attempt has changed that came to nothing is undone before the next one, and kept.
  void undo_attempt();

  const Job& job_;
  const agents::Request& request_;
  const bool edits_;
  std::string before_;
  std::string good_;
  std::string after_;
  std::optional<record::Reply> stopped_;
  std::string problem_;
  bool refused_ = false;
  bool wrote_ = false;
};

}  // namespace agneto::run
