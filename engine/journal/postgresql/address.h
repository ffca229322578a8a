// Where a database is, as a URI of libpq says it, without a password.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agneto::journal {

// "postgresql://…" or "postgres://…"; else it is the path of a file.
bool is_postgresql(std::string_view where);

class Address {
 public:
  // Throws Error where that is no URI of PostgreSQL, or has a password in it. No message has any of
  // it then.
  explicit Address(const std::string& uri);

  // "postgresql://USER@HOST:PORT/DATABASE", of which what is not said is left out.
  const std::string& name() const { return name_; }
  // What libpq is to connect with: keywords and values.
  const std::vector<std::pair<std::string, std::string>>& parameters() const { return parameters_; }

 private:
  std::string name_;
  std::vector<std::pair<std::string, std::string>> parameters_;
};

}  // namespace agneto::journal
