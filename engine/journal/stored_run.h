// A run as a store has it: its entries, as they are tied to each other, and its line.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "journal/journal.h"

namespace agneto::journal {

// The last entry of a run: what the next one follows.
struct Head {
  Seq seq = 0;
  Time time{};
  std::string hash;
};

struct Row {
  Entry entry;  // without its body
  std::string body;
  std::string change;  // of the state; empty: none
  std::string hash;

  Head head() const { return {entry.seq, entry.time, hash}; }
};

// The hash that ties an entry to all before it, so that a record that was altered is found out:
// SHA-256 over the hash of the entry before (empty for the first), the entry, its body and its
// change; docs/journal.md says of which bytes.
std::string chain_hash(std::string_view previous, std::string_view run_id, const Row& row);

// Which entries of a run stand, after its rewinds.
class RewindView {
 public:
  struct Rewind {
    Seq seq = 0;  // of the entry that says so
    Seq to = 0;   // what came after it, and before `seq`, is undone
  };
  // As it is after entry `head`; `rewinds` are in the order of their entries.
  RewindView(const std::vector<Rewind>& rewinds, Seq head);

  bool stands(Seq seq) const;

 private:
  std::vector<Rewind> undone_;  // disjoint
};

// The number of an entry that the body of one of kind "rewound" says; 0 where it says none.
Seq rewound_to(const std::string& body);

// One run, of one store. What reads throws Error where it cannot be read.
class StoredRun {
 public:
  using Visit = std::function<bool(Row)>;

  virtual ~StoredRun() = default;

  virtual const std::string& id() const = 0;
  // The journal that it is in, as messages name it.
  virtual const std::string& place() const = 0;
  // Shows the entries from `first` to `last`, in order, until `visit` says false.
  virtual void visit(Seq first, Seq last, const Visit& visit) = 0;
  // Shows those from `last` back to the first, until `visit` says false.
  virtual void visit_back(Seq last, const Visit& visit) = 0;
  virtual RewindView rewinds(Seq head) = 0;
  // The last entry when the run's line was written, without its time.
  virtual Head sealed() = 0;
  // Are the line and the list of its sources as they were written?
  virtual bool intact() = 0;
  // The paths of the sources whose text is not the one that was written.
  virtual std::vector<std::string> altered_sources() = 0;
};

// Labels and the like as a store keeps them: a JSON array. What cannot be read is none.
std::string stored_texts(const std::vector<std::string>& texts);
std::vector<std::string> texts_of(const std::string& stored);
// The first text behind all that begin so, byte by byte. `start` is not empty.
std::string behind(std::string start);
// Do a run's options have a `served` that is true? A store asks for `served_text` in them first.
inline constexpr const char* served_text = R"("served":true)";
bool is_served(const RunRecord& run);
// Throws Error.
void require_ended(const RunRecord& run);
// The names of these, stored so.
std::string names_of(const std::map<std::string, int>& bounds);

// What a line and the list of its sources are sealed with. `line` has the columns that
// docs/journal.md says, as text; `sources` are the hashes of texts by path.
std::string line_sum(const std::vector<std::string>& line,
                     const std::map<std::string, std::string>& sources);

// The error of an entry that is not as it was written.
Error altered_entry(const StoredRun& run, Seq seq);

// The entry with its body. Throws Error where that is no JSON.
Entry with_body(const StoredRun& run, Row row);

// All of its entries, in order.
std::vector<Row> all_rows(StoredRun& run);
// Those behind `after` and up to `to`, each with whether it stands.
std::vector<Entry> entries_of(StoredRun& run, Seq after, Seq to);
// Those of these rows that stand.
std::vector<Entry> standing(StoredRun& run, std::vector<Row> rows);

// The entries that stood at `at` become those of another run, each of which `insert` writes;
// returns its last one. What a rewind has undone stays behind, so the changes of what is left
// follow each other. Throws Error where one is not as it was written.
Head copy_entries(StoredRun& run, Seq at, const std::string& fork_id,
                  const std::function<void(const Row&)>& insert);

// What a fork begins with behind the entries that it has copied.
Row note_of_fork(const Head& last, const std::string& fork_id, const Entry& note);

}  // namespace agneto::journal
