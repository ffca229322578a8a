#include "workspace/worktree/kept_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "workspace/git.h"

namespace agneto::workspace {

namespace {

constexpr std::string_view ending = ".settings";

// CBOR, since a file's bytes need not be UTF-8.
std::string to_bytes(const std::vector<SettingsWatch::Memory>& settings) {
  Json all = Json::array();
  for (const SettingsWatch::Memory& memory : settings) {
    Json configurations = Json::array(), texts = Json::array();
    for (const fs::path& file : memory.configurations) configurations.push_back(file.string());
    for (const auto& [file, text] : memory.texts) {
      texts.push_back({file.string(), text ? Json(*text) : Json()});
    }
    all.push_back({{"configurations", configurations}, {"texts", texts}});
  }
  std::string bytes;
  Json::to_cbor(all, bytes);
  return bytes;
}

SettingsWatch::Memory memory_from(const Json& json) {
  SettingsWatch::Memory memory;
  for (const Json& file : json.at("configurations")) {
    memory.configurations.emplace_back(file.get<std::string>());
  }
  for (const Json& one : json.at("texts")) {
    const Json& text = one.at(1);
    memory.texts[one.at(0).get<std::string>()] =
        text.is_null() ? std::nullopt : std::optional(text.get<std::string>());
  }
  return memory;
}

// Empty where the engine was killed while it wrote, before anybody began to work, or where somebody
// has written something else there.
std::vector<SettingsWatch::Memory> from_bytes(const std::string& bytes) {
  std::vector<SettingsWatch::Memory> settings;
  try {
    for (const Json& each : Json::from_cbor(bytes)) settings.push_back(memory_from(each));
  } catch (const Json::exception&) {
    return {};
  }
  return settings;
}

struct Kept {
  fs::path file;
  std::string run;
  std::vector<SettingsWatch::Memory> settings;
};

// The files of all worktrees, and the temporary ones of engines that were killed while they wrote.
// An item's worktree is called as its run, a dot and more.
std::vector<Kept> kept_in(const fs::path& worktrees) {
  std::vector<Kept> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(worktrees, none)) {
    const std::string name = entry.path().filename();
    const bool is_temporary =
        name.find(std::string(ending) + ".") != name.npos && name.ends_with(".tmp");
    if (!is_temporary && !name.ends_with(ending)) continue;
    found.push_back({entry.path(), name.substr(0, name.find('.')),
                     from_bytes(Disk().read(entry.path()).value_or(""))});
  }
  std::ranges::sort(found, {}, &Kept::file);
  return found;
}

}  // namespace

KeptSettings::KeptSettings(const fs::path& worktree) : file_(worktree.string().append(ending)) {}

void KeptSettings::keep(const std::vector<SettingsWatch::Memory>& settings) {
  std::string text = to_bytes(settings);
  if (text == text_) return;
  if (text_.empty()) {
    // There may be somebody's password in it.
    std::ofstream(file_).flush();
    std::error_code told_as_it_is_written;
    fs::permissions(file_, fs::perms::owner_read | fs::perms::owner_write, told_as_it_is_written);
  }
  write_file(file_, text);
  text_ = std::move(text);
}

void KeptSettings::forget() {
  std::error_code none;
  if (!text_.empty()) fs::remove(file_, none);
  text_.clear();
}

std::vector<std::string> put_kept_settings_back(
    const fs::path& worktrees, const std::function<bool(const std::string& run)>& is_at_work) {
  std::vector<std::string> said;
  for (const Kept& kept : kept_in(worktrees)) {
    if (is_at_work(kept.run)) continue;
    for (const SettingsWatch::Memory& memory : kept.settings) {
      for (const std::string& change : SettingsWatch(memory).put_back()) {
        said.push_back(
            fmt::format("who worked for run {} when it was killed {}", kept.run, change));
        log::warning("git was changed", {{"what", said.back()}});
      }
    }
    std::error_code none;
    fs::remove(kept.file, none);
  }
  return said;
}

void require_kept_settings(const fs::path& worktrees) {
  std::vector<std::string> changed;
  for (const Kept& kept : kept_in(worktrees)) {
    for (const SettingsWatch::Memory& memory : kept.settings) {
      for (auto& change : SettingsWatch(memory).guarded_changes()) {
        const bool is_known = std::ranges::find(changed, change) != changed.end();
        if (!is_known) changed.push_back(std::move(change));
      }
    }
  }
  if (changed.empty()) return;
  throw Error(
      fmt::format("while others worked for a run, somebody changed {}: git may start what that "
                  "names",
                  listed(changed)),
      "it is put back when their call ends, or, where the run was killed, by 'agneto resume'; what "
      "is committed can be seen with git");
}

}  // namespace agneto::workspace
