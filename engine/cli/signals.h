// The signals that end a program, as something to wait for: SIGINT (Ctrl+C), SIGTERM and SIGHUP.
#pragma once

#include <thread>

#include "run/engine/engine.h"

namespace agneto::cli {

// Blocks the signals in every thread that is made after it; make it before any other thread.
class EndSignals {
 public:
  EndSignals();
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  // Can be read when one has come; does not block.
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// The same as calls on the engine: Ctrl+C interrupts, the others suspend.
class Signals {
 public:
  ~Signals() { release(); }
  // From now on the engine gets them. It must outlive this object, or `release` must be called.
  void attach(run::Engine& engine);
  void release();

 private:
  void listen(std::stop_token stop);

  EndSignals signals_;
  std::jthread thread_;
  run::Engine* engine_ = nullptr;
};

}  // namespace agneto::cli
