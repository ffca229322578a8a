#include "run/hub.h"

#include <fmt/format.h>

#include <map>
#include <system_error>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "process/git.h"
#include "process/git_address.h"
#include "record/options.h"

namespace agneto::run {

std::string hub_address(const Config& config, const fs::path& repository) {
  if (config.hub.empty()) return "";
  const process::Git git(repository);
  const auto remote = git.run({"remote", "get-url", "--", config.hub});
  std::string address = remote.status == 0 ? std::string(trim(remote.output)) : config.hub;
  if (process::fault_of_address(address) != process::AddressFault::none) {
    throw Error("remote '" + printable(config.hub) +
                    "', which `hub` in .agneto/config.yaml names, "
                    "has no address that another machine may be told",
                "write the address itself there, without a password");
  }
  const bool is_path = process::is_path(address);
  return is_path ? fs::weakly_canonical(repository / address).string() : address;
}

std::string not_pushed(const Config& config, const fs::path& repository, const std::string& base) {
  constexpr std::string_view branches = "refs/heads/";
  if (!base.starts_with(branches)) return "";
  const std::string branch = base.substr(branches.size());
  const auto missing = process::Git(repository)
                           .run({"rev-list", "--count", "--end-of-options",
                                 "refs/remotes/" + config.hub + "/" + branch + ".." + base});
  const int count = parse_number<int>(trim(missing.output)).value_or(0);
  if (missing.status != 0 || count == 0) return "";
  return fmt::format("it begins without the {} of {} that {} has not got: git push {} {}",
                     count == 1 ? "commit" : fmt::format("{} commits", count), branch, config.hub,
                     config.hub, branch);
}

std::optional<workspace::Hub> hub_of(const journal::RunRecord& run, const Resources& resources) {
  const std::string address = record::options_of(run).hub;
  if (address.empty()) return std::nullopt;
  return workspace::Hub(resources.cache, address);
}

void tidy_clone(const journal::RunRecord& run, const Resources& resources) {
  try {
    if (!has_ended(run)) return;
    if (auto hub = hub_of(run, resources)) hub->forget(run.id);
  } catch (const Error& error) {
    log::warning("what is left of an ended run stays in the clone of its hub",
                 {{"run", run.id}, {"error", error.what()}});
  }
}

void tidy_clones(journal::Journal& journal, const Resources& resources) {
  std::error_code none;
  std::map<std::string, journal::RunRecord> hubs;  // by their address, one run of each
  for (const auto& clone : fs::directory_iterator(resources.cache, none)) {
    for (const auto& entry : fs::directory_iterator(clone.path() / ".agneto/worktrees", none)) {
      if (!entry.is_directory(none)) continue;
      const std::string name = entry.path().filename();  // of a run, or RUN.ITEM of a fork
      const auto run = journal.find(name.substr(0, name.find('.')));
      if (!run) continue;  // of another journal
      tidy_clone(*run, resources);
      hubs.emplace(record::options_of(*run).hub, *run);
    }
  }
  for (const auto& [address, run] : hubs) {
    if (auto hub = hub_of(run, resources)) hub->pack();
  }
}

fs::path root_of(const journal::RunRecord& run, const fs::path& folder,
                 const Resources& resources) {
  const auto hub = hub_of(run, resources);
  return hub ? hub->clone() : home_of(folder);
}

workspace::Place place_of(const journal::RunRecord& run, const fs::path& folder,
                          const Resources& resources) {
  auto hub = hub_of(run, resources);
  if (hub && !run.branch.empty()) {
    hub->bring_up();
    hub->look(run.id);
  }
  const fs::path root = root_of(run, folder, resources);
  return {root, root / ".agneto" / "worktrees" / run.id, run.id};
}

}  // namespace agneto::run
