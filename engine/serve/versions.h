// The versions of the programs that providers call, as these say it themselves.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "base/inode.h"

namespace agneto::serve {

// Thread-safe.
class Versions {
 public:
  // Starts that program and returns what it says of itself, or nothing; on a thread of its own.
  using Ask =
      std::function<std::string(const std::filesystem::path& program, const std::stop_token& stop)>;
  // `heard` is called on that thread once they have been asked. What both use outlives this.
  Versions(Ask ask, std::function<void()> heard);

  // The versions of these programs, by the names of their providers, as far as they are known. Has
  // those asked that were not, and those that are others than when they were.
  std::map<std::string, std::string> of(
      const std::map<std::string, std::filesystem::path>& programs);

 private:
  struct Program {
    Inode inode;
    std::string version;
  };
  void ask_all(std::map<std::filesystem::path, Inode> programs, const std::stop_token& stop);

  const Ask ask_;
  const std::function<void()> heard_;
  std::mutex mutex_;
  std::map<std::filesystem::path, Program> known_;
  bool is_asking_ = false;
  std::jthread asking_;
};

}  // namespace agneto::serve
