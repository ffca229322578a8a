// What the tests of processes share: the built guard, a listener that remembers, scripts to run.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "process/proc.h"
#include "process/process.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace agneto::process {

inline const std::filesystem::path guard_program =
    std::filesystem::path(AGNETO_BINARY_DIR) / "agneto-guard";

using agneto::testing::TemporaryFolder;

// An executable file.
inline std::filesystem::path write_script(const std::filesystem::path& path,
                                          const std::string& text) {
  std::ofstream(path) << text;
  chmod(path.c_str(), 0755);
  return path;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Looks again and again, for what another process is about to do.
inline bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(Millis(2));
  }
  return true;
}

inline bool running(int pid) {
  const auto stat = read_stat(pid);
  return stat && !stat->dead();
}

struct Memory : Listener {
  void started(ProcessId id) override { guard = id; }
  bool line(std::string_view text) override {
    lines.emplace_back(text);
    return lines.back() != wanted;
  }
  void caught_up() override { ++pauses; }
  void error_line(std::string_view text) override { error_lines.emplace_back(text); }
  bool tool_in_flight() const override { return !lines.empty() && lines.back() == "tool"; }

  std::string wanted = "RESULT";
  ProcessId guard;
  std::vector<std::string> lines, error_lines;
  int pauses = 0;
};

// `sh -c SCRIPT`, with limits that end a broken test.
inline Spec shell(const std::string& script) {
  Spec spec;
  spec.argv = {"sh", "-c", script};
  spec.cwd = "/";
  spec.timeout = std::chrono::seconds(60);
  spec.grace = Millis(100);
  return spec;
}

}  // namespace agneto::process
