#include "journal/postgresql/taking.h"

#include <fmt/format.h>

#include <algorithm>

#include "journal/live_process.h"
#include "journal/postgresql/run_lines.h"

namespace agneto::journal {

namespace {

const Sql select_taken(select_records("WHERE r.id = $1"));
// A JSON array of texts that a statement is given.
std::string given(int place) {
  return fmt::format("ARRAY(SELECT jsonb_array_elements_text(${}::jsonb))", place);
}
// The values of a taker come first, and how many there may be at most.
const std::string for_taker = " AND r.needs <@ " + given(1) + " AND r.workflow <> ALL(" + given(2) +
                              ") AND NOT r.needs && " + given(3) + " AND r.id <> ALL(" + given(4) +
                              ") AND NOT EXISTS (SELECT 1 FROM agneto.leases l WHERE l.run = r.id "
                              "AND l.until > clock_timestamp() AND l.process <> ALL(" +
                              given(5) + ")) ";
const Sql select_running(select_records("WHERE r.status = 'running' AND strpos(r.options, '" +
                                        std::string(served_text) + "') > 0" + for_taker +
                                        "ORDER BY r.number LIMIT $6"));
// By two indexes, one after the other: where the time of many has come at once, such as after a
// night without a server, no more of them are read than are wanted.
const Sql select_woken(select_records("WHERE r.status = 'parked' AND r.wake <= $7" + for_taker +
                                      "ORDER BY r.wake LIMIT $6"));
const Sql select_told(
    select_records("WHERE r.status = 'parked'" + for_taker +
                   "AND r.number IN (SELECT run FROM agneto.inbox) ORDER BY r.number LIMIT $6"));
const Sql select_queued(select_records("WHERE r.status = 'queued'" + for_taker +
                                       "ORDER BY r.priority DESC, r.number LIMIT $6"));
// What follows in the transaction is read in the order in which an index has it. The queue is as
// long as it likes, and would else be read as a whole and sorted where its length is not known yet.
const Sql without_sorting("SELECT set_config('enable_sort', 'off', true)");
// They are planned once. What they are given, such as how many are wanted, does not change which
// index serves, but by itself the server plans them each time, which takes longer than they do. For
// a long queue it would compile them each time, too, since it takes them to read all of that.
const Sql planned_once(
    "SELECT set_config('plan_cache_mode', 'force_generic_plan', true), "
    "set_config('jit', 'off', true)");
const Sql select_worked_on(
    select_records("JOIN agneto.leases l ON l.run = r.id WHERE l.until > clock_timestamp()"));
const Sql select_holders(
    "SELECT process, ceil(1000 * extract(epoch FROM min(until) - clock_timestamp()))::bigint "
    "FROM agneto.leases WHERE until > clock_timestamp() AND holder <> $1 "
    "AND EXISTS (SELECT FROM agneto.runs r WHERE r.id = run) GROUP BY process");
const Sql lock_bounds("SELECT pg_advisory_xact_lock(424243)");
const Sql insert_worker(
    "INSERT INTO agneto.workers (name, process, body, until) "
    "VALUES ($1, $2, $3, clock_timestamp() + $4::bigint * interval '1 millisecond') "
    "ON CONFLICT (name, tenant) DO UPDATE SET process = excluded.process, body = excluded.body, "
    "until = excluded.until");
const Sql delete_worker(
    "DELETE FROM agneto.workers WHERE name = $1 OR until < clock_timestamp() - interval '1 day'");
const Sql select_workers(
    "SELECT name, body, process FROM agneto.workers WHERE until > clock_timestamp() ORDER BY name");

}  // namespace

Result Taking::ask(const Sql& sql, const Values& values) {
  return pool_.run([&](Connection& connection) { return connection.run(sql, values); });
}

Due Taking::due(const Taker& taker, Time now, std::size_t most) {
  const Bounds full = taker.bounds.any() ? reached(taker.bounds, worked_on()) : Bounds();
  Due due;
  std::vector<Result> found;
  for (bool all_are_known = false; !all_are_known;) {
    Values taking;
    taking.text(stored_texts(taker.labels)).text(names_of(full.workflows));
    taking.text(names_of(full.providers)).text(stored_texts(taker.except));
    taking.text(stored_texts(dead())).number(number_of_rows(most));
    Values woken = taking;
    woken.time(now);
    found = pool_.run([&](Connection& connection) {
      return connection.run({{select_holders, Values().text(leases_.holder())},
                             {planned_once},
                             {select_running, taking},
                             {select_told, taking},
                             {without_sorting},
                             {select_woken, woken},
                             {select_queued, taking}});
    });
    all_are_known = !find_dead(found.front(), due.again);
  }
  for (const std::size_t place : {2, 3, 5, 6}) {  // behind who has any, and between settings
    const Result& result = found.at(place);
    for (RunRecord& run : read_records(result)) {
      const bool is_new = std::ranges::find(due.runs, run.id, &RunRecord::id) == due.runs.end();
      if (run.status == "running" && !is_served(run)) continue;
      if (is_new && due.runs.size() < most) due.runs.push_back(std::move(run));
    }
  }
  return due;
}

std::vector<std::string> Taking::dead() {
  const std::lock_guard lock(mutex_);
  return {dead_.begin(), dead_.end()};
}

// Is one of these dead of which that was not known? `again`: when the lease of a live one may be
// over.
bool Taking::find_dead(const Result& holders, std::optional<Millis>& again) {
  std::set<std::string> dead;
  again.reset();
  for (int row = 0; row < holders.rows(); ++row) {
    const Millis left(holders.number(row, 1));
    if (has_died(holders.text(row, 0))) {
      dead.insert(holders.text(row, 0));
    } else {
      again = std::min(again.value_or(left), left);
    }
  }
  const std::lock_guard lock(mutex_);
  const bool is_new = !std::ranges::includes(dead_, dead);
  dead_ = std::move(dead);
  return is_new;
}

std::vector<RunRecord> Taking::worked_on() {
  return read_records(ask(select_worked_on));
}

// Where there are bounds, one process after the other sees how many there are.
std::unique_ptr<Hold> Taking::hold(const std::string& run_id, const Bounds& bounds) {
  if (!bounds.any()) return leases_.hold(run_id);
  std::unique_ptr<Hold> hold;
  pool_.transact([&](Connection& connection) {
    connection.run(lock_bounds);
    const auto found = read_records(connection.run(select_taken, Values().text(run_id)));
    if (!found.empty()) {
      const auto others = read_records(connection.run(select_worked_on));
      if (auto why = obstacle(bounds, found.front(), others); !why.empty()) throw NoRoom(why);
    }
    if (!hold) hold = leases_.hold(run_id);
  });
  return hold;
}

void Taking::present(const Worker& worker) {
  Values values;
  values.text(worker.name).text(leases_.process()).text(to_text(worker.body));
  values.number(leases_.lease().count());
  pool_.run(Millis(0), [&](Connection& connection) {
    connection.run({without_waiting_for_the_disk(), {insert_worker, values}});
    return true;
  });
}

void Taking::leave(const std::string& worker) {
  pool_.run([&](Connection& connection) {
    return connection.run({{delete_worker, Values().text(worker)}, remove_old_marks()});
  });
}

std::vector<Worker> Taking::workers() {
  const Result result = ask(select_workers);
  std::vector<Worker> workers;
  for (int row = 0; row < result.rows(); ++row) {
    if (has_died(result.text(row, 2))) continue;
    workers.push_back({result.text(row, 0), Json::parse(result.text(row, 1), nullptr, false)});
  }
  return workers;
}

}  // namespace agneto::journal
