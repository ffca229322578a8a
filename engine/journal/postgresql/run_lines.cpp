#include "journal/postgresql/run_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "journal/diagnosis.h"
#include "journal/recorded_state.h"

namespace agneto::journal {

namespace {

std::string millis(Time time) {
  return std::to_string(time.time_since_epoch().count());
}

// A run's sources are read with its line, since they are sealed together.
const std::string line_columns =
    "r.id, r.workflow, r.file, r.task, r.status, r.outcome, r.base, r.branch, r.created, "
    "r.updated, r.options, r.epoch, r.owner, r.seq, r.hash, r.number, r.sum, r.token, "
    "(SELECT coalesce(json_object_agg(s.path, s.hash), '{}')::text FROM agneto.sources s "
    "WHERE s.run = r.number)";

const Sql select_line("SELECT " + line_columns + " FROM agneto.runs r WHERE r.id = $1");
const Sql lock_run_line("SELECT number FROM agneto.runs WHERE id = $1 FOR NO KEY UPDATE");
const Sql select_number("SELECT number FROM agneto.runs WHERE id = $1");
const Sql select_newest_entry(
    "SELECT seq, hash FROM agneto.entries WHERE run = $1 ORDER BY seq DESC LIMIT 1");
const Sql insert_run(
    "INSERT INTO agneto.runs (id, workflow, file, task, status, outcome, base, branch, created, "
    "updated, options, epoch, owner, seq, hash, sum, token, priority, wake, questions, origin, "
    "needs, change) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, "
    "$17, "
    "$18, $19, $20, nullif($21, ''), ARRAY(SELECT jsonb_array_elements_text($22::jsonb)), "
    "agneto.next_change()) RETURNING number");
const Sql update_run(
    "UPDATE agneto.runs SET workflow = $3, file = $4, task = $5, status = $6, outcome = $7, "
    "base = $8, branch = $9, updated = $10, options = $11, seq = $12, hash = $13, sum = $14, "
    "priority = $15, wake = $16, questions = $17, change = agneto.next_change() "
    "WHERE number = $1 AND epoch = $2");
const Sql replace_run(
    "UPDATE agneto.runs SET epoch = $2, owner = $3, seq = $4, hash = $5, sum = $6, token = $7, "
    "change = agneto.next_change() WHERE number = $1");
// What lists show stays as it is. The line was locked by a statement before, so that this one sees
// whatever the last owner has written.
const Sql update_owner(
    "UPDATE agneto.runs SET epoch = $2, owner = $3, seq = $4, hash = $5, sum = $6, token = $7 "
    "WHERE number = $1 AND sum = $8 AND $5 = coalesce((SELECT e.hash FROM agneto.entries e "
    "WHERE e.run = $1 ORDER BY e.seq DESC LIMIT 1), '') AND ($9 = '' OR EXISTS (SELECT FROM "
    "agneto.leases l WHERE l.run = runs.id AND l.holder = $9))");
// The owner's line is locked until this is written: who takes the run up next waits for it, and
// what comes here after that finds another epoch.
const std::string entry_of_owner = "FROM agneto.runs r WHERE r.number = $1 AND r.epoch = $2 ";
const Sql insert_next_entry(
    "INSERT INTO agneto.entries (run, seq, time, kind, path, body, change, hash) "
    "SELECT r.number, $3, $4, $5, $6, $7, nullif($8, ''), $9 " +
    entry_of_owner + "FOR SHARE");
const Sql insert_first_entry(
    "INSERT INTO agneto.entries (run, seq, time, kind, path, body, change, hash) "
    "SELECT r.number, $3, $4, $5, $6, $7, nullif($8, ''), $9 "
    "FROM agneto.runs r WHERE r.id = $1 AND r.token = $2");
const Sql insert_run_source(
    "INSERT INTO agneto.sources (run, path, hash) SELECT number, $2, $3 FROM agneto.runs "
    "WHERE id = $1");
const Sql insert_new_text(
    "INSERT INTO agneto.texts (hash, text) VALUES ($1, $2) ON CONFLICT (hash, tenant) DO NOTHING");
const Sql delete_handled(
    "DELETE FROM agneto.inbox i USING agneto.runs r "
    "WHERE r.number = $1 AND r.epoch = $2 AND i.run = r.number AND i.id = $3");
const Sql select_owner("SELECT 1 " + entry_of_owner);

const std::string row_columns =
    "SELECT seq, time, kind, path, body, change, hash FROM agneto.entries ";
// By its id, so that its number need not be asked for first.
const std::string of_run = "run = (SELECT r.number FROM agneto.runs r WHERE r.id = $1) ";
const Sql select_on(row_columns + "WHERE " + of_run +
                    "AND seq BETWEEN $2 AND $3 ORDER BY seq LIMIT $4");
const Sql select_back(row_columns + "WHERE " + of_run + "AND seq <= $2 ORDER BY seq DESC LIMIT $3");
const Sql select_of_path(row_columns + "WHERE " + of_run +
                         "AND path = $2 AND path <> '' ORDER BY seq");
const Sql select_rewinds("SELECT seq, body FROM agneto.entries WHERE " + of_run +
                         "AND kind = 'rewound' ORDER BY seq");
const Sql select_sources(
    "SELECT s.path, t.text, s.hash FROM agneto.sources s "
    "LEFT JOIN agneto.texts t USING (hash) WHERE s." +
    of_run + "ORDER BY s.path");

Row read_row(const Result& result, int row) {
  return {
      {result.number(row, 0), result.time(row, 1), result.text(row, 2), result.text(row, 3), {}},
      result.text(row, 4),
      result.text(row, 5),
      result.text(row, 6)};
}

Values& add_row(Values& values, const Row& row) {
  const Entry& entry = row.entry;
  return values.number(entry.seq)
      .time(entry.time)
      .text(entry.kind)
      .text(entry.path)
      .text(row.body)
      .text(row.change)
      .text(row.hash);
}

Values& add_wake(Values& values, const RunRecord& run) {
  return run.wake ? values.time(*run.wake) : values.null();
}

[[noreturn]] void no_run(const std::string& run_id) {
  throw Error(fmt::format("there is no run '{}'", run_id));
}

// The first page is what most reads need.
constexpr int first_page = 64, largest_page = 1024;

}  // namespace

RunLine::RunLine(const RunRecord& run, std::map<std::string, std::string> sources)
    : columns_(line_column::count), sources_(std::move(sources)) {
  columns_[line_column::id] = storable(run.id);
  columns_[line_column::created] = millis(run.created);
  columns_[line_column::updated] = "0";
  set(run);
  set_owner(0, "");
  set_last({});
}

RunLine::RunLine(const Result& result) : columns_(line_column::count) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    columns_[i] = result.text(0, static_cast<int>(i));
  }
  const Json hashes = Json::parse(result.text(0, line_column::count + 3), nullptr, false);
  for (const auto& [path, hash] : hashes.items()) sources_[path] = hash;
}

