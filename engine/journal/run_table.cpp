#include "journal/run_table.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"

namespace agneto::journal {

namespace {

constexpr const char* select_lines =
    "SELECT id, created, workflow, file, task, status, outcome, base, branch, options, updated, "
    "number FROM runs ";

std::int64_t millis(Time time) {
  return time.time_since_epoch().count();
}

}  // namespace

RunTable::RunTable(Database& database)
    : database_(database),
      select_run_(database_, std::string(select_lines) + "WHERE id = ?"),
      select_runs_(database_, std::string(select_lines) + "ORDER BY number DESC") {}

std::int64_t RunTable::find_number(const std::string& run_id) {
  std::int64_t number = 0;
  select_number_.start().bind(run_id);
  while (select_number_.step()) number = select_number_.number(0);
  return number;
}

std::int64_t RunTable::number(const std::string& run_id) {
  const std::int64_t number = find_number(run_id);
  if (number != 0) return number;
  database_.require_sound();
  throw Error(fmt::format("there is no run '{}'", run_id));
}

std::int64_t RunTable::insert(const RunRecord& run) {
  if (find_number(run.id) != 0) throw Error(fmt::format("run '{}' exists already", run.id));
  insert_.start().bind(run.id).bind(millis(run.created));
  bind_line(insert_, run);
  insert_.run();
  return find_number(run.id);
}

void RunTable::update(std::int64_t number, const RunRecord& run) {
  bind_line(update_.start(), run);
  update_.bind(number).run();
}

void RunTable::set_owner(std::int64_t number, const Owner& owner) {
  set_owner_.start().bind(owner.epoch).bind(owner.who).bind(number).run();
}

void RunTable::seal(std::int64_t number, const Head& last) {
  seal_.start().bind(last.seq).bind(last.hash).bind(number).run();
  std::string before;
  const std::string now = sum(number, before);
  set_sum_.start().bind(now).bind(number).run();
}

std::int64_t RunTable::epoch(std::int64_t number) {
  std::int64_t epoch = 0;
  select_epoch_.start().bind(number);
  while (select_epoch_.step()) epoch = select_epoch_.number(0);
  return epoch;
}

Owner RunTable::owner(std::int64_t number) {
  Owner owner;
  select_sealed_.start().bind(number);
  while (select_sealed_.step()) owner = {select_sealed_.number(11), select_sealed_.text(12)};
  return owner;
}

Head RunTable::sealed(std::int64_t number) {
  Head last;
  select_sealed_.start().bind(number);
  while (select_sealed_.step()) last = {select_sealed_.number(13), {}, select_sealed_.text(14)};
  return last;
}

bool RunTable::intact(std::int64_t number) {
  std::string stored;
  return sum(number, stored) == stored;
}

std::string RunTable::sum(std::int64_t number, std::string& stored) {
  Json line = Json::array();
  select_sealed_.start().bind(number);
  while (select_sealed_.step()) {
    for (int column = 0; column < 15; ++column) line.push_back(select_sealed_.text(column));
    stored = select_sealed_.text(15);
  }
  line.push_back(source_list(number));
  return sha256(to_text(line));
}

std::string RunTable::source_list(std::int64_t number) {
  Json list = Json::array();
  select_source_hashes_.start().bind(number);
  while (select_source_hashes_.step()) {
    list.push_back({select_source_hashes_.text(0), select_source_hashes_.text(1)});
  }
  return to_text(list);
}

std::optional<RunRecord> RunTable::find(const std::string& run_id) {
  std::optional<RunRecord> run;
  select_run_.start().bind(run_id);
  while (select_run_.step()) run = read(select_run_);
  if (!run) database_.require_sound();
  return run;
}

std::vector<RunRecord> RunTable::list() {
  std::vector<RunRecord> runs;
  select_runs_.start();
  while (select_runs_.step()) runs.push_back(read(select_runs_));
  if (runs.empty()) database_.require_sound();
  return runs;
}

void RunTable::set_sources(std::int64_t number, const std::map<std::string, std::string>& sources) {
  delete_sources_.start().bind(number).run();
  for (const auto& [path, text] : sources) {
    const std::string hash = sha256(text);
    insert_text_.start().bind(hash).bind(text).run();
    insert_source_.start().bind(number).bind(path).bind(hash).run();
  }
}

void RunTable::copy_sources(std::int64_t from, std::int64_t to) {
  copy_sources_.start().bind(to).bind(from).run();
}

std::map<std::string, std::string> RunTable::sources(std::int64_t number) {
  std::map<std::string, std::string> sources;
  select_sources_.start().bind(number);
  while (select_sources_.step()) {
    sources.emplace(select_sources_.text(0), select_sources_.text(1));
  }
  return sources;
}

std::vector<std::string> RunTable::altered_sources(std::int64_t number) {
  std::vector<std::string> altered;
  select_sources_.start().bind(number);
  while (select_sources_.step()) {
    if (sha256(select_sources_.text(1)) != select_sources_.text(2)) {
      altered.push_back(select_sources_.text(0));
    }
  }
  return altered;
}

void RunTable::bind_line(Statement& statement, const RunRecord& run) {
  statement.bind(run.workflow).bind(run.file).bind(run.task).bind(run.status).bind(run.outcome);
  statement.bind(run.base).bind(run.branch).bind(millis(run.updated)).bind(to_text(run.options));
}

// A line is written when it changes, not at every entry: the newest entry says when. Where that
// cannot be read the line still can.
Time RunTable::last_at_work(std::int64_t number) {
  Time last{};
  try {
    select_last_time_.start().bind(number).bind(number);
    while (select_last_time_.step()) last = Time(Millis(select_last_time_.number(0)));
  } catch (const Error& error) {
    log::warning("a run's newest entry cannot be read", {{"error", error.what()}});
  }
  return last;
}

RunRecord RunTable::read(Statement& row) {
  RunRecord run;
  run.id = row.text(0);
  run.created = Time(Millis(row.number(1)));
  run.workflow = row.text(2);
  run.file = row.text(3);
  run.task = row.text(4);
  run.status = row.text(5);
  run.outcome = row.text(6);
  run.base = row.text(7);
  run.branch = row.text(8);
  // Others can be listed whatever has become of this line; `intact` says what.
  run.options = Json::parse(row.text(9), nullptr, false);
  if (!run.options.is_object()) run.options = Json::object();
  run.updated = std::max(Time(Millis(row.number(10))), last_at_work(row.number(11)));
  return run;
}

}  // namespace agneto::journal
