// The little of libpq that the journal needs, with its errors as Error and its handles owned.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "journal/postgresql/address.h"

namespace agneto::journal {

// The connection is gone: whether what was asked for was done is not known.
class ConnectionLost : public CutOff {
 public:
  using CutOff::CutOff;
};

// The server refuses something.
class Refused : public Error {
 public:
  Refused(std::string what, std::string help, std::string state, std::string constraint)
      : Error(std::move(what), std::move(help), ExitStatus::failed),
        state_(std::move(state)),
        constraint_(std::move(constraint)) {}

  // As PostgreSQL's SQLSTATE says it, such as "23505".
  const std::string& state() const { return state_; }
  // The one that was violated; may be empty.
  const std::string& constraint() const { return constraint_; }
  // May it go well where it is done again, since others were in its way?
  bool is_passing() const { return state_ == "40001" || state_ == "40P01"; }

 private:
  std::string state_, constraint_;
};

// What a statement is given, from $1 on.
class Values {
 public:
  // What PostgreSQL cannot keep in a text is replaced: what is no UTF-8, and NUL.
  Values& text(std::string_view text);
  Values& number(std::int64_t number);
  Values& time(Time time) { return number(time.time_since_epoch().count()); }
  Values& bytes(std::string_view bytes);
  Values& null();

  struct Value {
    std::optional<std::string> text;
    bool binary = false;
  };
  const std::vector<Value>& all() const { return values_; }

 private:
  std::vector<Value> values_;
};

// A text as a column of type text keeps it.
std::string storable(std::string_view text);

// Text that is the same each time, so that a connection may prepare it once.
struct Sql {
  explicit Sql(std::string text) : text(std::move(text)) {}

  const std::string text;
};

struct Command {
  const Sql& sql;
  Values values = {};
};

class Result {
 public:
  explicit Result(PGresult* result) : result_(result, &PQclear) {}

  int rows() const { return PQntuples(result_.get()); }
  bool is_null(int row, int column) const { return PQgetisnull(result_.get(), row, column) != 0; }
  std::string text(int row, int column) const;
  std::int64_t number(int row, int column) const;  // 0 where it is null
  Time time(int row, int column) const { return Time(Millis(number(row, column))); }
  std::string bytes(int row, int column) const;
  // How many rows an INSERT, UPDATE or DELETE has written.
  std::int64_t written() const;

 private:
  std::unique_ptr<PGresult, decltype(&PQclear)> result_;
};

// Not thread-safe.
class Connection {
 public:
  // Throws ConnectionLost where nobody lets us in.
  explicit Connection(const Address& address);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Sends all of them at once and waits for their answers: one round trip, and one transaction
  // where none was begun before. Throws Refused with nothing of it done, and ConnectionLost.
  std::vector<Result> run(const std::vector<Command>& commands);
  Result run(const Sql& sql, Values values = {});
  // Several statements in one text, which has no values.
  void script(const std::string& text);

  // Can it be used again, as far as can be seen without asking the server: has that not hung up,
  // nor another one taken its place, and was no transaction left open?
  bool seems_alive();
  // Waits so long, or until the descriptor `stop` can be read, for what others notify those of who
  // listen; returns what they say with it. Throws ConnectionLost.
  std::vector<std::string> heard(Millis longest, int stop);
  // An answer that takes longer is none: the connection is lost then. Else it is waited for, for as
  // long as the server is there: until another one of the address's servers has taken its place.
  // One whose machine is gone is noticed by the operating system (see usual_parameters).
  void answer_within(Millis time) { longest_ = time; }
  // What stands between us and the server may give each transaction another connection of its own
  // (pgbouncer): from now on nothing is prepared.
  void prepare_nothing() { prepares_ = false; }

 private:
  using Handle = std::unique_ptr<PGresult, decltype(&PQclear)>;

  void send(const Command& command);
  const std::string& name_of(const Sql& sql);
  // Reads the answers to what was sent.
  void take(std::vector<Result>& results);
  Handle next();
  void note(Handle error);
  [[noreturn]] void fail();
  [[noreturn]] void lose();

  bool wait_for_more() const;
  bool is_replaced() const;
  bool is_known_to_be_replaced() const;

  const Address address_;
  const std::string& name_;  // as messages have it
  std::unique_ptr<PGconn, decltype(&PQfinish)> handle_;
  Server server_;
  std::optional<Millis> longest_;
  bool lost_ = false;
  bool prepares_ = true;
  std::map<std::string, std::string> names_;  // of statements, by their text
  std::set<std::string> prepared_;            // their names
  // What was sent and is not answered yet: the name of what it prepares, or nothing.
  std::vector<std::string> expected_;
  Handle error_{nullptr, &PQclear};  // the first one
};

}  // namespace agneto::journal
