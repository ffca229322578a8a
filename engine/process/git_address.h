// Addresses of git repositories, which somebody has written down, and git on its way there.
#pragma once

#include <cstddef>
#include <string>

#include "process/git.h"

namespace agneto::process {

// Why a text is not taken as an address: git would read it as an option or start a program of its
// choice, or it would tell everybody a password.
enum class AddressFault { none, no_address, password };
AddressFault fault_of_address(const std::string& address);

// Is it a path, and is it one or a file: URL? The other forms are URLs and, as for scp, HOST:PATH.
bool is_path(const std::string& address);
bool is_local(const std::string& address);
// Where the path begins in it, behind a host of a URL.
std::size_t path_in(const std::string& address);

// Git that goes there: by no way that starts a program but ssh, which asks nobody anything unless
// the user has said by which command (GIT_SSH_COMMAND, GIT_SSH, core.sshCommand), and not waiting
// for ever where nothing comes. `address` has no fault; it still goes behind "--".
Git on_its_way(const Git& git, const std::string& address);

}  // namespace agneto::process
