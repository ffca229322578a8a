// The signals that end a program, as something to wait for: SIGINT (Ctrl+C), SIGTERM and SIGHUP.
#pragma once

#include <thread>

#include "process/fd.h"
#include "run/engine/engine.h"

namespace agneto::cli {

// Blocks the signals in every thread that is made after it; make it before any other thread.
class EndSignals {
 public:
  EndSignals();

  // Can be read when one has come; does not block.
  int descriptor() const { return descriptor_.get(); }

 private:
  process::Fd descriptor_;
};

// The same as calls on the engine: Ctrl+C interrupts, the others suspend.
class Signals {
 public:
  ~Signals() { release(); }
  // From now on the engine gets them. It must outlive this object, or `release` must be called.
  void attach(run::Engine& engine);
  void release();

 private:
  void listen(run::Engine& engine, const std::stop_token& stop) const;

  EndSignals signals_;
  std::jthread thread_;
};

}  // namespace agneto::cli
