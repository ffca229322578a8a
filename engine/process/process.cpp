#include "process/process.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace agneto::process {

namespace {

bool executable(const std::filesystem::path& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string describe(const Exit& exit, const Spec& spec) {
  switch (exit.kind) {
    case Exit::Kind::exited:
      return "exit status " + std::to_string(exit.status);
    case Exit::Kind::signalled:
      return "killed by signal " + std::to_string(exit.signal);
    case Exit::Kind::ended:
      return "ended after its result";
    case Exit::Kind::timed_out:
      return "not done after " + format_duration(spec.timeout);
    case Exit::Kind::idle:
      return "no output for " + format_duration(spec.idle);
    case Exit::Kind::stopped:
      return "stopped";
    case Exit::Kind::overdue:
      return "ended, since nobody said in time that it may go on";
    case Exit::Kind::not_started:
      break;
  }
  return exit.error;
}

std::optional<std::filesystem::path> find_program(std::string_view name) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string_view::npos) {
    if (!executable(name)) return std::nullopt;
    return std::filesystem::absolute(name);
  }
  const char* folders = std::getenv("PATH");
  std::string_view rest = folders ? folders : "/usr/local/bin:/usr/bin:/bin";
  for (;;) {
    const std::size_t end = rest.find(':');
    const std::filesystem::path path = std::filesystem::path(rest.substr(0, end)) / name;
    if (executable(path)) return std::filesystem::absolute(path);
    if (end == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace agneto::process
