#include "base/log.h"

#include <mutex>

namespace agneto::log {
namespace {

struct Installed {
  std::mutex mutex;
  std::shared_ptr<Sink> sink;
};

// Never destroyed: threads may write until the process ends.
Installed& installed() {
  static auto& only = *new Installed;
  return only;
}

thread_local std::string current_run, current_path;

}  // namespace

void write(Level level, std::string_view message, const Fields& fields) {
  std::shared_ptr<Sink> sink;
  {
    const std::lock_guard lock(installed().mutex);
    sink = installed().sink;
  }
  if (sink) sink->write({level, message, current_run, current_path, fields});
}

void install(std::shared_ptr<Sink> sink) {
  const std::lock_guard lock(installed().mutex);
  installed().sink.swap(sink);
}

Scope::Scope(std::string run, std::string path)
    : run_(std::exchange(current_run, std::move(run))),
      path_(std::exchange(current_path, std::move(path))) {}

Scope::~Scope() {
  current_run = std::move(run_);
  current_path = std::move(path_);
}

}  // namespace agneto::log
