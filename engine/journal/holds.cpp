#include "journal/holds.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

namespace agneto::journal {

Locked held_by(const std::string& run_id, const std::string& owner) {
  return Locked(fmt::format("run {} is being worked on by {}", run_id,
                            owner.empty() ? "another process" : owner),
                "wait until it ends, or stop it: agneto suspend " + run_id);
}

std::string this_host() {
  std::array<char, 256> name{};
  const bool known = ::gethostname(name.data(), name.size() - 1) == 0;
  return known ? name.data() : "unknown";
}

std::string this_owner(Time since) {
  return fmt::format("process {} on host {} since {}", ::getpid(), this_host(), format_time(since));
}

}  // namespace agneto::journal
