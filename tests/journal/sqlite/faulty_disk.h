// A disk that fails when a test wants it to: SQLite's own file system, with some calls refused.
// What is synced is not waited for: no test takes the machine's power away.
#pragma once

#include <sqlite3.h>

#include <array>
#include <atomic>
#include <cerrno>

namespace agneto::journal {

// While it lives, databases are opened on it. One at a time.
class FaultyDisk {
 public:
  enum class Call { read, write, sync };

  FaultyDisk() {
    real_ = sqlite3_vfs_find(nullptr);
    faulty_ = *real_;
    faulty_.zName = "faulty";
    faulty_.xOpen = open;
    sqlite3_vfs_register(&faulty_, 1);
    heal();
    reads_ = 0;
  }
  ~FaultyDisk() {
    sqlite3_vfs_unregister(&faulty_);
    sqlite3_vfs_register(real_, 1);
  }
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;

  // After `good` more of these calls, all of them fail with `code` until it is healed; a write that
  // fails leaves its first half.
  void fail_after(int good, Call call, int code) {
    failing_ = call;
    code_ = code;
    good_ = good;
    failed_ = false;
  }
  void heal() { good_ = -1; }
  // Did a call fail since `fail_after`?
  bool failed() const { return failed_; }
  // How often was something read since the disk was made?
  int reads() const { return reads_; }

 private:
  static bool fails(Call call) {
    if (good_ < 0 || failing_ != call) return false;
    if (good_ > 0) {
      --good_;
      return false;
    }
    errno = code_ == SQLITE_FULL ? ENOSPC : EIO;
    return failed_ = true;
  }

  // What a file of SQLite's own does, but for some calls. The database is another kind of file than
  // the logs beside it: it has locks.
  struct Methods {
    const sqlite3_io_methods* real;
    sqlite3_io_methods faulty;
  };

  static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
    const int code = real_->xOpen(real_, name, file, flags, out);
    if (file->pMethods == nullptr) return code;
    Methods& methods = methods_[(flags & SQLITE_OPEN_MAIN_DB) != 0 ? 0 : 1];
    methods.real = file->pMethods;
    methods.faulty = *file->pMethods;
    methods.faulty.xRead = read;
    methods.faulty.xWrite = write;
    methods.faulty.xSync = sync;
    file->pMethods = &methods.faulty;
    return code;
  }
  static const sqlite3_io_methods* real(const sqlite3_file* file) {
    return methods_[file->pMethods == &methods_[0].faulty ? 0 : 1].real;
  }
  static int read(sqlite3_file* file, void* bytes, int size, sqlite3_int64 offset) {
    ++reads_;
    return fails(Call::read) ? code_.load() : real(file)->xRead(file, bytes, size, offset);
  }
  static int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
    if (!fails(Call::write)) return real(file)->xWrite(file, bytes, size, offset);
    real(file)->xWrite(file, bytes, size / 2, offset);
    return code_;
  }
  static int sync(sqlite3_file*, int) { return fails(Call::sync) ? code_.load() : SQLITE_OK; }

  static inline sqlite3_vfs* real_ = nullptr;
  static inline sqlite3_vfs faulty_{};
  static inline std::array<Methods, 2> methods_{};
  static inline std::atomic<Call> failing_ = Call::write;
  static inline std::atomic<int> code_ = 0;
  static inline std::atomic<int> good_ = -1;
  static inline std::atomic<bool> failed_ = false;
  static inline std::atomic<int> reads_ = 0;
};

}  // namespace agneto::journal
