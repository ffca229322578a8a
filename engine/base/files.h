// Files, behind a seam: the disk, or the sources that a run recorded.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace agneto {

namespace fs = std::filesystem;

class Files {
 public:
  virtual ~Files() = default;
  // Nothing where there is no such regular file or it cannot be read. Thread-safe.
  virtual std::optional<std::string> read(const fs::path& path) const = 0;
  // One hash over all that a folder has but for its own `packages`; nothing where there is no such
  // folder, and where what it had is not known any more.
  virtual std::optional<std::string> tree_hash(const fs::path&) const { return std::nullopt; }
  // Does a symbolic link lead from that path, which is in the folder by its words, to elsewhere?
  virtual bool leads_out(const fs::path&, const fs::path& /*folder*/) const { return false; }
};

// The real disk.
class Disk : public Files {
 public:
  std::optional<std::string> read(const fs::path& path) const override;
  std::optional<std::string> tree_hash(const fs::path& folder) const override;
  bool leads_out(const fs::path& path, const fs::path& folder) const override;
};

// Texts by their lexically normal path: a run's recorded sources, and tests.
class MemoryFiles : public Files {
 public:
  MemoryFiles() = default;
  explicit MemoryFiles(const std::map<std::string, std::string>& texts);
  void add(const fs::path& path, std::string text);
  std::optional<std::string> read(const fs::path& path) const override;
  bool has_any_in(const fs::path& folder) const;

 private:
  std::map<std::string, std::string> texts_;
};

// Asks the others, which outlive it, for all that it is asked itself: for what looks at what is
// read, or changes some of it.
class FilesOver : public Files {
 public:
  explicit FilesOver(const Files& files) : files_(files) {}

  std::optional<std::string> read(const fs::path& path) const override { return files_.read(path); }
  std::optional<std::string> tree_hash(const fs::path& folder) const override {
    return files_.tree_hash(folder);
  }
  bool leads_out(const fs::path& path, const fs::path& folder) const override {
    return files_.leads_out(path, folder);
  }

 private:
  const Files& files_;
};

// Thread-safe.
class RecordingFiles : public FilesOver {
 public:
  using FilesOver::FilesOver;

  // A path that was read before gives the same text again, even where the file has changed since:
  // what is recorded is what was used.
  std::optional<std::string> read(const fs::path& path) const override;

  // Texts by their lexically normal path, as MemoryFiles takes them.
  std::map<std::string, std::string> texts() const;

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::string> texts_;
};

// Texts before the files on the disk: a run's recorded sources, what is typed in an editor.
class Overlay : public FilesOver {
 public:
  Overlay(std::map<std::string, std::string> texts, const Files& disk)
      : FilesOver(disk), texts_(std::move(texts)) {}

  std::optional<std::string> read(const fs::path& path) const override {
    auto text = texts_.read(path);
    return text ? text : FilesOver::read(path);
  }
  std::optional<std::string> tree_hash(const fs::path& folder) const override {
    return texts_.has_any_in(folder) ? std::nullopt : FilesOver::tree_hash(folder);
  }
  bool leads_out(const fs::path& path, const fs::path& folder) const override {
    return !texts_.read(path) && FilesOver::leads_out(path, folder);
  }

 private:
  MemoryFiles texts_;
};

// The hash of a folder that has these files, by their paths in it.
std::string tree_hash_of(const std::map<std::string, std::string>& texts);

// Is there a file, a folder or a link by that name, even if the link leads nowhere? What cannot be
// looked at is not there.
bool is_there(const fs::path& path);
// Is the path that of the folder, or of something in it? By their words alone, so that both are to
// be lexically normal.
bool is_within(const fs::path& path, const fs::path& folder);

// False: the file system of that folder has less than a megabyte of room left, or none for another
// file, so that what has just failed there may have failed for want of it.
bool has_room(const fs::path& folder);

// Writes whole or not at all (temporary file, fsync, rename), keeping the mode of a file that was
// there and following a link; a device is written to. Throws Error with the path and the
// cause.
void write_file(const fs::path& path, std::string_view text);

}  // namespace agneto
