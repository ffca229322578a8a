#include "process/git_address.h"

#include <algorithm>
#include <cstdlib>

namespace agneto::process {

std::size_t path_in(const std::string& address) {
  const auto scheme = address.find("://");
  if (scheme == std::string::npos) return 0;
  return std::min(address.find('/', scheme + 3), address.size());
}

AddressFault fault_of_address(const std::string& address) {
  const bool is_odd =
      std::ranges::any_of(address, [](unsigned char c) { return c < ' ' || c == 0x7f; });
  if (address.empty() || address.front() == '-' || is_odd ||
      address.find("::") != std::string::npos) {
    return AddressFault::no_address;
  }
  const auto scheme = address.find("://");
  if (scheme == std::string::npos) return AddressFault::none;
  const std::string login = address.substr(scheme + 3, path_in(address) - scheme - 3);
  const auto at = login.find('@');
  const bool has_password =
      at != std::string::npos && login.substr(0, at).find(':') != std::string::npos;
  return has_password ? AddressFault::password : AddressFault::none;
}

bool is_path(const std::string& address) {
  return address.starts_with('/') || address.starts_with('.') ||
         address.find(':') == std::string::npos;
}

bool is_local(const std::string& address) {
  return is_path(address) || address.starts_with("file:");
}

Git on_its_way(const Git& git, const std::string& address) {
  const Git there = git.with({{"GIT_ALLOW_PROTOCOL", "https:http:ssh:git:file"}})
                        .setting("http.lowSpeedLimit=1000")
                        .setting("http.lowSpeedTime=30");
  if (is_local(address) || std::getenv("GIT_SSH_COMMAND") || std::getenv("GIT_SSH")) return there;
  // What a repository has set is not the user's.
  if (git.in("/").run({"config", "--get", "core.sshCommand"}).status == 0) return there;
  return there.with({{"GIT_SSH_COMMAND",
                      "ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15 "
                      "-o ServerAliveCountMax=4"}});
}

}  // namespace agneto::process
