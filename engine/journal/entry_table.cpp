#include "journal/entry_table.h"

#include "journal/schema.h"

namespace agneto::journal {

void EntryTable::insert(std::int64_t run, const Row& row) {
  insert_.start()
      .bind(place_of(run, row.entry.seq))
      .bind(row.entry.time.time_since_epoch().count());
  insert_.bind(row.entry.kind).bind(row.entry.path).bind(row.texts.body);
  if (row.texts.change.empty()) {
    insert_.bind_null();
  } else {
    insert_.bind(row.texts.change);
  }
  insert_.bind(row.hash).run();
}

void EntryTable::visit(std::int64_t run, Seq first, Seq last,
                       const std::function<bool(Row&)>& visit) {
  all(select_.start().bind(place_of(run, first)).bind(place_of(run, last)), visit);
}

void EntryTable::visit_back(std::int64_t run, Seq last, const std::function<bool(Row&)>& visit) {
  all(select_back_.start().bind(place_of(run, 1)).bind(place_of(run, last)), visit);
}

std::vector<Row> EntryTable::of_path(std::int64_t run, const std::string& path) {
  std::vector<Row> rows;
  all(select_path_.start().bind(run).bind(path), [&](Row& row) {
    rows.push_back(std::move(row));
    return true;
  });
  return rows;
}

Head EntryTable::head(std::int64_t run) {
  Head head;
  visit_back(run, last_seq, [&](Row& row) {
    head = {row.entry.seq, row.entry.time, std::move(row.hash)};
    return false;
  });
  return head;
}

std::vector<Rewind> EntryTable::rewinds(std::int64_t run) {
  std::vector<Rewind> rewinds;
  select_rewinds_.start().bind(run);
  while (select_rewinds_.step()) {
    const Json body = Json::parse(select_rewinds_.text(1), nullptr, false);
    if (!body.is_object() || !body.value("to", Json()).is_number_integer()) {
      select_rewinds_.stop();
      database_.fail(SQLITE_CORRUPT);
    }
    rewinds.push_back({select_rewinds_.number(0), body["to"]});
  }
  return rewinds;
}

Row EntryTable::read(Statement& row) {
  return {{row.number(0), Time(Millis(row.number(1))), row.text(2), row.text(3), {}},
          {row.text(4), row.text(5)},
          row.text(6)};
}

void EntryTable::all(Statement& rows, const std::function<bool(Row&)>& visit) {
  while (rows.step()) {
    Row row = read(rows);
    bool more = false;
    try {
      more = visit(row);
    } catch (...) {
      rows.stop();
      throw;
    }
    if (!more) return rows.stop();
  }
}

}  // namespace agneto::journal
