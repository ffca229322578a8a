#include "cli/watching.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "base/files.h"
#include "base/watch.h"
#include "cli/commands.h"
#include "cli/signals.h"

namespace agneto::cli {

namespace {

constexpr std::chrono::milliseconds quiet{50};  // editors write a file in several steps

// The disk; remembers what was read of it, and which files were missing.
class NotedFiles : public FilesOver {
 public:
  NotedFiles() : FilesOver(disk) {}

  std::optional<std::string> read(const fs::path& path) const override {
    auto text = disk.read(path);
    const std::lock_guard lock(mutex_);
    texts_[path] = text;
    return text;
  }

  bool changed() const {
    for (const auto& [path, text] : texts_) {
      if (disk.read(path) != text) return true;
    }
    return false;
  }

  const auto& texts() const { return texts_; }

 private:
  static inline const Disk disk;
  mutable std::mutex mutex_;
  mutable std::map<fs::path, std::optional<std::string>> texts_;
};

// The folders of what was read, also behind links, and those where another file may come to be.
std::set<fs::path> folders(const Scope& scope, const NotedFiles& files) {
  std::set<fs::path> all = scope.folders;
  std::error_code gone;
  for (const auto& [path, text] : files.texts()) {
    all.insert(path.parent_path());
    if (fs::is_symlink(path, gone)) all.insert(fs::weakly_canonical(path, gone).parent_path());
  }
  return all;
}

}  // namespace

ExitStatus again_and_again(const std::function<Scope()>& scope, const Round& round,
                           std::FILE* notes) {
  const EndSignals signals;
  FolderWatch watch;
  ExitStatus status = ExitStatus::complete;
  while (true) {
    if (::isatty(STDOUT_FILENO) != 0) fmt::print("\x1b[H\x1b[2J\x1b[3J");
    const NotedFiles files;
    const std::vector<fs::path> before = scope().files;
    try {
      status = round(files);
    } catch (const Error& error) {
      print(error, notes);
      status = error.status();
    }
    fmt::print(notes, "Waiting for changes; Ctrl+C ends it.\n");
    std::fflush(stdout);
    // A change before the watch began shows in a file's text.
    for (;;) {
      const Scope current = scope();
      watch.look_at(folders(current, files));
      if (files.changed() || current.files != before) break;
      if (!watch.wait(signals.descriptor(), quiet)) return status;
    }
  }
}

}  // namespace agneto::cli
