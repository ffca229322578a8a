// What the parts of an engine work with.
#pragma once

#include <functional>

#include "agents/caller.h"
#include "base/clock.h"
#include "base/redact.h"
#include "journal/journal.h"
#include "model/machine.h"
#include "process/process.h"
#include "record/event.h"
#include "run/config.h"
#include "run/human.h"
#include "workspace/workspace.h"

namespace agneto::run {

namespace fs = std::filesystem;
using record::Observer;

// Everything outlives the engine.
struct Setup {
  const model::System& system;
  journal::Reader& record;
  journal::Writer& journal;  // of the same journal
  workspace::Workspace& workspace;
  agents::Services& agents;
  process::Runner& runner;
  Clock& clock;
  Human& human;
  Observer& observer;
  const Config& config;
  // Prepares a new worktree: copies files, runs its set-up. Throws Error. May be empty.
  using Furnish = std::function<void(const fs::path&, process::Listener&, std::stop_token)>;
  Furnish furnish = {};
  bool parks = false;      // where the run only waits, its work ends: somebody takes it up again
  Redactor redactor = {};  // for the messages of commits, which are published
};

}  // namespace agneto::run
