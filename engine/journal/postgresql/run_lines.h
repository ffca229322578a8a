// The runs' lines, owners, sources and entries, as they are stored in PostgreSQL.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "journal/postgresql/connection.h"
#include "journal/stored_run.h"

namespace agneto::journal {

// What the sum of a run's line is made of, as docs/journal.md says.
class RunLine {
 public:
  RunLine() = default;
  // The line that a new run begins with.
  RunLine(const RunRecord& run, std::map<std::string, std::string> sources);
  // As it is stored: the columns of `select_line` from `row` on.
  explicit RunLine(const Result& result);

  // Takes over what may change. The line is never from before its last one.
  void set(const RunRecord& run);
  void set_owner(std::int64_t epoch, const std::string& who);
  void set_last(const Head& last);
  void set_sources(std::map<std::string, std::string> hashes) { sources_ = std::move(hashes); }

  const std::string& text(std::size_t column) const { return columns_.at(column); }
  std::int64_t epoch() const;
  Head last() const;  // without its time
  const std::map<std::string, std::string>& sources() const { return sources_; }
  std::string sum() const { return line_sum(columns_, sources_); }

 private:
  std::vector<std::string> columns_;
  std::map<std::string, std::string> sources_;  // hashes by path
};

// The columns of a line, by their place in it.
namespace line_column {
enum : std::size_t {
  id,
  workflow,
  file,
  task,
  status,
  outcome,
  base,
  branch,
  created,
  updated,
  options,
  epoch,
  owner,
  seq,
  hash,
  count
};
}

// What is stored of a run beside its line's columns.
struct StoredLine {
  std::int64_t number = 0;
  RunLine line;
  std::string sum;    // that the line has
  std::string token;  // of its owner
};

// Both throw Error where there is no such run. While a line is locked nobody else writes the run.
StoredLine read_line(Connection& connection, const std::string& run_id);
StoredLine lock_line(Connection& connection, const std::string& run_id);
std::int64_t number_of(Connection& connection, const std::string& run_id);
// Where the entries of a run end, without the time; nothing: it has none.
std::optional<Head> newest_entry(Connection& connection, std::int64_t run);

// The statements of a new run, and of what comes to a run that has an owner: each of the latter
// writes nothing where that is another one by now.
Command insert_line(const RunLine& line, const RunRecord& run, const std::string& token);
Command insert_text(const std::string& hash, const std::string& text);
Command insert_source(const std::string& run_id, const std::string& path, const std::string& hash);
Command insert_entry(std::int64_t run, std::int64_t epoch, const Row& row);
Command insert_entry_of_new(const std::string& run_id, const std::string& token, const Row& row);
Command update_line(std::int64_t run, std::int64_t epoch, const RunLine& line,
                    const RunRecord& record);
Command delete_message(std::int64_t run, std::int64_t epoch, MessageId id);
Command select_owned(std::int64_t run, std::int64_t epoch);
// Writes the line as it is, with its owner. It was locked before.
Command replace_line(std::int64_t run, const RunLine& line, const std::string& token);
// The next owner of a run takes it over, in two statements. They write nothing where something has
// changed since it was read, or the last entry has not the hash any more that `line` says.
struct Unchanged {
  std::string sum;     // of its line
  std::string holder;  // of its lease; empty: whoever that is
};
std::vector<Command> change_owner(std::int64_t run, const RunLine& line, const std::string& token,
                                  const Unchanged& unchanged);

// The hashes of texts.
std::map<std::string, std::string> hashes_of(const std::map<std::string, std::string>& sources);

// Records, as lists have them. `select` goes on behind "SELECT … FROM agneto.runs r ".
std::string select_records(const std::string& conditions);
RunRecord read_record(const Result& result, int row);
std::vector<RunRecord> read_records(const Result& result);
// How many there may be, as LIMIT takes it.
std::int64_t number_of_rows(std::size_t most);
std::int64_t change_of(const Result& result, int row);

// One run, read by a connection that it does not own. Its line is read when it is asked for; what
// reads throws Error where there is no such run.
class PostgresqlRun : public StoredRun {
 public:
  PostgresqlRun(Connection& connection, const std::string& place, std::string run_id)
      : connection_(connection), place_(place), id_(std::move(run_id)) {}

  // Reads its line, and with it its last entries for `visit_back`.
  void read_ahead();

  const StoredLine& stored();
  std::vector<Row> of_path(const std::string& path);
  // Throws Error where one is not as it was written.
  std::map<std::string, std::string> sources();

  const std::string& id() const override { return id_; }
  const std::string& place() const override { return place_; }
  void visit(Seq first, Seq last, const Visit& visit) override;
  void visit_back(Seq last, const Visit& visit) override;
  RewindView rewinds(Seq head) override;
  Head sealed() override { return stored().line.last(); }
  bool intact() override { return stored().line.sum() == stored().sum; }
  std::vector<std::string> altered_sources() override;

 private:
  Result ask(const Sql& sql, Values values);

  Connection& connection_;
  const std::string& place_;
  const std::string id_;
  std::optional<StoredLine> stored_;
  std::optional<Result> last_page_;
};

}  // namespace agneto::journal
