// What an Assembly owns, for those that put one together: assemble_new.cpp and assemble_again.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "journal/holds.h"
#include "run/assembly.h"
#include "run/config.h"
#include "run/held_runner.h"
#include "run/new_run.h"
#include "run/prepare.h"
#include "run/sandbox/sandbox.h"
#include "run/secrets.h"
#include "run/wakeup.h"

namespace agneto::run {

// Each is used by those below it.
struct Assembly::Parts {
  Disk disk;
  SystemClock clock;
  std::unique_ptr<Files> files;  // the run's sources
  model::Loaded loaded;
  std::unique_ptr<chart::Evaluator> evaluator;
  std::optional<chart::Chart> chart;
  Config config;
  std::shared_ptr<journal::Hold> hold;
  std::unique_ptr<StartMark> mark;
  std::shared_ptr<journal::Journal> journal;
  std::unique_ptr<workspace::Workspace> workspace;
  std::unique_ptr<HeldRunner> runner;
  std::unique_ptr<SandboxedRunner> sandbox;  // uses `runner`; null: the configuration wants none
  std::unique_ptr<agents::Services> services;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<journal::Watch> watch;     // calls the engine
  std::unique_ptr<WakeupListener> listener;  // does so where the journal does not
  std::string run_id;
  std::string record_file;
  fs::path root;       // the repository
  Redactor redactor;   // of what is shown of runs there
  bool parks = false;  // as Setup has it

  Parts() = default;
  // What other runs of this process use, too, forgets this one.
  ~Parts() {
    watch.reset();
    listener.reset();
    engine.reset();
    if (journal) journal->release(run_id);
  }

  Setup setup(Human& human, Observer& observer) {
    const auto furnish_fork = [this](const fs::path& fork, process::Listener& listener,
                                     std::stop_token stop) {
      furnish(fork, root, config, worker(), listener, std::move(stop));
    };
    return {*loaded.system, *journal, *journal, *workspace,   *services, worker(), clock,
            human,          observer, config,   furnish_fork, parks,     redactor};
  }
  // It runs agents, and programs that agents may have written.
  process::Runner& worker() const {
    return sandbox ? static_cast<process::Runner&>(*sandbox) : *runner;
  }
  // Once the workspace is there. `folder` has the team's drivers. Throws Error where a sandbox is
  // wanted and cannot be had.
  void make_sandbox(const fs::path& folder, const Resources& resources);
};

// What calls to agents need.
std::unique_ptr<agents::Services> make_services(const Files& files,
                                                const script::ModulePaths& modules,
                                                const std::vector<fs::path>& folders,
                                                process::Runner& runner, Clock& clock,
                                                Redactor redactor);

}  // namespace agneto::run
