#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "journal/postgresql/address.h"
#include "model/packages.h"
#include "process/process.h"
#include "record/entry.h"
#include "run/assembly.h"
#include "run/config.h"
#include "script/driver.h"

namespace agneto::run {
namespace {

Error no_runs() {
  return Error("there are no runs here", "start one with 'agneto run TASK'");
}

bool is_path(const std::string& wanted) {
  return wanted.find('/') != std::string::npos || wanted.ends_with(".yaml") ||
         wanted.ends_with(".yml");
}

bool is_test(const fs::path& file) {
  return file.string().ends_with(".test.yaml");
}

void refuse_test(const std::string& file) {
  if (is_test(file)) {
    throw Error(file + " is a test, and no workflow", "play it: agneto test " + file);
  }
}

std::vector<std::string> names_in(const std::vector<fs::path>& folders) {
  std::vector<std::string> names;
  for (const auto& folder : folders) {
    std::error_code ignored;
    for (const auto& file : fs::directory_iterator(folder, ignored)) {
      const std::string name = file.path().stem().string();
      if (file.path().extension() == ".yaml" && !is_test(file.path())) names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// What somebody is likely to have meant, who may have left out the package; empty: nothing is.
std::string nearest(const fs::path& wanted, const std::vector<std::string>& names) {
  const std::string name = (wanted.parent_path() / wanted.stem()).string();
  const std::string near = closest(name, names);
  if (!near.empty()) return near;
  const auto found = std::ranges::find_if(
      names, [&](const std::string& other) { return other.ends_with("/" + name); });
  return found == names.end() ? "" : *found;
}

std::vector<std::string> names_to_run(const fs::path& folder, const Resources& resources) {
  auto names = workflow_names(folder, resources);
  std::ranges::move(packaged_workflows(folder), std::back_inserter(names));
  return names;
}

// "kit/review" or "kit/review.yaml": a file of the package `kit`; empty where there is none.
fs::path in_package(const std::string& wanted, const fs::path& home) {
  const auto slash = wanted.find('/');
  if (slash == std::string::npos || slash == 0 || wanted.front() == '.') return {};
  const fs::path folder = model::package_folder(home, wanted.substr(0, slash));
  for (const char* end : {"", ".yaml"}) {
    const fs::path file = (folder / (wanted.substr(slash + 1) + end)).lexically_normal();
    if (is_within(file, folder) && fs::is_regular_file(file)) return file;
  }
  return {};
}

// The names that `names_in` gives of each of the team's packages, behind the package's.
std::vector<std::string> in_packages(
    const fs::path& folder,
    const std::function<std::vector<std::string>(const fs::path&)>& names_in) {
  const fs::path home = checkout_of(folder) / ".agneto";
  auto text = Disk().read(model::lock_of(home));
  if (!text) return {};
  Diagnostics unheard;  // of a lock: said where a package is used
  const auto lock = std::make_shared<Source>(model::lock_of(home).string(), std::move(*text));
  std::vector<std::string> names;
  for (const model::Package& package : model::read_lock(lock, unheard)) {
    for (const auto& name : names_in(model::package_folder(home, package.name))) {
      names.push_back(package.name + "/" + name);
    }
  }
  return names;
}

}  // namespace

fs::path checkout_of(const fs::path& folder) {
  for (fs::path up = fs::absolute(folder).lexically_normal();; up = up.parent_path()) {
    // A run's own worktree belongs to the repository that made it.
    bool worktree = up.parent_path().filename() == "worktrees" &&
                    up.parent_path().parent_path().filename() == ".agneto";
    if (!worktree && (fs::exists(up / ".git") || fs::exists(up / ".agneto"))) return up;
    if (up == up.root_path()) return fs::absolute(folder).lexically_normal();
  }
}

fs::path home_of(const fs::path& folder) {
  const fs::path checkout = checkout_of(folder);
  std::ifstream link(checkout /
                     ".git");  // of a linked worktree: "gitdir: MAIN/.git/worktrees/NAME"
  std::string key, target;
  if (!(link >> key) || key != "gitdir:" || !std::getline(link >> std::ws, target)) return checkout;
  const fs::path entry = (checkout / target).lexically_normal();
  const fs::path git = entry.parent_path().parent_path();
  bool linked = entry.parent_path().filename() == "worktrees" && git.filename() == ".git";
  return linked && fs::exists(git) ? git.parent_path() : checkout;
}

std::vector<fs::path> workflow_folders(const fs::path& folder, const Resources& resources) {
  return {checkout_of(folder) / ".agneto" / "workflows", resources.user / "workflows",
          resources.share / "workflows"};
}

std::vector<std::string> workflow_names(const fs::path& folder, const Resources& resources) {
  return names_in(workflow_folders(folder, resources));
}

std::vector<fs::path> workflows(const fs::path& folder, const Resources& resources) {
  std::vector<fs::path> files;
  for (const std::string& name : workflow_names(folder, resources)) {
    files.push_back(find_workflow(name, folder, resources));
  }
  return files;
}

fs::path find_workflow(const std::string& wanted, const fs::path& folder,
                       const Resources& resources) {
  if (is_path(wanted)) {
    fs::path file = fs::absolute(folder / wanted).lexically_normal();
    if (fs::is_regular_file(file)) {
      refuse_test(wanted);
      return file;
    }
    file = in_package(wanted, checkout_of(folder) / ".agneto");
    if (!file.empty()) {
      refuse_test(wanted);
      return file;
    }
    const auto names = names_to_run(folder, resources);
    const std::string near = nearest(wanted, names);
    throw Error("there is no workflow file " + wanted,
                near.empty()
                    ? "give a path to a YAML file, or the name of a workflow: " + join(names, ", ")
                    : "did you mean '" + near + "'?");
  }
  for (const auto& place : workflow_folders(folder, resources)) {
    fs::path file = (place / (wanted + ".yaml")).lexically_normal();
    if (fs::is_regular_file(file)) {
      refuse_test(file.string());
      return file;
    }
  }
  const auto names = names_to_run(folder, resources);
  const std::string near = nearest(wanted, names);
  throw Error("there is no workflow '" + wanted + "'",
              suggestion(near.empty() ? wanted : near, names, "workflows"));
}

std::vector<fs::path> workflows_in(const fs::path& package) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(package, none)) {
    const fs::path name = entry.path().filename();
    if (name.extension() == ".yaml" && name != "package.yaml" && !is_test(name) &&
        entry.is_regular_file(none)) {
      files.push_back(name);
    }
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> packaged_workflows(const fs::path& folder) {
  return in_packages(folder, [](const fs::path& package) {
    std::vector<std::string> names;
    for (const auto& file : workflows_in(package)) names.push_back(file.stem());
    return names;
  });
}

std::vector<std::string> packaged_providers(const fs::path& folder) {
  return in_packages(folder, [](const fs::path& package) {
    return script::providers_in({package / "scripts" / "providers", package / "providers"});
  });
}

bool is_shared(const std::string& journal_place) {
  return journal::is_postgresql(journal_place);
}

std::string journal_place(const fs::path& folder) {
  const fs::path home = home_of(folder);
  if (const char* named = std::getenv("AGNETO_JOURNAL"); named != nullptr && *named != 0) {
    journal::Address address(named);
    return named;
  }
  // What else is wrong in it is said where it is used.
  Diagnostics found;
  const Config config = load_config(config_file(home), Disk(), found);
  if (!config.journal.empty()) {
    journal::Address address(config.journal);
    return config.journal;
  }
  // Runs would be looked for, and made, where nobody wants them.
  if (config.source && ("\n" + config.source->text()).find("\njournal:") != std::string::npos) {
    throw Error("it cannot be read in " + config.source->path() + " where the journal is",
                "agneto doctor says what is wrong in it");
  }
  return (home / ".agneto" / "runs.db").string();
}

std::unique_ptr<journal::Journal> open_journal(const fs::path& folder) {
  return journal::open_journal(journal_place(folder));
}

std::unique_ptr<journal::Journal> journal_of(const fs::path& folder) {
  const std::string place = journal_place(folder);
  if (!journal::is_postgresql(place) && !fs::exists(place)) return nullptr;
  return journal::open_journal(place);
}

std::unique_ptr<journal::Journal> required_journal(const fs::path& folder) {
  auto journal = journal_of(folder);
  if (!journal) throw no_runs();
  return journal;
}

void require_person(journal::Journal& journal) {
  const std::vector<process::ProcessId> guards = process::guards_above();
  if (guards.empty()) return;
  for (const auto& run : journal.list({.status = {"running"}})) {
    for (const auto& entry : journal.entries(run.id)) {
      if (entry.kind != record::Process::kind) continue;
      const process::ProcessId guard = record::decode(entry).get<record::Process>()->id;
      const bool above = std::any_of(guards.begin(), guards.end(), [&](const auto& one) {
        return one.pid == guard.pid && one.start_time == guard.start_time;
      });
      if (!above) continue;
      throw Error("this was started by what run " + run.id +
                      " started itself, and agents neither start nor steer runs",
                  "a person does that, in a terminal of their own");
    }
  }
}

std::unique_ptr<journal::Journal> journal_to_steer(const fs::path& folder) {
  auto journal = required_journal(folder);
  require_person(*journal);
  return journal;
}

fs::path wakeup_of(const fs::path& home, const std::string& run_id) {
  return home / "worktrees" / (run_id + ".wakeup");
}

void require_unended(const journal::RunRecord& run) {
  if (!has_ended(run)) return;
  throw Error("run " + run.id + " has ended: " + run.status + " (" + run.outcome + ")",
              "'agneto show " + run.id + "' shows how; 'agneto rewind' goes back in it");
}

fs::path server_wakeup_of(const fs::path& home) {
  return home / "server.wakeup";
}

std::string status_of(journal::Holds& holds, const journal::RunRecord& run) {
  const bool orphaned = run.status == "running" && !holds.is_held(run.id);
  return orphaned ? "interrupted" : run.status;
}

journal::RunRecord find_run(journal::Journal& journal, const std::string& wanted) {
  if (auto run = journal.find(wanted)) return *run;
  // The newest ones are those that somebody means who wrote what is none.
  constexpr std::size_t suggested = 500;
  auto near = wanted == "last" ? journal.list({.most = 1}) : journal.list({.id = wanted});
  if (near.empty()) near = journal.list({.most = suggested});
  std::vector<std::string> ids;
  for (const auto& run : near) ids.push_back(run.id);
  return *journal.find(find_run(ids, wanted));
}

std::string find_run(const std::vector<std::string>& ids, const std::string& wanted) {
  if (ids.empty()) throw no_runs();
  if (wanted == "last") return ids.front();
  std::vector<std::string> matching;
  for (const std::string& id : ids) {
    if (id == wanted) return id;
    if (id.starts_with(wanted)) matching.push_back(id);
  }
  if (matching.size() == 1) return matching.front();
  if (matching.size() > 1) {
    throw Error("several runs start with '" + wanted + "'", "name one of " + join(matching, ", "));
  }
  throw Error("there is no run '" + wanted + "' here",
              suggestion(wanted, ids, "runs") + "; see 'agneto runs'");
}

}  // namespace agneto::run
