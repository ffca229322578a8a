#include "workspace/worktree/settings_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "base/files.h"
#include "base/text.h"
#include "workspace/git.h"
#include "workspace/worktree/moved_refs.h"

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

// How the keys of a configuration differ from what they were.
struct Difference {
  bool readable = true;  // by git
  Values then, now;
  std::vector<std::string> guarded, others;
};

// Nothing where git could not read it then, either.
std::optional<Difference> difference(const std::optional<std::string>& then,
                                     const std::optional<std::string>& now) {
  const std::optional<Values> before = values_in(then);
  if (!before) return std::nullopt;
  const std::optional<Values> found = values_in(now);
  Difference difference{found.has_value(), *before, found.value_or(Values()), {}, {}};
  Values keys = difference.now;
  keys.insert(before->begin(), before->end());
  const auto of = [](const Values& values, const std::string& key) {
    const auto there = values.find(key);
    return there == values.end() ? std::vector<std::string>() : there->second;
  };
  for (const auto& [key, ignored] : keys) {
    if (of(difference.then, key) == of(difference.now, key)) continue;
    (is_guarded(key) ? difference.guarded : difference.others).push_back(key);
  }
  return difference;
}

void put_key_back(const fs::path& file, const std::string& key, const Difference& difference) {
  const auto config = [&](const Arguments& more) {
    Arguments all = {"config", "--file", file};
    all.insert(all.end(), more.begin(), more.end());
    outside().text(all);
  };
  if (difference.now.contains(key)) config({"--unset-all", key});
  const auto before = difference.then.find(key);
  if (before == difference.then.end()) return;
  for (const std::string& value : before->second) config({"--add", key, value});
}

// The guarded ones are put back, where `puts_back`; says which were changed, and which others,
// which may be a person's doing.
std::vector<std::string> changed_keys(const fs::path& file, const std::optional<std::string>& then,
                                      const std::optional<std::string>& now, bool puts_back) {
  if (!puts_back && !now) return {left_so(file.string() + " was deleted")};
  const std::optional<Difference> keys = difference(then, now);
  if (!keys) return {};
  if (!puts_back && !keys->readable) {
    return {left_so(file.string() + " changed, which git cannot read any more")};
  }
  if (!keys->readable || (!now && !keys->guarded.empty())) {
    return {put_back_whole(now ? "made git unable to read" : "deleted", file, then)};
  }
  std::vector<std::string> left = keys->others;
  if (!puts_back) {
    left.insert(left.end(), keys->guarded.begin(), keys->guarded.end());
    std::ranges::sort(left);
  }
  std::vector<std::string> said;
  if (puts_back && !keys->guarded.empty()) {
    for (const std::string& key : keys->guarded) put_key_back(file, key, *keys);
    said.push_back(as_it_was("changed " + agneto::join(keys->guarded, ", ") + " in", file));
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

SettingsWatch::SettingsWatch(Memory then) : then_(std::move(then)) {}

void SettingsWatch::look() {
  const std::lock_guard lock(mutex_);
  remember();
}

void SettingsWatch::lend() {
  const std::lock_guard lock(mutex_);
  if (lent_++ == 0) remember();
}

void SettingsWatch::give_back() {
  const std::lock_guard lock(mutex_);
  --lent_;
}

SettingsWatch::Memory SettingsWatch::memory() {
  const std::lock_guard lock(mutex_);
  return then_;
}

void SettingsWatch::remember() {
  then_ = {files_.configurations, {}};
  for (const fs::path& file : files_.others) then_.texts[file] = Disk().read(file);
  for (std::size_t i = 0; i < then_.configurations.size(); ++i) {
    const fs::path file = then_.configurations[i];
    const auto& text = then_.texts[file] = Disk().read(file);
    for (fs::path& more : included(file, text)) {
      if (std::ranges::find(then_.configurations, more) == then_.configurations.end()) {
        then_.configurations.push_back(std::move(more));
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
  for (const auto& [file, text] : then_.texts) {
    const std::optional<std::string> now = Disk().read(file);
    if (now == text) continue;
    changed = true;
    if (!is_configuration(file)) {
      said.push_back(puts_back ? put_back_whole("changed", file, text)
                               : left_so(file.string() + " changed"));
      continue;
    }
    for (auto& change : changed_keys(file, text, now, puts_back)) said.push_back(std::move(change));
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

std::vector<std::string> SettingsWatch::guarded_changes() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> found;
  for (const auto& [file, text] : then_.texts) {
    const std::optional<std::string> now = Disk().read(file);
    if (now == text) continue;
    const auto keys = is_configuration(file) ? difference(text, now) : std::nullopt;
    if (!keys || !keys->readable) {
      found.push_back(file.string());
    } else if (!keys->guarded.empty()) {
      found.push_back(agneto::join(keys->guarded, ", ") + " in " + file.string());
    }
  }
  return found;
}

bool SettingsWatch::is_configuration(const fs::path& file) const {
  return std::ranges::find(then_.configurations, file) != then_.configurations.end();
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
