// The little of SQLite that the journal needs, with its errors as Error and its handles owned.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agneto::journal {

class Statement;

// Not thread-safe: its owner holds a mutex.
class Database {
 public:
  // Opens or makes the file, readable by its owner only, with write-ahead logging, every commit on
  // disk before it returns, and patience for other processes that write. What cannot be written,
  // because the disk is full or the file read-only, is opened to be read: then writing throws why.
  explicit Database(const std::string& path);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }
  // Throws Error where the file can only be read, or is not where it was opened: nobody would find
  // what is written then.
  void require_writable() const;
  bool writable() const { return !unwritable_; }
  void execute(const char* sql);
  std::int64_t number(const char* sql);  // the first column of the first row
  // Throws Error where something in it turned out to be damaged: what is not found may have been
  // there.
  void require_sound();
  // What SQLite finds wrong with its own file, at most a few.
  std::vector<std::string> faults();
  // Throws Error with what this code means and what to do about it.
  [[noreturn]] void fail(int code);
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
  std::unique_ptr<Statement> begin_, commit_;
};

// A statement that is prepared at its first start and run many times: start, bind from the left,
// then step to the end (an open statement holds a lock) or run.
class Statement {
 public:
  Statement(Database& database, std::string sql) : database_(database), sql_(std::move(sql)) {}
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Begins anew: forgets rows and values.
  Statement& start();
  Statement& bind(std::string_view text);
  Statement& bind(std::int64_t number);
  // Null in the table.
  Statement& bind_null();
  // False past the last row.
  bool step();
  // Before the last row: lets go of the lock that an open statement holds.
  void stop();
  // For statements without rows.
  void run();

  std::string text(int column);
  std::int64_t number(int column);

 private:
  Database& database_;
  std::string sql_;
  sqlite3_stmt* handle_ = nullptr;
  int bound_ = 0;
};

// All or nothing: rolled back unless committed. Takes the write lock at once, so that two processes
// never both read before they write.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Database& database_;
};

}  // namespace agneto::journal
