#include "process/spawn.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <system_error>

namespace agneto::process {

namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

// Our own environment, or nothing, with `env` on top, each "NAME=VALUE".
std::vector<std::string> environment_with(const Environment& env, bool inherits) {
  std::map<std::string_view, std::string_view> wanted(env.begin(), env.end());
  for (const auto& [name, value] : env) wanted[name] = value;  // of two, the last
  std::vector<std::string> result;
  for (char** entry = environ; inherits && *entry; ++entry) {
    const std::string_view text(*entry);
    if (!wanted.contains(text.substr(0, text.find('=')))) result.emplace_back(text);
  }
  for (const auto& [name, value] : wanted) {
    result.push_back(std::string(name) + "=" + std::string(value));
  }
  return result;
}

class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

class FileActions {
 public:
  explicit FileActions(const Launch& launch) {
    posix_spawn_file_actions_init(&actions_);
    for (std::size_t i = 0; i < launch.fds.size(); ++i) {
      posix_spawn_file_actions_adddup2(&actions_, launch.fds[i], static_cast<int>(i));
    }
    posix_spawn_file_actions_addclosefrom_np(&actions_, static_cast<int>(launch.fds.size()));
    if (!launch.cwd.empty()) posix_spawn_file_actions_addchdir_np(&actions_, launch.cwd.c_str());
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

}  // namespace

pid_t spawn(const Launch& launch) {
  const std::vector<std::string> environment = environment_with(launch.env, launch.inherits);
  const Attributes attributes;
  const FileActions actions(launch);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, launch.argv.front().c_str(), actions.get(), attributes.get(),
                                 pointers(launch.argv).data(), pointers(environment).data());
  if (error == 0) return pid;
  throw std::system_error(error, std::generic_category(), "posix_spawn");
}

int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return 0;
  }
  return status;
}

std::string start_failure(const std::string& program, const std::filesystem::path& cwd, int error) {
  const std::string name = "cannot run '" + program + "': ";
  const bool path = program.find('/') != std::string::npos;
  switch (error) {
    case ENOENT:
      if (path ? access((cwd / program).c_str(), F_OK) == 0 : find_program(program).has_value()) {
        return name + "the interpreter that its first line names does not exist";
      }
      return name + (path ? "there is no such file" : "there is no such program on PATH");
    case EACCES:
      return name + "it is not an executable file";
    case ETXTBSY:
      return name + "another process is writing to it";
    case E2BIG:
      return name + "its arguments and environment are too long";
    default:
      return name + std::strerror(error);
  }
}

std::string folder_failure(const std::filesystem::path& folder, int error) {
  const char* why = error == ENOENT    ? "there is no such folder"
                    : error == ENOTDIR ? "it is not a folder"
                                       : std::strerror(error);
  return "cannot work in '" + folder.string() + "': " + why;
}

}  // namespace agneto::process
