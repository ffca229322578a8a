// A journal's file as any tool that knows docs/journal.md sees it.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>
#include <vector>

namespace agneto::journal {

// A second, plain connection.
class Tool {
 public:
  explicit Tool(const std::string& path) { sqlite3_open(path.c_str(), &handle_); }
  ~Tool() { sqlite3_close(handle_); }
  Tool(const Tool&) = delete;
  Tool& operator=(const Tool&) = delete;

  // Whether it succeeds or not.
  void attempt(const std::string& sql) {
    sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  }
  // All values, row by row.
  std::vector<std::string> query(const std::string& sql) {
    std::vector<std::string> values;
    const auto add = [](void* out, int count, char** row, char**) {
      for (int i = 0; i < count; ++i) {
        static_cast<std::vector<std::string>*>(out)->emplace_back(row[i] ? row[i] : "NULL");
      }
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(handle_, sql.c_str(), add, &values, nullptr), SQLITE_OK)
        << sqlite3_errmsg(handle_);
    return values;
  }

 private:
  sqlite3* handle_ = nullptr;
};

}  // namespace agneto::journal
