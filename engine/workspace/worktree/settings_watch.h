// What others change, while they work, of the files by which git knows its settings.
//
// The repository's configuration is the user's, who may change it at any time. So only those of its
// keys are put back that start programs or decide what git sees; of the hooks, which no git of the
// engine's runs, it is only said that they were changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace agneto::workspace {

namespace fs = std::filesystem;

// Thread-safe.
class SettingsWatch {
 public:
  struct Files {
    // Of these, and of the files that they include, guarded keys are put back.
    std::vector<fs::path> configurations;
    std::vector<fs::path> others;  // which are put back as a whole
    fs::path hooks;                // a folder; empty: none
  };
  // How the files were; of no text: there was no such file.
  struct Memory {
    std::vector<fs::path> configurations;  // with those that they included
    std::map<fs::path, std::optional<std::string>> texts;
  };
  // They are to be as they are now.
  explicit SettingsWatch(Files files);
  // They are to be as they were; of hooks nothing is known.
  explicit SettingsWatch(Memory then);

  // From now on they are to be as they are now.
  void look();
  // The same, unless they are lent already: what those who work have changed is not forgotten where
  // others begin, too.
  void lend();
  void give_back();
  // As they are to be.
  Memory memory();
  // Puts back what was changed since, and says each change: "changed core.pager in FILE, which is
  // as it was again"; also "was at work while user.name changed in FILE; nobody has put that back".
  // Starts git only where there is one. Throws Error.
  std::vector<std::string> put_back();
  // Says each change in the same way, and puts nothing back.
  std::vector<std::string> tell();
  // The guarded keys and files that were changed: "filter.x.clean in FILE". Puts nothing back.
  std::vector<std::string> guarded_changes();

 private:
  using Hook = std::pair<fs::file_time_type, std::uintmax_t>;  // when it was written; its size

  enum class Then { put_back, leave };
  std::vector<std::string> changes(Then then);
  void remember();
  bool is_configuration(const fs::path& file) const;
  std::map<std::string, Hook> hooks() const;

  const Files files_ = {};
  std::mutex mutex_;
  Memory then_;
  std::map<std::string, Hook> hooks_;
  std::size_t lent_ = 0;  // how often
};

// That of a repository's git folder, one for all who work with that repository in this process:
// what one of them has put back is no change to the others.
std::shared_ptr<SettingsWatch> settings_of(const fs::path& common);
// The files of a repository's git folder by which git knows its settings.
SettingsWatch::Files settings_files(const fs::path& common);

// Does a key of the configuration (as git lists it) start a program, or decide what git sees?
bool is_guarded(std::string_view key);

}  // namespace agneto::workspace
