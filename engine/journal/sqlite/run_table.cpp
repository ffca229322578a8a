#include "journal/sqlite/run_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"

namespace agneto::journal {

namespace {

// Binds what may change in a record, in the order of `insert_` and `update_`.
Statement& bind_record(Statement& statement, const RunRecord& run) {
  statement.bind(run.workflow).bind(run.file).bind(run.task).bind(run.status).bind(run.outcome);
  statement.bind(run.base).bind(run.branch).bind(run.updated).bind(to_text(run.options));
  statement.bind(run.priority);
  if (run.wake) {
    statement.bind(*run.wake);
  } else {
    statement.bind_null();
  }
  return statement.bind(run.questions);
}

}  // namespace

void SourceTable::set(std::int64_t run, const std::map<std::string, std::string>& sources) {
  delete_.start().bind(run).run();
  for (const auto& [path, text] : sources) {
    const std::string hash = sha256(text);
    insert_text_.start().bind(hash).bind(text).run();
    insert_.start().bind(run).bind(path).bind(hash).run();
  }
}

void SourceTable::copy(std::int64_t from, std::int64_t to) {
  copy_.start().bind(to).bind(from).run();
}

std::map<std::string, std::string> SourceTable::all(std::int64_t run) {
  std::map<std::string, std::string> sources;
  select_.start().bind(run);
  while (select_.step()) sources.emplace(select_.text(0), select_.text(1));
  return sources;
}

std::vector<std::string> SourceTable::altered(std::int64_t run) {
  std::vector<std::string> altered;
  select_.start().bind(run);
  while (select_.step()) {
    if (sha256(select_.text(1)) != select_.text(2)) altered.push_back(select_.text(0));
  }
  return altered;
}

std::map<std::string, std::string> SourceTable::hashes(std::int64_t run) {
  std::map<std::string, std::string> hashes;
  select_hashes_.start().bind(run);
  while (select_hashes_.step()) hashes.emplace(select_hashes_.text(0), select_hashes_.text(1));
  return hashes;
}

std::int64_t RunTable::number(const std::string& run_id) {
  const std::int64_t number = select_number_.start().bind(run_id).only_number();
  if (number != 0) return number;
  database_.require_sound();
  throw Error(fmt::format("there is no run '{}'", run_id));
}

std::int64_t RunTable::insert(const RunRecord& run) {
  if (select_number_.start().bind(run.id).only_number() != 0) {
    throw Error(fmt::format("run '{}' exists already", run.id));
  }
  if (!run.origin.empty() && select_origin_.start().bind(run.origin).only_number() != 0) {
    throw OriginTaken(fmt::format("there is a run of '{}' already", run.origin));
  }
  bind_record(insert_.start(), run).bind(run.id).bind(run.created).bind(stored_texts(run.needs));
  insert_.bind(run.origin).run();
  return number(run.id);
}

void RunTable::update(std::int64_t number, const RunRecord& run) {
  bind_record(update_.start(), run).bind(number).run();
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

Owner RunTable::owner(std::int64_t number) {
  Owner owner;
  select_owner_.start().bind(number);
  while (select_owner_.step()) owner = {select_owner_.number(0), select_owner_.text(1)};
  return owner;
}

Head RunTable::sealed(std::int64_t number) {
  Head last;
  select_by_number_.start().bind(number);
  while (select_by_number_.step()) {
    last = {select_by_number_.number(13), {}, select_by_number_.text(14)};
  }
  return last;
}

bool RunTable::intact(std::int64_t number) {
  std::string stored;
  return sum(number, stored) == stored;
}

std::string RunTable::sum(std::int64_t number, std::string& stored) {
  std::vector<std::string> line;
  select_by_number_.start().bind(number);
  while (select_by_number_.step()) {
    for (int column = 0; column < 15; ++column) line.push_back(select_by_number_.text(column));
    stored = select_by_number_.text(15);
  }
  return line_sum(line, sources_.hashes(number));
}

std::optional<RunRecord> RunTable::find(const std::string& run_id) {
  std::optional<RunRecord> run;
  select_by_id_.start().bind(run_id);
  while (select_by_id_.step()) run = read(select_by_id_);
  if (!run) database_.require_sound();
  return run;
}

void RunTable::remove(const RunRecord& run) {
  const std::int64_t number = this->number(run.id);
  Statement(database_, "DELETE FROM notices WHERE key >= ? AND key < ?")
      .start()
      .bind(run.id + " ")
      .bind(behind(run.id + " "))
      .run();
  for (const char* sql : {
           "UPDATE runs SET change = (SELECT max(change) FROM runs) WHERE number = "
           "(SELECT number FROM runs WHERE number <> ?1 ORDER BY change DESC LIMIT 1)",
           "DELETE FROM inbox WHERE run = ?1",
           "DELETE FROM sources WHERE run = ?1",
           "DELETE FROM entries WHERE place BETWEEN ?1 << 32 AND ?1 << 32 | 0xFFFFFFFF",
           "DELETE FROM runs WHERE number = ?1",
       }) {
    Statement(database_, sql).start().bind(number).run();
  }
}

std::vector<RunRecord> RunTable::list(const Wanted& wanted) {
  std::string conditions = "TRUE";
  if (!wanted.status.empty() || wanted.asking) {
    conditions += fmt::format(
        " AND (status IN ({}){})",
        fmt::join(std::vector<std::string_view>(wanted.status.size(), "?"), ", "),
        wanted.asking ? " OR questions <> 0 AND status NOT IN ('complete', 'failed', 'aborted')"
                      : "");
  }
  if (wanted.resting) conditions += " AND (status <> 'parked' OR questions = 0)";
  if (!wanted.workflow.empty()) conditions += " AND workflow = ?";
  if (!wanted.id.empty()) conditions += " AND id >= ? AND id < ?";
  if (!wanted.before.empty()) conditions += " AND number < ?";
  Statement select(database_,
                   select_runs + "WHERE " + conditions + " ORDER BY number DESC LIMIT ?");
  select.start();
  for (const std::string& status : wanted.status) select.bind(status);
  if (!wanted.workflow.empty()) select.bind(wanted.workflow);
  if (!wanted.id.empty()) select.bind(wanted.id).bind(behind(wanted.id));
  if (!wanted.before.empty()) select.bind(number(wanted.before));
  select.bind(wanted.most == 0 ? -1 : static_cast<std::int64_t>(wanted.most));
  std::vector<RunRecord> runs = all(select);
  if (runs.empty()) database_.require_sound();
  return runs;
}

void RunTable::due(const Taker& taker, const Bounds& reached, Time now,
                   const std::function<bool(RunRecord)>& visit) {
  bool goes_on = true;
  const auto show = [&](Statement& select) {
    select.each([&](Statement& row) {
      RunRecord run = read(row);
      if (run.status != "running" || is_served(run)) goes_on = visit(std::move(run));
      return goes_on;
    });
    return goes_on;
  };
  const auto started = [&](Statement& select) -> Statement& {
    select.start().bind(stored_texts(taker.labels));
    select.bind(names_of(reached.workflows)).bind(names_of(reached.providers));
    return select.bind(stored_texts(taker.except));
  };
  if (show(started(select_running_)) && show(started(select_awake_).bind(now))) {
    show(started(select_queued_));
  }
}

std::optional<RunRecord> RunTable::newest_of(const std::string& origins) {
  std::optional<RunRecord> run;
  select_newest_of_.start().bind(origins).bind(behind(origins));
  while (select_newest_of_.step()) run = read(select_newest_of_);
  return run;
}

std::int64_t RunTable::count(const std::string& status) {
  return count_.start().bind(status).only_number();
}

std::optional<Time> RunTable::next_wake(Time after) {
  std::optional<Time> wake;
  select_wake_.start().bind(after);
  while (select_wake_.step()) wake = select_wake_.time(0);
  return wake;
}

std::vector<Changed> RunTable::changes(std::int64_t after, std::size_t most) {
  std::vector<Changed> changes;
  select_changes_.start().bind(after).bind(static_cast<std::int64_t>(most));
  while (select_changes_.step()) {
    changes.push_back({select_changes_.number(20), read(select_changes_)});
  }
  return changes;
}

std::int64_t RunTable::newest_change() {
  return select_change_.start().only_number();
}

std::vector<RunRecord> RunTable::all(Statement& select) {
  std::vector<RunRecord> runs;
  while (select.step()) runs.push_back(read(select));
  return runs;
}

RunRecord RunTable::read(Statement& row) {
  RunRecord run{row.text(0), row.text(1), row.text(2), row.text(3), row.text(4),
                row.text(5), row.text(6), row.text(7), row.time(8), row.time(9)};
  // Others can be listed whatever has become of this record; `intact` says what.
  run.options = Json::parse(row.text(10), nullptr, false);
  if (!run.options.is_object()) run.options = Json::object();
  run.priority = static_cast<int>(row.number(17));
  if (!row.is_null(18)) run.wake = row.time(18);
  run.questions = static_cast<int>(row.number(19));
  if (!row.is_null(21)) run.origin = row.text(21);
  run.needs = texts_of(row.text(22));
  // A record is written when it changes, not at every entry: the newest entry says when. Where that
  // cannot be read the record still can.
  try {
    run.updated = std::max(run.updated, entries_.last_time(row.number(16)));
  } catch (const Error& error) {
    log::warning("a run's newest entry cannot be read", {{"error", error.what()}});
  }
  return run;
}

}  // namespace agneto::journal
