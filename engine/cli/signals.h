// Signals as calls on the engine: Ctrl+C interrupts, TERM and HUP suspend.
#pragma once

#include <thread>

#include "run/engine/engine.h"

namespace agneto::cli {

// Blocks the signals in every thread made after it; make it before any other thread.
class Signals {
 public:
  Signals();
  ~Signals();
  // From now on the engine gets them. It must outlive this object, or `release` must be called.
  void attach(run::Engine& engine);
  void release();

 private:
  void listen(std::stop_token stop);

  int descriptor_ = -1;
  std::jthread thread_;
  run::Engine* engine_ = nullptr;
};

}  // namespace agneto::cli
