// Which processes there are, and ending those that a dead owner left.
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "process/guard_protocol.h"
#include "process/proc.h"
#include "process/process.h"

namespace agneto::process {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr auto between_looks = std::chrono::milliseconds(5);
// A guard that was told to end its tree has this long; longer than any grace in use.
constexpr auto guard_patience = std::chrono::seconds(15);

std::string environment_of(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Does the process belong to the tree? The mark in its environment proves it. Without a readable
// environment its session is believed, but only if it began after the guard did: a pid, and with it
// a session's number, is used again.
bool belongs(const ProcStat& process, ProcessId guard) {
  const std::string mark = std::string(guard::mark) + "=" + std::to_string(guard.pid) + "." +
                           std::to_string(guard.start_time);
  const std::string environment = '\0' + environment_of(process.pid);
  if (environment.find('\0' + mark + '\0') != std::string::npos) return true;
  return environment.size() == 1 && process.session == guard.pid &&
         process.start_time >= guard.start_time;
}

}  // namespace

bool alive(ProcessId id) {
  const auto stat = id.pid > 0 ? read_stat(id.pid) : std::nullopt;
  return stat && stat->start_time == id.start_time && !stat->dead();
}

ProcessId self() {
  const auto stat = read_stat(getpid());
  return {getpid(), stat ? stat->start_time : 0};
}

// A guard is the subreaper of its tree, so that nobody leaves it by losing a parent.
std::vector<ProcessId> guards_above() {
  std::vector<ProcessId> guards;
  for (auto above = read_stat(getppid()); above; above = read_stat(above->parent)) {
    std::string name;
    std::getline(std::ifstream("/proc/" + std::to_string(above->pid) + "/comm"), name);
    if (name == guard::name) guards.push_back({above->pid, above->start_time});
  }
  return guards;
}

std::vector<int> left_of(ProcessId guard) {
  std::vector<int> left;
  if (guard.pid <= 0) return left;
  for (const ProcStat& process : all_processes()) {
    const bool own = process.pid == getpid() || process.dead();
    if (!own && (process.pid == guard.pid ? alive(guard) : belongs(process, guard))) {
      left.push_back(process.pid);
    }
  }
  return left;
}

void end_tree(ProcessId guard) {
  if (guard.pid <= 0) return;
  const auto deadline = SteadyClock::now() + guard_patience;
  if (alive(guard)) kill(guard.pid, SIGTERM);
  while (alive(guard)) {
    if (SteadyClock::now() >= deadline) kill(guard.pid, SIGKILL);
    std::this_thread::sleep_for(between_looks);
  }
  for (;;) {
    bool left = false;
    for (const ProcStat& process : all_processes()) {
      if (process.pid == getpid() || process.dead() || !belongs(process, guard)) continue;
      if (kill(process.pid, SIGKILL) == 0 || errno != EPERM) left = true;
    }
    if (!left) return;
    std::this_thread::sleep_for(between_looks);
  }
}

}  // namespace agneto::process
