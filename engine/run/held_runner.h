// Runs programs for a run, and only while this process has the run.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "journal/holds.h"
#include "process/process.h"

namespace agneto::run {

// A program's whole tree has ended before another process may take the run: see GuardedRunner.
// Thread-safe.
class HeldRunner : public process::Runner {
 public:
  // The hold outlives this.
  HeldRunner(std::filesystem::path guard, const journal::Hold& hold, std::string run_id);
  // Throws journal::OwnerLost where the program was ended for that, or the hold is over when it
  // has ended: what became of it is not known, and what it has left is another process's business.
  process::Exit run(const process::Spec& spec, process::Listener& listener,
                    std::stop_token stop) override;

 private:
  const journal::Hold& hold_;
  const std::string run_id_;
  process::GuardedRunner runner_;
};

}  // namespace agneto::run
