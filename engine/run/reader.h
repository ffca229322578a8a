// A run as it may be shown to people: whatever its journal has of it, without the secrets.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/redact.h"
#include "journal/journal.h"
#include "model/load.h"
#include "record/entry.h"
#include "record/totals.h"

namespace agneto::run {

// Whose turn it is in a run that has not ended.
struct Waiting {
  // A call whose provider is away, and when that is asked again. Only where somebody works on the
  // run.
  struct Away {
    std::string path;
    std::string why;
    Time until;
  };
  bool for_person = false;  // a question is open that nobody has answered yet
  bool at_work = false;     // somebody works on the run, and something else is under way
  std::vector<Away> away;
};

// `run` as `Reader::run` gives it. Throws Error where the record cannot be read.
Waiting waiting_of(journal::Reader& journal, const journal::RunRecord& run,
                   const Redactor& redactor);

// What it has used; where somebody works on it, until `now`. `run` as `Reader::run` gives it.
// Throws Error where the record cannot be read.
record::Totals totals_of(journal::Reader& journal, const journal::RunRecord& run, Time now);

// What `read` returns. A run whose record is damaged is told all the same, without what that would
// say.
template <typename Read>
auto readable(Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const std::exception&) {
    return {};
  }
}

// The record of a run that is kept elsewhere, and told without the secrets.
class ToldRecord : public journal::Reader {
 public:
  // As `Reader::run` gives it.
  virtual journal::RunRecord run() = 0;
};

class Reader {
 public:
  // The run that an id, the start of one, or "last" means, of this folder's. Throws Error where
  // there is none.
  Reader(const fs::path& folder, const std::string& wanted);
  // The same over a journal that is open already; it outlives this. Without a folder nobody knows
  // who works on the run.
  Reader(journal::Journal& journal, Redactor redactor, std::string run_id,
         std::optional<fs::path> folder = {});
  // The same of one that is kept elsewhere.
  Reader(std::unique_ptr<ToldRecord> told, std::string run_id);

  const std::string& id() const { return id_; }
  // Throws Error where an entry or a source is not as it was written.
  void check() const;
  // What `tell` returns. Where that stumbles over a damaged record, the Error says so.
  template <typename Tell>
  auto telling(const Tell& tell) const {
    try {
      return tell();
    } catch (const Json::exception&) {
      check();
      throw;
    } catch (const record::Malformed&) {
      check();
      throw;
    }
  }
  // As it is now. `status` is "interrupted" where nobody works on what should be running.
  journal::RunRecord run() const;
  std::vector<record::Entry> entries(journal::Seq after = 0,
                                     journal::Seq to = journal::last_seq) const;
  Json state() const;
  // Those that wait for an answer, as they stand at that time.
  std::vector<record::Question> questions(Time now) const;
  Waiting waiting() const;
  // Words to its owner that nobody has taken yet.
  std::vector<journal::Message> inbox() const;
  std::map<std::string, std::string> sources() const;
  // The workflow it was started with; nothing where this version cannot read it any more.
  std::shared_ptr<const model::Loaded> workflow() const;

  const Redactor& redactor() const { return redactor_; }

 private:
  std::unique_ptr<journal::Journal> opened_;
  std::unique_ptr<ToldRecord> told_;
  journal::Journal* journal_;  // null: the record is told
  journal::Reader& record_;
  Redactor redactor_;
  std::optional<fs::path> folder_;
  std::string id_;
};

// What programs are told of a run wherever it is told of: its id, task, status, branch and times.
Json described(const journal::RunRecord& run);
// [{"path", "why", "until"}].
Json described(const std::vector<Waiting::Away>& away);

// The run as it may be shown, with the status that it has for people (status_of).
journal::RunRecord shown(journal::RunRecord run, journal::Holds& holds, const Redactor& redactor);

}  // namespace agneto::run
