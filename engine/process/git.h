// The git command line under this house's rules: no hooks, no signing, no prompts, no housekeeping,
// stable English messages, and what git is told to write reaches the disk.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "process/process.h"

namespace agneto::process {

using Arguments = std::vector<std::string>;

// Another program keeps a lock of git's, or has left it behind.
class Locked : public CutOff {
 public:
  using CutOff::CutOff;
};

// While it exists, a git that this thread runs is ended once a stop is asked for, if it has been at
// work for `patience` by then.
class GitHeeds {
 public:
  explicit GitHeeds(std::stop_token stop, Millis patience = Millis(10'000));
  ~GitHeeds();
  GitHeeds(const GitHeeds&) = delete;
  GitHeeds& operator=(const GitHeeds&) = delete;
};

// What the GitHeeds of this thread heeds; never stopped where there is none.
std::stop_token heeded_stop();

class Git {
 public:
  // Runs in `folder`. A lock that another git holds is waited for, `patience` long; that of packed
  // refs, which is everybody's, is removed where nobody has touched it for 5 seconds.
  explicit Git(std::filesystem::path folder, Millis patience = Millis(2000));

  // The same with more environment, on top of the engine's, or settings
  // ("core.bigFileThreshold=1m").
  Git with(const Environment& env) const;
  Git setting(const std::string& name_and_value) const;
  // The same in another folder; and with a descriptor that every git has open to its end.
  Git in(std::filesystem::path folder) const;
  Git holding(int descriptor) const;

  // Whatever the exit status. A named pipe that it waits at is removed, since nobody ends that.
  // Throws CutOff where a signal ended git, or ten minutes of the processor's time did, and Locked.
  Captured run(const Arguments& arguments, std::string_view input = {}) const;
  // The output without its last line end. Throws Error "git NAME: why" for any status but 0, and
  // DiskFull where that was why.
  std::string text(const Arguments& arguments, std::string_view input = {}) const;
  // Throws DiskFull where git has just failed for want of room.
  void require_room(const Captured& result, const std::string& command) const;

 private:
  bool frees_packed_refs(const Captured& result) const;

  std::filesystem::path folder_;
  Environment env_;
  Arguments settings_;
  Millis patience_;
  int held_ = -1;
};

// What git said went wrong, on one line, without its "fatal: ".
std::string complaint(const Captured& result);

}  // namespace agneto::process
