#include "journal/sqlite/entry_table.h"

#include "journal/sqlite/schema.h"

namespace agneto::journal {

void EntryTable::insert(std::int64_t run, const Row& row) {
  const Entry& entry = row.entry;
  insert_.start().bind(place_of(run, entry.seq)).bind(entry.time).bind(entry.kind);
  insert_.bind(entry.path).bind(row.body).bind(row.change).bind(row.hash).run();
}

void EntryTable::visit(std::int64_t run, Seq first, Seq last,
                       const std::function<bool(Row)>& visit) {
  select_.start().bind(place_of(run, first)).bind(place_of(run, last));
  select_.each([&](Statement& row) { return visit(read(row)); });
}

void EntryTable::visit_back(std::int64_t run, Seq last, const std::function<bool(Row)>& visit) {
  select_back_.start().bind(place_of(run, 1)).bind(place_of(run, last));
  select_back_.each([&](Statement& row) { return visit(read(row)); });
}

std::vector<Row> EntryTable::of_path(std::int64_t run, const std::string& path) {
  std::vector<Row> rows;
  select_path_.start().bind(run).bind(path);
  while (select_path_.step()) rows.push_back(read(select_path_));
  return rows;
}

Head EntryTable::head(std::int64_t run) {
  Head head;
  visit_back(run, last_seq, [&](const Row& row) {
    head = row.head();
    return false;
  });
  return head;
}

Time EntryTable::last_time(std::int64_t run) {
  select_last_time_.start().bind(place_of(run, 0)).bind(place_of(run, last_seq));
  return Time(Millis(select_last_time_.only_number()));
}

RewindView EntryTable::rewinds(std::int64_t run, Seq head) {
  std::vector<RewindView::Rewind> rewinds;
  select_rewinds_.start().bind(run).each([&](Statement& row) {
    const Seq to = rewound_to(row.text(1));
    if (to == 0) database_.fail(SQLITE_CORRUPT);
    rewinds.push_back({row.number(0), to});
    return true;
  });
  return {rewinds, head};
}

Row EntryTable::read(Statement& row) {
  return {{row.number(0), row.time(1), row.text(2), row.text(3), {}},
          row.text(4),
          row.text(5),
          row.text(6)};
}

}  // namespace agneto::journal
