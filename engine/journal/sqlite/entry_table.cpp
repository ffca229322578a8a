#include "journal/sqlite/entry_table.h"

#include <algorithm>

#include "base/text.h"
#include "journal/sqlite/schema.h"

namespace agneto::journal {

std::string chain_hash(std::string_view previous, std::string_view run_id, const Row& row) {
  const Entry& entry = row.entry;
  std::string content(previous);
  content.reserve(content.size() + row.body.size() + row.change.size() + 200);
  content += '\n';
  content += to_text(Json::array({std::string(run_id), entry.seq,
                                  entry.time.time_since_epoch().count(), entry.kind, entry.path}));
  content += '\n';
  content += row.body;
  if (!row.change.empty()) {
    content += '\n';
    content += row.change;
  }
  return sha256(content);
}

RewindView::RewindView(const std::vector<Rewind>& rewinds, Seq head) {
  for (auto rewind = rewinds.rbegin(); rewind != rewinds.rend(); ++rewind) {
    if (rewind->seq > head) continue;
    undone_.push_back(*rewind);
    head = rewind->to;
  }
}

bool RewindView::stands(Seq seq) const {
  return std::none_of(undone_.begin(), undone_.end(),
                      [&](const Rewind& gap) { return gap.to < seq && seq < gap.seq; });
}

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
    const Json body = Json::parse(row.text(1), nullptr, false);
    if (!body.is_object() || !body.value("to", Json()).is_number_integer()) {
      database_.fail(SQLITE_CORRUPT);
    }
    rewinds.push_back({row.number(0), body["to"]});
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
