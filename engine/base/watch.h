// Waits until something changes in folders, for a program that then does its work again.
#pragma once

#include <chrono>
#include <filesystem>
#include <set>

namespace agneto {

namespace fs = std::filesystem;

// Linux's inotify. Not thread-safe.
class FolderWatch {
 public:
  // Throws Error where the system gives no more of them.
  FolderWatch();
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Looks at these folders from now on, and at no others: at files that are written, come or go
  // directly in them. Where a folder is missing, it looks at the nearest one around it.
  void look_at(const std::set<fs::path>& folders);

  // Waits for a change, and then until there was none for `quiet`, or for ten times as long. False:
  // `stop`, a file descriptor, became readable.
  bool wait(int stop, std::chrono::milliseconds quiet);

 private:
  bool readable(int stop, int timeout, bool& stopped) const;
  void drop_events() const;

  int descriptor_;
  std::set<int> watches_;
};

}  // namespace agneto
