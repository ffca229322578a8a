// The little of SQLite that the journal needs, with its errors as Error and its handles owned.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace agneto::journal {

class Database;

// A statement that is prepared at its first start and run many times: start, bind from the left,
// then go through the rows or run.
class Statement {
 public:
  Statement(Database& database, std::string sql) : database_(database), sql_(std::move(sql)) {}
  ~Statement() { sqlite3_finalize(handle_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Begins anew: forgets rows and values.
  Statement& start();
  Statement& bind(std::string_view text);
  Statement& bind(std::int64_t number);
  // Leaves the next value out.
  Statement& bind_null() {
    ++bound_;
    return *this;
  }
  Statement& bind(Time time) { return bind(time.time_since_epoch().count()); }
  // Returns false past the last row. Call it until then: an open statement holds a lock.
  bool step();
  // Calls `take(row)` for each row until it says false; closes the statement, also where that
  // throws.
  template <typename Take>
  void each(Take take) {
    try {
      while (step() && take(*this)) {
      }
    } catch (...) {
      sqlite3_reset(handle_);
      throw;
    }
    sqlite3_reset(handle_);
  }
  // Runs a statement that has no rows.
  void run() { step(); }
  // The first column of the only row; 0 where there is none.
  std::int64_t only_number();

  std::string text(int column);
  bool is_null(int column) { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }
  std::int64_t number(int column) { return sqlite3_column_int64(handle_, column); }
  Time time(int column) { return Time(Millis(number(column))); }

 private:
  Database& database_;
  std::string sql_;
  sqlite3_stmt* handle_ = nullptr;
  int bound_ = 0;
};

// Not thread-safe: its owner holds a mutex.
class Database {
 public:
  // Opens or makes the file, readable by its owner only, with write-ahead logging, every commit on
  // disk before it returns, and patience for other processes that write. What cannot be written,
  // because the disk is full or the file read-only, is opened to be read: then writing throws why.
  explicit Database(const std::string& path);
  ~Database() { sqlite3_close_v2(handle_); }  // once its own statements are gone, too
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }
  // Throws Error where the file can only be read, or is not where it was opened: nobody would find
  // what is written then.
  void require_writable() const;
  bool writable() const { return !unwritable_; }
  void execute(const char* sql);
  // Throws Error where something in it turned out to be damaged: what is not found may have been
  // there.
  void require_sound();
  // What SQLite finds wrong with its own file, at most a few.
  std::vector<std::string> faults();
  // Throws Error with what this code means and what to do about it.
  [[noreturn]] void fail(int code);
  // Does the same for any code but SQLITE_OK.
  void check(int code) {
    if (code != SQLITE_OK) fail(code);
  }
  sqlite3* handle() { return handle_; }

 private:
  void open_to_write();
  bool open_to_read(const std::string& parameters);
  void use_write_ahead_log();

  std::string path_;
  sqlite3* handle_ = nullptr;
  std::exception_ptr unwritable_;  // why; null: it can be written
  bool damaged_ = false;

  friend class Transaction;
  Statement begin_{*this, "BEGIN IMMEDIATE"}, commit_{*this, "COMMIT"};
};

// All or nothing: rolled back unless committed. Takes the write lock at once, so that two processes
// never both read before they write.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit() { database_.commit_.start().run(); }

 private:
  Database& database_;
};

}  // namespace agneto::journal
