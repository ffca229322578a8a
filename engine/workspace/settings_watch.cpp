#include "workspace/settings_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "base/files.h"
#include "base/text.h"
#include "workspace/git.h"
#include "workspace/moved_refs.h"

namespace agneto::workspace {
namespace {

using Values = std::map<std::string, std::vector<std::string>>;  // by key

// Git that reads no repository's configuration, which may be what is damaged.
Git outside() {
  return Git("/");
}

// Nothing where git cannot read the text.
std::optional<Values> values_in(const std::optional<std::string>& text) {
  if (!text || text->empty()) return Values();
  const auto listed =
      outside().run({"config", "--no-includes", "--file", "-", "--list", "-z"}, *text);
  if (listed.status != 0) return std::nullopt;
  Values values;
  for (const std::string& entry : split(listed.output, '\0')) {
    const std::size_t end = std::min(entry.find('\n'), entry.size());
    const std::string key = entry.substr(0, end);
    values[key].push_back(end == entry.size() ? "true" : entry.substr(end + 1));
  }
  return values;
}

// The files that a configuration includes, whatever the condition.
std::vector<fs::path> included(const fs::path& file, const std::optional<std::string>& text) {
  std::vector<fs::path> found;
  if (!text || lower(*text).find("include") == std::string::npos) return found;
  const std::optional<Values> values = values_in(text);
  if (!values) return found;
  for (const auto& [key, paths] : *values) {
    if (!key.starts_with("include.") && !key.starts_with("includeif.")) continue;
    for (const std::string& path : paths) {
      const char* home = std::getenv("HOME");
      const bool is_at_home = home && path.starts_with("~/");
      found.push_back(is_at_home ? fs::path(home) / path.substr(2) : file.parent_path() / path);
    }
  }
  return found;
}

std::string as_it_was(const std::string& what, const fs::path& file) {
  return fmt::format("{} {}, which is as it was again", what, file.string());
}

// What a person may have written at the same time is not lost.
std::string put_back_whole(const std::string& what, const fs::path& file,
                           const std::optional<std::string>& then) {
  std::string said = as_it_was(what, file);
  if (fs::exists(fs::symlink_status(file))) {
    const fs::path changed = file.string() + ".changed";
    fs::remove_all(changed);
    fs::rename(file, changed);
    said += "; what it was changed to is in " + changed.string();
  }
  if (then) {
    fs::create_directories(file.parent_path());
    write_file(file, *then);
  }
  return said;
}

// The guarded ones are put back, where `puts_back`; says which were changed, and which others,
// which may be a person's doing.
std::vector<std::string> changed_keys(const fs::path& file, const std::optional<std::string>& then,
                                      const std::optional<std::string>& now, bool puts_back) {
  if (!puts_back && !now) return {left_so(file.string() + " was deleted")};
  const std::optional<Values> wanted = values_in(then);
  if (!wanted) return {};
  const std::optional<Values> found = values_in(now);
  const bool guarded =
      std::ranges::any_of(*wanted, [](const auto& value) { return is_guarded(value.first); });
  if (!puts_back && !found) {
    return {left_so(file.string() + " changed, which git cannot read any more")};
  }
  if (!found || (!now && guarded)) {
    return {put_back_whole(now ? "made git unable to read" : "deleted", file, then)};
  }
  Values keys = *found;
  keys.insert(wanted->begin(), wanted->end());
  std::vector<std::string> changed, left;
  for (const auto& [key, ignored] : keys) {
    const auto before = wanted->find(key), after = found->find(key);
    if (before != wanted->end() && after != found->end() && before->second == after->second) {
      continue;
    }
    if (!puts_back || !is_guarded(key)) {
      left.push_back(key);
      continue;
    }
    changed.push_back(key);
    const Arguments config = {"config", "--file", file};
    const auto with = [&](const Arguments& more) {
      Arguments all = config;
      all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    if (after != found->end()) outside().text(with({"--unset-all", key}));
    if (before == wanted->end()) continue;
    for (const std::string& value : before->second) outside().text(with({"--add", key, value}));
  }
  std::vector<std::string> said;
  if (!changed.empty()) {
    said.push_back(as_it_was("changed " + agneto::join(changed, ", ") + " in", file));
  }
  if (!left.empty()) {
    said.push_back(left_so(agneto::join(left, ", ") + " changed in " + file.string()));
  }
  return said;
}

}  // namespace

bool is_guarded(std::string_view key) {
  // A user who makes the checkout sparse sets these.
  static const std::vector<std::string_view> free = {
      "core.sparsecheckout", "core.sparsecheckoutcone", "extensions.worktreeconfig"};
  static const std::vector<std::string_view> sections = {
      "alias", "core",     "credential", "difftool",  "extensions",  "filter",
      "gpg",   "hook",     "include",    "includeif", "interactive", "mergetool",
      "pager", "protocol", "sequence",   "trailer",   "uploadpack"};
  static const std::vector<std::string_view> names = {
      "cmd",     "command",  "driver",      "external", "helper",     "partialclonefilter",
      "program", "promisor", "receivepack", "textconv", "uploadpack", "vcs"};
  const auto is_in = [](const auto& all, std::string_view one) {
    return std::ranges::find(all, one) != all.end();
  };
  if (is_in(free, key)) return false;
  return is_in(sections, key.substr(0, key.find('.'))) ||
         is_in(names, key.substr(key.rfind('.') + 1));
}

SettingsWatch::SettingsWatch(Files files) : files_(std::move(files)) {
  remember();
}

void SettingsWatch::look() {
  const std::lock_guard lock(mutex_);
  remember();
}

void SettingsWatch::remember() {
  then_.clear();
  for (const fs::path& file : files_.others) then_[file] = Disk().read(file);
  configurations_ = files_.configurations;
  for (std::size_t i = 0; i < configurations_.size(); ++i) {
    const fs::path file = configurations_[i];
    const Text& text = then_[file] = Disk().read(file);
    for (fs::path& more : included(file, text)) {
      if (std::ranges::find(configurations_, more) == configurations_.end()) {
        configurations_.push_back(std::move(more));
      }
    }
  }
  hooks_ = hooks();
}

std::map<std::string, SettingsWatch::Hook> SettingsWatch::hooks() const {
  std::map<std::string, Hook> found;
  std::error_code none;
  if (files_.hooks.empty()) return found;
  for (const auto& entry : fs::directory_iterator(files_.hooks, none)) {
    found[entry.path().filename()] = {entry.last_write_time(none), entry.file_size(none)};
  }
  return found;
}

std::vector<std::string> SettingsWatch::put_back() {
  return changes(Then::put_back);
}

std::vector<std::string> SettingsWatch::tell() {
  return changes(Then::leave);
}

std::vector<std::string> SettingsWatch::changes(Then then) {
  const std::lock_guard lock(mutex_);
  const bool puts_back = then == Then::put_back;
  std::vector<std::string> said;
  bool changed = false;
  for (const fs::path& file : configurations_) {
    const Text now = Disk().read(file);
    if (now == then_[file]) continue;
    changed = true;
    for (auto& change : changed_keys(file, then_[file], now, puts_back)) {
      said.push_back(std::move(change));
    }
  }
  for (const fs::path& file : files_.others) {
    if (Disk().read(file) == then_[file]) continue;
    changed = true;
    said.push_back(puts_back ? put_back_whole("changed", file, then_[file])
                             : left_so(file.string() + " changed"));
  }
  for (const auto& [name, hook] : hooks()) {
    const auto known = hooks_.find(name);
    if (known != hooks_.end() && known->second == hook) continue;
    changed = true;
    said.push_back(fmt::format("changed the hook {}, which is left so: your own git would run it",
                               (files_.hooks / name).string()));
  }
  if (changed) remember();
  return said;
}

SettingsWatch::Files settings_files(const fs::path& common) {
  return {{common / "config", common / "config.worktree"},
          {common / "info" / "attributes", common / "info" / "exclude"},
          common / "hooks"};
}

std::shared_ptr<SettingsWatch> settings_of(const fs::path& common) {
  static std::mutex mutex;
  static std::map<fs::path, std::weak_ptr<SettingsWatch>> known;
  const std::lock_guard lock(mutex);
  std::shared_ptr<SettingsWatch> watch = known[common].lock();
  if (!watch) {
    watch = std::make_shared<SettingsWatch>(settings_files(common));
    known[common] = watch;
  }
  return watch;
}

}  // namespace agneto::workspace
