// What a call's thread must make durable, and what it shows while it works.
#pragma once

#include "agents/caller.h"
#include "run/engine.h"

namespace agneto::run {

// Used on the worker's thread; writes the journal itself and posts the rest to the engine.
class Recorder : public agents::CallRecorder {
 public:
  Recorder(Engine& engine, std::string path, std::string agent, std::string state, bool edits,
           std::string checkpoint);

  std::string prepare(int attempt) override;
  void prompt(const agents::PromptRecord& record) override;
  void process(process::ProcessId guard) override;
  void reply(const agents::ReplyRecord& record) override;
  void progress(const std::string& kind, const std::string& text) override;

  // The tree before the call; empty until `prepare`.
  const std::string& checkpoint() const { return checkpoint_; }

 private:
  void append(std::string kind, Json body);
  void show(std::string kind, Json data);

  Engine& engine_;
  std::string path_;
  std::string agent_;
  std::string state_;
  bool edits_;
  std::string checkpoint_;
};

}  // namespace agneto::run