void RunLine::set(const RunRecord& run) {
  columns_[line_column::workflow] = storable(run.workflow);
  columns_[line_column::file] = storable(run.file);
  columns_[line_column::task] = storable(run.task);
  columns_[line_column::status] = storable(run.status);
  columns_[line_column::outcome] = storable(run.outcome);
  columns_[line_column::base] = storable(run.base);
  columns_[line_column::branch] = storable(run.branch);
  const auto before = parse_number<std::int64_t>(columns_[line_column::updated]).value_or(0);
  columns_[line_column::updated] =
      std::to_string(std::max<std::int64_t>(before, run.updated.time_since_epoch().count()));
  columns_[line_column::options] = storable(to_text(run.options));
}

void RunLine::set_owner(std::int64_t epoch, const std::string& who) {
  columns_[line_column::epoch] = std::to_string(epoch);
  columns_[line_column::owner] = storable(who);
}

void RunLine::set_last(const Head& last) {
  columns_[line_column::seq] = std::to_string(last.seq);
  columns_[line_column::hash] = last.hash;
}

std::int64_t RunLine::epoch() const {
  return parse_number<std::int64_t>(columns_.at(line_column::epoch)).value_or(0);
}

Head RunLine::last() const {
  return {parse_number<Seq>(columns_.at(line_column::seq)).value_or(0),
          {},
          columns_.at(line_column::hash)};
}

namespace {

StoredLine line_of(const Result& result, const std::string& run_id) {
  if (result.rows() == 0) no_run(run_id);
  constexpr int behind = line_column::count;
  return {result.number(0, behind), RunLine(result), result.text(0, behind + 1),
          result.text(0, behind + 2)};
}

}  // namespace

StoredLine read_line(Connection& connection, const std::string& run_id) {
  return line_of(connection.run(select_line, Values().text(run_id)), run_id);
}

