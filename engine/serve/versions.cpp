#include "serve/versions.h"

#include <exception>
#include <utility>

#include "base/log.h"

namespace agneto::serve {

Versions::Versions(Ask ask, std::function<void()> heard)
    : ask_(std::move(ask)), heard_(std::move(heard)) {}

std::map<std::string, std::string> Versions::of(
    const std::map<std::string, std::filesystem::path>& programs) {
  std::map<std::string, std::string> versions;
  std::map<std::filesystem::path, Inode> unknown;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, program] : programs) {
    const auto inode = inode_of(program);
    if (!inode) continue;
    const auto known = known_.find(program);
    if (known == known_.end() || known->second.inode != *inode) {
      unknown[program] = *inode;
    } else if (!known->second.version.empty()) {
      versions[name] = known->second.version;
    }
  }
  if (!unknown.empty() && !is_asking_) {
    asking_ = std::jthread([this, unknown = std::move(unknown)](const std::stop_token& stop) {
      ask_all(unknown, stop);
    });
    is_asking_ = true;  // until it has this mutex
  }
  return versions;
}

void Versions::ask_all(std::map<std::filesystem::path, Inode> programs,
                       const std::stop_token& stop) {
  for (const auto& [program, inode] : programs) {
    if (stop.stop_requested()) break;
    std::string version;
    try {
      version = ask_(program, stop);
    } catch (const std::exception& error) {
      log::warning("a program's version is not known",
                   {{"program", program.string()}, {"error", error.what()}});
    }
    const std::lock_guard lock(mutex_);
    known_[program] = {inode, std::move(version)};
  }
  {
    const std::lock_guard lock(mutex_);
    is_asking_ = false;
  }
  heard_();
}

}  // namespace agneto::serve
