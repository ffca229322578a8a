// Who works on a run: one live process, and no other one at the same time.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "journal/bounds.h"

namespace agneto::journal {

// Somebody else works on it.
class Locked : public Error {
 public:
  using Error::Error;
};

// As many runs like it are worked on as may be at a time.
class NoRoom : public Error {
 public:
  using Error::Error;
};

// While this lives, the process that has it works on a run.
class Hold {
 public:
  virtual ~Hold() = default;

  // "process P on host H since T"
  virtual const std::string& owner() const = 0;
  // For how long it surely lasts yet where it is not renewed, which happens by itself. Nothing: for
  // as long as this lives. Once it is over, another process may take the run, and what this one
  // still does for it does harm.
  virtual std::optional<Millis> lasts() const { return std::nullopt; }
};

// Thread-safe.
class Holds {
 public:
  virtual ~Holds() = default;

  // Takes the run, which need not be recorded yet, for this process; it is free again when the hold
  // is gone, or its process is. Throws Locked: "run R is being worked on by process P on host H
  // since T", and NoRoom where it is recorded, and there are as many like it as there may be.
  virtual std::unique_ptr<Hold> hold(const std::string& run_id, const Bounds& bounds = {}) = 0;
  // The live process, this one included, that works on the run, as people are told of it; the empty
  // text where that is not known. Nothing: nobody does. Takes and writes nothing.
  virtual std::optional<std::string> holder(const std::string& run_id) = 0;
  bool is_held(const std::string& run_id) { return holder(run_id).has_value(); }
};

// The error of a run that somebody else has; empty: another process, of which nothing is known.
Locked held_by(const std::string& run_id, const std::string& owner);

// The name of this machine.
std::string this_host();

// "process P on host H since T" of this process.
std::string this_owner(Time since);

}  // namespace agneto::journal