// It is locked before it is read: what somebody else has just written is there then.
StoredLine lock_line(Connection& connection, const std::string& run_id) {
  connection.run(lock_run_line, Values().text(run_id));
  return read_line(connection, run_id);
}

std::int64_t number_of(Connection& connection, const std::string& run_id) {
  const Result result = connection.run(select_number, Values().text(run_id));
  if (result.rows() == 0) no_run(run_id);
  return result.number(0, 0);
}

std::optional<Head> newest_entry(Connection& connection, std::int64_t run) {
  const Result newest = connection.run(select_newest_entry, Values().number(run));
  if (newest.rows() == 0) return std::nullopt;
  return Head{newest.number(0, 0), {}, newest.text(0, 1)};
}

Command insert_line(const RunLine& line, const RunRecord& run, const std::string& token) {
  Values values;
  for (std::size_t i = 0; i < line_column::count; ++i) values.text(line.text(i));
  values.text(line.sum()).text(token).number(run.priority);
  add_wake(values, run).number(run.questions).text(run.origin).text(stored_texts(run.needs));
  return {insert_run, std::move(values)};
}

Command insert_text(const std::string& hash, const std::string& text) {
  return {insert_new_text, Values().text(hash).bytes(text)};
}

Command insert_source(const std::string& run_id, const std::string& path, const std::string& hash) {
  return {insert_run_source, Values().text(run_id).text(path).text(hash)};
}

Command insert_entry(std::int64_t run, std::int64_t epoch, const Row& row) {
  Values values;
  add_row(values.number(run).number(epoch), row);
  return {insert_next_entry, std::move(values)};
}

Command insert_entry_of_new(const std::string& run_id, const std::string& token, const Row& row) {
  Values values;
  add_row(values.text(run_id).text(token), row);
  return {insert_first_entry, std::move(values)};
}

Command update_line(std::int64_t run, std::int64_t epoch, const RunLine& line,
                    const RunRecord& record) {
  Values values;
  values.number(run).number(epoch);
  for (std::size_t i = line_column::workflow; i <= line_column::branch; ++i) {
    values.text(line.text(i));
  }
  for (const auto i :
       {line_column::updated, line_column::options, line_column::seq, line_column::hash}) {
    values.text(line.text(i));
  }
  values.text(line.sum()).number(record.priority);
  add_wake(values, record).number(record.questions);
  return {update_run, std::move(values)};
}

Command delete_message(std::int64_t run, std::int64_t epoch, MessageId id) {
  return {delete_handled, Values().number(run).number(epoch).number(id)};
}

Command select_owned(std::int64_t run, std::int64_t epoch) {
  return {select_owner, Values().number(run).number(epoch)};
}

Command replace_line(std::int64_t run, const RunLine& line, const std::string& token) {
  Values values;
  values.number(run);
  for (std::size_t i = line_column::epoch; i < line_column::count; ++i) values.text(line.text(i));
  values.text(line.sum()).text(token);
  return {replace_run, std::move(values)};
}

std::vector<Command> change_owner(std::int64_t run, const RunLine& line, const std::string& token,
                                  const Unchanged& unchanged) {
  Values values;
  values.number(run);
  for (std::size_t i = line_column::epoch; i < line_column::count; ++i) values.text(line.text(i));
  values.text(line.sum()).text(token).text(unchanged.sum).text(unchanged.holder);
  return {{lock_run_line, Values().text(line.text(line_column::id))},
          {update_owner, std::move(values)}};
}

std::map<std::string, std::string> hashes_of(const std::map<std::string, std::string>& sources) {
  std::map<std::string, std::string> hashes;
  for (const auto& [path, text] : sources) hashes[storable(path)] = sha256(text);
  return hashes;
}

// A record is written when it changes, not at every entry: the newest entry says when.
std::string select_records(const std::string& conditions) {
  return "SELECT r.id, r.workflow, r.file, r.task, r.status, r.outcome, r.base, r.branch, "
         "r.created, greatest(r.updated, (SELECT e.time FROM agneto.entries e "
         "WHERE e.run = r.number ORDER BY e.seq DESC LIMIT 1)), r.options, r.priority, r.wake, "
         "r.questions, r.origin, r.change, array_to_json(r.needs) FROM agneto.runs r " +
         conditions;
}

