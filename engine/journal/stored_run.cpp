#include "journal/stored_run.h"

#include <algorithm>

#include "base/text.h"
#include "journal/recorded_state.h"

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

Seq rewound_to(const std::string& body) {
  const Json json = Json::parse(body, nullptr, false);
  if (!json.is_object()) return 0;
  const auto to = json.find("to");
  return to != json.end() && to->is_number_integer() ? to->get<Seq>() : 0;
}

std::string line_sum(const std::vector<std::string>& line,
                     const std::map<std::string, std::string>& sources) {
  Json list = Json::array();
  for (const auto& [path, hash] : sources) list.push_back({path, hash});
  Json sealed = line;
  sealed.push_back(to_text(list));
  return sha256(to_text(sealed));
}

Entry with_body(const StoredRun& run, Row row) {
  Entry entry = std::move(row.entry);
  entry.body = Json::parse(row.body, nullptr, false);
  if (entry.body.is_discarded()) {
    throw damaged(run.place(), run.id(), about(run.id(), entry.seq, entry.seq, altered));
  }
  return entry;
}

std::vector<Row> all_rows(StoredRun& run) {
  std::vector<Row> rows;
  run.visit(1, last_seq, [&](Row row) {
    rows.push_back(std::move(row));
    return true;
  });
  return rows;
}

std::vector<Entry> entries_of(StoredRun& run, Seq after, Seq to) {
  const RewindView view = run.rewinds(last_seq);
  std::vector<Entry> all;
  run.visit(after + 1, to, [&](Row row) {
    all.push_back(with_body(run, std::move(row)));
    all.back().stands = view.stands(all.back().seq);
    return true;
  });
  return all;
}

std::vector<Entry> standing(StoredRun& run, std::vector<Row> rows) {
  const RewindView view = run.rewinds(last_seq);
  std::vector<Entry> found;
  for (Row& row : rows) {
    if (view.stands(row.entry.seq)) found.push_back(with_body(run, std::move(row)));
  }
  return found;
}

Head copy_entries(StoredRun& run, Seq at, const std::string& fork_id,
                  const std::function<void(const Row&)>& insert) {
  const RewindView view = run.rewinds(at);
  Head head;
  std::string previous;
  run.visit(1, at, [&](Row row) {
    if (chain_hash(previous, run.id(), row) != row.hash) {
      throw damaged(run.place(), run.id(), about(run.id(), row.entry.seq, row.entry.seq, altered));
    }
    previous = row.hash;
    if (!view.stands(row.entry.seq) || row.entry.kind == "rewound") return true;
    row.entry.seq = head.seq + 1;
    row.hash = chain_hash(head.hash, fork_id, row);
    insert(row);
    head = row.head();
    return true;
  });
  return head;
}

Row note_of_fork(const Head& last, const std::string& fork_id, const Entry& note) {
  Row row{note, to_text(note.body), "", ""};
  row.entry.seq = last.seq + 1;
  row.entry.time = std::max(note.time, last.time);
  row.hash = chain_hash(last.hash, fork_id, row);
  return row;
}

}  // namespace agneto::journal
