#include "journal/live_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/text.h"
#include "process/proc.h"

namespace agneto::journal {

namespace {

// Since it was booted, and as far as processes here see each other. It is read once.
const std::string& this_machine() {
  static const std::string machine = [] {
    std::string boot = "unknown";
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    std::error_code none;
    return boot + ' ' + std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
  }();
  return machine;
}

// When it began, by the kernel's clock; 0: there is no such process.
std::uint64_t began(pid_t pid) {
  const auto stat = process::read_stat(pid);
  return stat ? stat->start_time : 0;
}

}  // namespace

bool is_dying(pid_t process) {
  if (process <= 0) return false;
  std::ifstream status(fmt::format("/proc/{}/status", process));
  if (!status) return true;
  constexpr unsigned long kill_bit = 1UL << 8;  // SIGKILL is 9
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with("State:") &&
        line.find_first_of("ZX", 6) == line.find_first_not_of(" \t", 6)) {
      return true;
    }
    if ((line.starts_with("SigPnd:") || line.starts_with("ShdPnd:")) &&
        (std::stoul(line.substr(7), nullptr, 16) & kill_bit) != 0) {
      return true;
    }
  }
  return false;
}

std::string this_process() {
  return fmt::format("{} {} {}", this_machine(), ::getpid(), began(::getpid()));
}

bool has_died(const std::string& process) {
  const std::string machine = this_machine() + ' ';
  if (!process.starts_with(machine)) return false;
  std::istringstream rest(process.substr(machine.size()));
  pid_t id = 0;
  std::uint64_t start = 0;
  if (!(rest >> id >> start)) return false;
  return began(id) != start || is_dying(id);
}

}  // namespace agneto::journal
