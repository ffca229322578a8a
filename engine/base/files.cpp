#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/text.h"

namespace agneto {

namespace {

std::string key(const fs::path& path) {
  return path.lexically_normal().string();
}

// The temporary file of one write: removed again unless it was kept.
class Draft {
 public:
  explicit Draft(const fs::path& target) : target_(target) {
    static std::atomic<unsigned> count{0};
    path_ = fmt::format("{}.{}-{}.tmp", target.string(), ::getpid(), count++);
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    check(descriptor_ >= 0);
  }
  ~Draft() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
      ::unlink(path_.c_str());
    }
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  void keep_mode_of_target() {
    struct stat status {};
    if (::stat(target_.c_str(), &status) == 0) {
      check(::fchmod(descriptor_, status.st_mode & 07777) == 0);
    }
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      check(written > 0);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    check(::fsync(descriptor_) == 0);
  }

  void keep() {
    check(::rename(path_.c_str(), target_.c_str()) == 0);
    ::close(descriptor_);
    descriptor_ = -1;
    // The rename is durable once the folder is.
    const fs::path folder = target_.has_parent_path() ? target_.parent_path() : fs::path(".");
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened >= 0) {
      ::fsync(opened);
      ::close(opened);
    }
  }

 private:
  void check(bool good) const {
    if (!good) {
      if (is_disk_full(errno)) throw DiskFull(fmt::format("cannot write '{}'", target_.string()));
      throw Error(fmt::format("cannot write '{}': {}", target_.string(), std::strerror(errno)));
    }
  }

  fs::path target_;
  std::string path_;
  int descriptor_ = -1;
};

// A device or a pipe stays what it is.
void write_device(const fs::path& path, std::string_view text) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.flush()) throw Error(fmt::format("cannot write '{}'", path.string()));
}

}  // namespace

std::optional<std::string> Disk::read(const fs::path& path) const {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::string text;
  std::array<char, 16 * 1024> block;
  while (stream.read(block.data(), block.size()), stream.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  return stream.bad() ? std::nullopt : std::optional(std::move(text));
}

std::optional<std::string> Disk::tree_hash(const fs::path& folder) const {
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  if (error) return std::nullopt;
  std::map<std::string, std::string> texts;
  for (; entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path path = entry->path().lexically_relative(folder);
    const bool is_folder = entry->symlink_status(error).type() == fs::file_type::directory;
    if (is_folder && path == "packages") entry.disable_recursion_pending();
    if (is_folder) continue;
    auto text = entry->is_symlink(error) ? std::nullopt : read(entry->path());
    texts[path.generic_string()] = text ? std::move(*text) : "no file";
  }
  return tree_hash_of(texts);
}

bool Disk::leads_out(const fs::path& path, const fs::path& folder) const {
  std::error_code error;
  const auto real = [&](const fs::path& one) {
    return fs::weakly_canonical(fs::absolute(one.empty() ? fs::path(".") : one), error);
  };
  const fs::path target = real(path);
  return error || !is_within(target, real(folder));
}

MemoryFiles::MemoryFiles(const std::map<std::string, std::string>& texts) {
  for (const auto& [path, text] : texts) add(path, text);
}

void MemoryFiles::add(const fs::path& path, std::string text) {
  texts_[key(path)] = std::move(text);
}

std::optional<std::string> MemoryFiles::read(const fs::path& path) const {
  const auto found = texts_.find(key(path));
  return found == texts_.end() ? std::nullopt : std::optional(found->second);
}

bool MemoryFiles::has_any_in(const fs::path& folder) const {
  const std::string start = key(folder / "");
  const auto first = texts_.lower_bound(start);
  return first != texts_.end() && first->first.starts_with(start);
}

std::optional<std::string> RecordingFiles::read(const fs::path& path) const {
  const std::string name = key(path);
  const std::lock_guard lock(mutex_);
  if (const auto found = texts_.find(name); found != texts_.end()) return found->second;
  std::optional<std::string> text = FilesOver::read(path);
  if (text) texts_.emplace(name, *text);
  return text;
}

std::map<std::string, std::string> RecordingFiles::texts() const {
  const std::lock_guard lock(mutex_);
  return texts_;
}

std::string tree_hash_of(const std::map<std::string, std::string>& texts) {
  std::string lines;
  for (const auto& [path, text] : texts) {
    if (!path.starts_with("packages/")) lines += sha256(text) + "  " + path + "\n";
  }
  return sha256(lines);
}

bool is_there(const fs::path& path) {
  std::error_code none;
  return fs::exists(fs::symlink_status(path, none));
}

bool is_within(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

bool has_room(const fs::path& folder) {
  constexpr std::uint64_t least = 1 << 20;  // bytes
  struct statvfs there {};
  // Some file systems count no blocks, and where nobody may write it is not for want of room.
  if (::statvfs(folder.c_str(), &there) != 0 || there.f_blocks == 0) return true;
  if ((there.f_flag & ST_RDONLY) != 0) return true;
  const bool has_files = there.f_files == 0 || there.f_favail > 0;
  return has_files && std::uint64_t{there.f_bavail} * there.f_frsize >= least;
}

void write_file(const fs::path& path, std::string_view text) {
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  if (fs::exists(target, error) && !fs::is_regular_file(target, error) &&
      !fs::is_directory(target, error)) {
    return write_device(target, text);
  }
  Draft draft(target.empty() ? path : target);
  draft.keep_mode_of_target();
  draft.write(text);
  draft.keep();
}

}  // namespace agneto
