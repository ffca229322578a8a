// Where a database is, as a URI of libpq says it, without a password.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agneto::journal {

// "postgresql://…" or "postgres://…"; else it is the path of a file.
bool is_postgresql(std::string_view where);

// One of those that an address names, as libpq says it.
struct Server {
  std::string host, port;

  bool operator==(const Server&) const = default;
};

// Its copies know of each other which of several servers is written. Thread-safe.
class Address {
 public:
  // Throws Error where that is no URI of PostgreSQL, or has a password in it. No message has any of
  // it then.
  explicit Address(const std::string& uri);

  // "postgresql://USER@HOST:PORT/DATABASE", of which what is not said is left out.
  const std::string& name() const { return name_; }
  // What libpq is to connect with: keywords and values. Of several servers the one comes first that
  // is written, as far as that is known.
  std::vector<std::pair<std::string, std::string>> parameters() const;
  // Does it name several servers, of which the one that is written is meant?
  bool is_of_several() const { return is_of_several_; }

  // Somebody has found that this one is written.
  void is_written(const Server& server) const;
  // Nobody has found one: that one comes last from now on, since who hangs is waited for.
  void none_is_written() const;
  // The one that was found last.
  std::optional<Server> written() const;

 private:
  struct Known {
    std::mutex mutex;  // of what follows
    std::optional<Server> written;
    bool lost = false;  // it was not found the last time
  };

  // Which one of them is asked first.
  std::size_t first() const;

  std::string name_;
  bool is_of_several_ = false;
  std::vector<std::pair<std::string, std::string>> parameters_;
  std::vector<Server> servers_;  // where they are several
  std::shared_ptr<Known> known_ = std::make_shared<Known>();
};

}  // namespace agneto::journal
