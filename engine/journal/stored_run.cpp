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

std::string stored_texts(const std::vector<std::string>& texts) {
  return to_text(Json(texts));
}

std::vector<std::string> texts_of(const std::string& stored) {
  std::vector<std::string> texts;
  const Json json = Json::parse(stored, nullptr, false);
  if (!json.is_array()) return texts;
  for (const Json& text : json) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

bool has_ended(const RunRecord& run) {
  return std::ranges::find(ended_statuses, run.status) != ended_statuses.end();
}

void require_ended(const RunRecord& run) {
  if (has_ended(run)) return;
  throw Error("run " + run.id + " has not ended, so that its record stays",
              "end it first: agneto abort " + run.id);
}

std::string behind(std::string start) {
  start.back() = static_cast<char>(start.back() + 1);
  return start;
}

bool is_served(const RunRecord& run) {
  const auto served = run.options.find("served");
  return served != run.options.end() && *served == true;
}

std::string names_of(const std::map<std::string, int>& bounds) {
  std::vector<std::string> names;
  for (const auto& [name, most] : bounds) names.push_back(name);
  return stored_texts(names);
}

std::string line_sum(const std::vector<std::string>& line,
                     const std::map<std::string, std::string>& sources) {
  Json list = Json::array();
  for (const auto& [path, hash] : sources) list.push_back({path, hash});
  Json sealed = line;
  sealed.push_back(to_text(list));
  return sha256(to_text(sealed));
}

Error altered_entry(const StoredRun& run, Seq seq) {
  return damaged(run.place(), run.id(), about(run.id(), seq, seq, altered));
}

Entry with_body(const StoredRun& run, Row row) {
  Entry entry = std::move(row.entry);
  entry.body = Json::parse(row.body, nullptr, false);
  if (entry.body.is_discarded()) throw altered_entry(run, entry.seq);
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

// What undoes an entry stands behind it. So where they go on to the last one, it is among them.
std::vector<Entry> entries_of(StoredRun& run, Seq after, Seq to) {
  std::vector<Entry> all;
  std::vector<RewindView::Rewind> rewinds;
  run.visit(after + 1, to, [&](Row row) {
    all.push_back(with_body(run, row));
    const Entry& entry = all.back();
    if (entry.kind != "rewound") return true;
    const Seq back_to = rewound_to(row.body);
    if (back_to == 0) throw altered_entry(run, entry.seq);
    rewinds.push_back({entry.seq, back_to});
    return true;
  });
  const RewindView view = to == last_seq ? RewindView(rewinds, last_seq) : run.rewinds(last_seq);
  for (Entry& entry : all) entry.stands = view.stands(entry.seq);
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
      throw altered_entry(run, row.entry.seq);
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
