// Reading /proc. In a header, with nothing but libc, because the guard is one small program.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace agneto::process {

struct ProcStat {
  int pid = 0;
  int parent = 0;
  int session = 0;
  char state = '?';
  std::uint64_t start_time = 0;  // clock ticks since boot
  bool dead() const { return state == 'Z' || state == 'X'; }
};

inline std::optional<ProcStat> read_stat(int pid) {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  char text[1024];
  const ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  if (size <= 0) return std::nullopt;
  text[size] = '\0';
  // PID (NAME) STATE PARENT GROUP SESSION … START_TIME is field 22; NAME may hold anything.
  const char* after_name = std::strrchr(text, ')');
  ProcStat stat;
  stat.pid = pid;
  unsigned long long start = 0;
  if (!after_name ||
      std::sscanf(after_name + 1,
                  " %c %d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                  &stat.state, &stat.parent, &stat.session, &start) != 4) {
    return std::nullopt;
  }
  stat.start_time = start;
  return stat;
}

// Every process that can be seen; those that come and go meanwhile may be missing.
inline std::vector<ProcStat> all_processes() {
  std::vector<ProcStat> all;
  DIR* folder = opendir("/proc");
  if (!folder) return all;
  while (const dirent* entry = readdir(folder)) {
    const int pid = std::atoi(entry->d_name);
    if (pid <= 0) continue;
    if (auto stat = read_stat(pid)) all.push_back(*stat);
  }
  closedir(folder);
  return all;
}

}  // namespace agneto::process
