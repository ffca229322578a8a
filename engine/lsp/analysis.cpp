#include "lsp/analysis.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <tuple>

#include "base/files.h"
#include "lint/report/collect.h"
#include "lint/report/rules.h"

namespace agneto::lsp {

namespace {

// Remembers which files were asked for, also those that are not there.
class Watched : public FilesOver {
 public:
  using FilesOver::FilesOver;

  std::optional<std::string> read(const fs::path& path) const override {
    {
      const std::lock_guard guard(mutex_);
      asked_.insert(path.lexically_normal());
    }
    return FilesOver::read(path);
  }
  std::set<fs::path> take() { return std::move(asked_); }

 private:
  mutable std::mutex mutex_;
  mutable std::set<fs::path> asked_;
};

// The folder around a file whose workflows may use it, where that can be told from its name.
fs::path workflows_beside(const fs::path& file) {
  const fs::path folder = file.parent_path();
  if (folder.filename() == "workflows") return folder;
  if (folder.filename() == "scripts") return folder.parent_path() / "workflows";
  return {};
}

constexpr const char* config_name = "config.yaml";
constexpr const char* rules_name = "lint";

// The `.agneto` that goes for a workflow, with a configuration or rules of the team's own: that of
// the nearest checkout around it. Empty where there is none.
fs::path team_folder_of(const fs::path& file, const Files& files) {
  fs::path folder = file.parent_path();
  while (true) {
    fs::path own = folder / ".agneto";
    std::error_code gone;
    if (files.read(own / config_name) || fs::is_directory(own / rules_name, gone)) return own;
    const bool is_checkout = files.read(folder / ".git" / "HEAD") || files.read(folder / ".git");
    if (is_checkout || folder == folder.parent_path()) return {};
    folder = folder.parent_path();
  }
}

bool is_config(const fs::path& file) {
  return file.filename() == config_name && file.parent_path().filename() == ".agneto";
}

// Is it a rule of the team's own, or a module of one?
bool is_of_rules(const fs::path& file) {
  for (fs::path at = file.parent_path(); at.has_filename(); at = at.parent_path()) {
    if (at.filename() == rules_name && at.parent_path().filename() == ".agneto") return true;
  }
  return false;
}

lint::Policy policy_of(const fs::path& team_folder, const Files& files, const fs::path& library,
                       News& news, Diagnostics& wrong) {
  if (team_folder.empty()) return lint::Policy();
  const auto rules = lint::read_team_rules(team_folder / rules_name, files, library, wrong);
  news.rules.push_back(rules);
  return lint::load_policy(team_folder / config_name, files, wrong, news.sources, rules);
}

}  // namespace

void Analysis::set_folders(std::vector<fs::path> folders) {
  folders_ = std::move(folders);
  found_.clear();
  for (const fs::path& folder : folders_) to_search_.insert(folder);
  keep_wanted();
}

void Analysis::look_again() {
  for (const fs::path& folder : folders_) to_search_.insert(folder);
  for (const auto& [folder, files] : found_) to_search_.insert(folder);
}

void Analysis::changed(const fs::path& file) {
  if (file.empty()) return;
  exploring_.request_stop();
  if (const Document* document = documents_.find(file)) {
    const bool lua = file.extension() == ".lua";
    if (!lua && !lint::is_package_file(file) && lint::is_workflow(*document->text)) {
      roots_[file].open = true;
    }
    const fs::path beside = workflows_beside(file);
    const auto covers = [&](const fs::path& folder) { return is_within(file, folder); };
    if (!beside.empty() && !found_.contains(beside) && std::ranges::none_of(folders_, covers)) {
      to_search_.insert(beside);
    }
  } else if (const auto root = roots_.find(file); root != roots_.end()) {
    root->second.open = false;
  }
  for (auto& [path, root] : roots_) {
    // A configuration may end exploring, and a rule may be new.
    const bool is_of_all = is_config(file) || is_of_rules(file);
    if (path != file && !is_of_all && !root.asked.contains(file)) continue;
    root.fresh = false;
    root.explored = false;
    ++root.changes;
  }
  news_ = true;  // an open file more or less also changes what is told
  keep_wanted();
}

void Analysis::keep_wanted() {
  for (auto& [path, root] : roots_) root.found = false;
  for (const auto& [folder, files] : found_) {
    for (const fs::path& file : files) roots_[file].found = true;
  }
  news_ |= std::erase_if(roots_, [](const auto& entry) {
             return !entry.second.open && !entry.second.found;
           }) > 0;
}

bool Analysis::concerns_open_file(const Root& root) const {
  if (root.open) return true;
  return std::ranges::any_of(
      root.asked, [&](const fs::path& file) { return documents_.find(file) != nullptr; });
}

Job Analysis::next() {
  fs::path unread;
  fs::path unexplored;
  const auto files = documents_.files();
  for (const auto& [path, root] : roots_) {
    if (!root.fresh) {
      if (concerns_open_file(root)) return lint(path, root, false);
      if (unread.empty()) unread = path;
    } else if (unexplored.empty() && is_to_explore(path, root, *files)) {
      unexplored = path;
    }
  }
  if (!to_search_.empty()) return search(*to_search_.begin());
  if (!unexplored.empty()) return lint(unexplored, roots_[unexplored], true);
  return unread.empty() ? Job() : lint(unread, roots_[unread], false);
}

bool Analysis::is_to_explore(const fs::path& file, const Root& root, const Files& files) const {
  if (root.explored || !concerns_open_file(root)) return false;
  Diagnostics wrong;
  std::vector<SourcePtr> sources;
  const fs::path config = team_folder_of(file, files) / config_name;
  return lint::load_policy(config, files, wrong, sources).explores();
}

Job Analysis::search(fs::path folder) {
  to_search_.erase(folder);
  ++searching_;
  return [this, folder, find = find_]() -> Completion {
    std::vector<fs::path> files;
    std::exception_ptr thrown;
    try {
      files = find(folder);
    } catch (...) {
      thrown = std::current_exception();
    }
    return [this, folder, files = std::move(files), thrown] {
      --searching_;
      found_[folder] = files;
      keep_wanted();
      if (thrown) std::rethrow_exception(thrown);
    };
  };
}

Job Analysis::lint(const fs::path& file, const Root& root, bool explore) {
  exploring_ = std::stop_source();
  return [this, file, explore, stop = exploring_.get_token(), changes = root.changes,
          files = documents_.files(), library = library_,
          check = checks_.workflow]() -> Completion {
    const auto findings = std::make_shared<lint::Findings>();
    Watched watched(*files);
    std::exception_ptr thrown;
    try {
      Diagnostics wrong;  // which `take_news` tells
      const fs::path folder = team_folder_of(file, *files);
      const auto team = lint::read_team_rules(folder / rules_name, watched, library, wrong);
      std::vector<SourcePtr> sources;
      const lint::Policy policy =
          lint::load_policy(folder / config_name, *files, wrong, sources, team);
      lint::PlaceCheck check_place;
      if (check) {
        check_place = [&](const model::System& system, Diagnostics& found) {
          return check(folder.empty() ? fs::path() : folder / config_name, *files, system, found);
        };
      }
      *findings = lint::lint(file, watched, library,
                             {.explore = explore,
                              .stop = stop,
                              .team = team,
                              .parameters = policy.parameters(),
                              .check_place = check_place});
    } catch (...) {
      thrown = std::current_exception();
    }
    return [this, file, explore, stop, changes, findings, thrown,
            asked = std::make_shared<std::set<fs::path>>(watched.take())] {
      const auto known = roots_.find(file);
      if (known == roots_.end() || known->second.changes != changes) return;
      if (explore && stop.stop_requested()) return;
      Root& linted = known->second;
      linted.findings = std::move(*findings);
      linted.asked = std::move(*asked);
      linted.fresh = true;
      linted.explored = explore || linted.findings.diagnostics.has_errors() || thrown;
      news_ |= concerns_open_file(linted);
      if (thrown) std::rethrow_exception(thrown);
    };
  };
}

std::optional<News> Analysis::take_news() {
  if (!news_) return std::nullopt;
  const auto files = documents_.files();
  struct Project {
    std::vector<lint::Findings> findings;
    bool explored = true;
  };
  std::map<fs::path, Project> projects;
  for (const auto& [path, root] : roots_) {
    if (!concerns_open_file(root)) continue;
    if (!root.fresh) return std::nullopt;
    Project& project = projects[team_folder_of(path, *files)];
    if (root.findings.draft) project.findings.push_back(root.findings);
    project.explored = project.explored && root.explored;
  }
  for (const auto& [uri, document] : documents_.all()) {
    if (is_config(document.path)) projects[document.path.parent_path()];
  }
  news_ = false;
  News news;
  // Projects may find the same.
  std::set<std::tuple<std::string, std::uint32_t, const Rule*, std::string>> known;
  const auto add = [&](const Diagnostic& found) {
    if (!found.span) return;
    const std::string& path = found.span.source->path();
    const bool is_new = known.emplace(path, found.span.begin, found.rule, found.message).second;
    if (is_new) news.files[path].push_back(found);
  };
  for (auto& [folder, project] : projects) {
    Diagnostics wrong;
    const lint::Policy policy = policy_of(folder, *files, library_, news, wrong);
    if (!folder.empty() && checks_.configuration) {
      checks_.configuration(folder / config_name, *files, wrong, news.sources);
    }
    for (const Diagnostic& diagnostic : wrong.sorted()) add(diagnostic);
    const lint::Report& report =
        news.reports.emplace_back(lint::report(std::move(project.findings), policy));
    for (const lint::Finding& finding : report.findings) {
      // What is not explored yet may need the suppression.
      const bool is_early = policy.explores() && !project.explored &&
                            finding.diagnostic.rule == &rules::unused_suppression;
      if (!finding.suppressed && !is_early) add(finding.diagnostic);
    }
  }
  return news;
}

bool Analysis::is_workflow(const fs::path& file) const {
  return std::ranges::any_of(roots_, [&](const auto& entry) {
    return entry.first == file || entry.second.asked.contains(file);
  });
}

std::set<fs::path> Analysis::known_files() const {
  std::set<fs::path> files;
  for (const auto& [path, root] : roots_) {
    files.insert(path);
    files.insert(root.asked.begin(), root.asked.end());
  }
  return files;
}

}  // namespace agneto::lsp
