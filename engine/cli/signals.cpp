#include "cli/signals.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

namespace agneto::cli {

EndSignals::EndSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  descriptor_ = process::Fd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

void Signals::attach(run::Engine& engine) {
  thread_ = std::jthread([this, &engine](const std::stop_token& stop) { listen(engine, stop); });
}

void Signals::release() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void Signals::listen(run::Engine& engine, const std::stop_token& stop) const {
  constexpr int patience_ms = 50;
  while (!stop.stop_requested()) {
    pollfd wait{signals_.descriptor(), POLLIN, 0};
    if (poll(&wait, 1, patience_ms) <= 0) continue;
    signalfd_siginfo info;
    if (read(signals_.descriptor(), &info, sizeof info) != sizeof info) continue;
    if (info.ssi_signo == SIGINT) {
      engine.interrupt();
    } else {
      engine.suspend(info.ssi_signo == SIGTERM
                         ? "the program was told to stop"
                         : "the terminal was closed, or its input ended (Ctrl+D)");
    }
  }
}

}  // namespace agneto::cli