RunRecord read_record(const Result& result, int row) {
  RunRecord run{result.text(row, 0), result.text(row, 1), result.text(row, 2), result.text(row, 3),
                result.text(row, 4), result.text(row, 5), result.text(row, 6), result.text(row, 7),
                result.time(row, 8), result.time(row, 9)};
  // Others can be listed whatever has become of this record.
  run.options = Json::parse(result.text(row, 10), nullptr, false);
  if (!run.options.is_object()) run.options = Json::object();
  run.priority = static_cast<int>(result.number(row, 11));
  if (!result.is_null(row, 12)) run.wake = result.time(row, 12);
  run.questions = static_cast<int>(result.number(row, 13));
  run.origin = result.text(row, 14);
  run.needs = texts_of(result.text(row, 16));
  return run;
}

std::vector<RunRecord> read_records(const Result& result) {
  std::vector<RunRecord> all;
  for (int row = 0; row < result.rows(); ++row) all.push_back(read_record(result, row));
  return all;
}

std::int64_t number_of_rows(std::size_t most) {
  return static_cast<std::int64_t>(most);
}

std::int64_t change_of(const Result& result, int row) {
  return result.number(row, 15);
}

const StoredLine& PostgresqlRun::stored() {
  if (!stored_) stored_ = read_line(connection_, id_);
  return *stored_;
}

void PostgresqlRun::read_ahead() {
  std::vector<Result> results =
      connection_.run({{select_line, Values().text(id_)},
                       {select_back, Values().text(id_).number(last_seq).number(first_page)}});
  stored_ = line_of(results.at(0), id_);
  last_page_ = std::move(results.at(1));
}

// Where there is nothing of a run, it is looked whether there is that run.
Result PostgresqlRun::ask(const Sql& sql, Values values) {
  Result result = connection_.run(sql, std::move(values));
  if (result.rows() == 0) stored();
  return result;
}

std::vector<Row> PostgresqlRun::of_path(const std::string& path) {
  std::vector<Row> rows;
  const Result result = ask(select_of_path, Values().text(id_).text(path));
  for (int row = 0; row < result.rows(); ++row) rows.push_back(read_row(result, row));
  return rows;
}

std::map<std::string, std::string> PostgresqlRun::sources() {
  std::map<std::string, std::string> sources;
  const Result result = ask(select_sources, Values().text(id_));
  for (int row = 0; row < result.rows(); ++row) {
    std::string text = result.bytes(row, 1);
    if (sha256(text) != result.text(row, 2)) {
      throw damaged(place_, id_, altered_source(id_, result.text(row, 0)));
    }
    sources.emplace(result.text(row, 0), std::move(text));
  }
  return sources;
}

void PostgresqlRun::visit(Seq first, Seq last, const Visit& visit) {
  for (int page = first_page;; page = std::min(page * 4, largest_page)) {
    const Result result =
        ask(select_on, Values().text(id_).number(first).number(last).number(page));
    for (int row = 0; row < result.rows(); ++row) {
      first = result.number(row, 0) + 1;
      if (!visit(read_row(result, row))) return;
    }
    if (result.rows() < page) return;
  }
}

void PostgresqlRun::visit_back(Seq last, const Visit& visit) {
  for (int page = first_page;; page = std::min(page * 4, largest_page)) {
    const bool is_there = last == last_seq && last_page_;
    const Result result = is_there ? *std::exchange(last_page_, std::nullopt)
                                   : ask(select_back, Values().text(id_).number(last).number(page));
    for (int row = 0; row < result.rows(); ++row) {
      last = result.number(row, 0) - 1;
      if (!visit(read_row(result, row))) return;
    }
    if (result.rows() < page) return;
  }
}

RewindView PostgresqlRun::rewinds(Seq head) {
  std::vector<RewindView::Rewind> rewinds;
  const Result result = ask(select_rewinds, Values().text(id_));
  for (int row = 0; row < result.rows(); ++row) {
    const Seq seq = result.number(row, 0), to = rewound_to(result.text(row, 1));
    if (to == 0) throw altered_entry(*this, seq);
    rewinds.push_back({seq, to});
  }
  return {rewinds, head};
}

std::vector<std::string> PostgresqlRun::altered_sources() {
  std::vector<std::string> altered;
  const Result result = ask(select_sources, Values().text(id_));
  for (int row = 0; row < result.rows(); ++row) {
    if (sha256(result.bytes(row, 1)) != result.text(row, 2)) altered.push_back(result.text(row, 0));
  }
  return altered;
}

}  // namespace agneto::journal
