// What programs are told of a folder's runs, and what they do with them, as JSON: the same
// whichever protocol they speak.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/redact.h"
#include "graph/picture.h"
#include "journal/journal.h"
#include "record/options.h"
#include "record/totals.h"
#include "run/assembly.h"
#include "run/steer.h"
#include "serve/body.h"
#include "serve/carried.h"
#include "serve/recent.h"
#include "serve/worker.h"
#include "workspace/inspect.h"

namespace agneto::serve {

// Which runs a list is to have; what is empty asks for nothing.
struct Listing {
  std::vector<std::string> statuses = {};  // as people see them, and "waiting": for a person
  std::string workflow = {};
  std::string text = {};    // in the id or the task
  std::string before = {};  // a run's id: only those made before it
  std::size_t limit = 50;   // at most `longest`
  static constexpr std::size_t longest = 500;
  // All that `statuses` can have.
  static const std::vector<std::string>& known_statuses();
  // What is asked of a journal; some that do not fit may be among what that gives.
  journal::Wanted of_journal() const;
};

// Queues a run of a workflow that is offered as the body says (`task`, `inputs`, `agent`, …).
// `interactive`: is a person asked where the workflow asks? `by`: who queues it, for people.
// `origin`: as RunRecord has it. `journal`: as Request has it. Throws Unusable where it is refused,
// and OriginTaken.
run::Queued submit(const fs::path& folder, const run::Resources& resources,
                   const std::shared_ptr<journal::Journal>& journal, const std::string& workflow,
                   Body& body, bool interactive, const std::string& by,
                   const std::string& origin = {});

// Everything that it is given outlives it. Its functions are called on several threads at a time.
// Whatever they return is without secrets; what they throw may name one.
class Desk {
 public:
  struct World {
    fs::path folder;
    const run::Resources& resources;
    std::shared_ptr<journal::Journal> journal;
  };
  explicit Desk(World world);

  // Knows the secrets of the configuration as it is now.
  Redactor redactor() const;

  // Those who take up runs: {"workers"}.
  Json workers() const;
  // What is missing where none of them takes up that one.
  Lack lack_of(const journal::RunRecord& run) const;

  // Throws NotFound where there is none of that id.
  journal::RunRecord find(const std::string& run) const;

  Json described(const journal::RunRecord& run) const;
  // The same of one that was just queued, with what people are to know of it.
  Json described(const run::Queued& queued) const;
  // {"change", "runs", "next"?}, the newest first. Throws Error where there is no run `before`.
  Json list(const Listing& wanted) const;
  // With its questions, what it has used, and what it may use.
  Json shown(const journal::RunRecord& run) const;
  Json questions_of(const journal::RunRecord& run) const;
  // What it has used, until now where somebody works on it; `run` as `run::shown` gives it. Throws
  // Error where the record cannot be read.
  record::Totals totals_of(const journal::RunRecord& run) const;
  // Its entries as they were recorded: {"entries", "newest"}.
  Json entries(const journal::RunRecord& run, journal::Seq after, std::size_t limit) const;
  // What they tell (record/event.h), from behind `after` on, of `limit` entries or a few more:
  // {"events", "next"?}.
  Json events(const journal::RunRecord& run, journal::Seq after, std::size_t limit) const;
  // Empty where it works in the folder itself. `commit`: of one of its commits alone; empty: of
  // all that it has changed. Throws NotFound where it has no such commit.
  std::string diff(const journal::RunRecord& run, const std::string& commit) const;
  // {"files": [PATH]}: all that it has changed, also where the diff is cut.
  Json files(const journal::RunRecord& run) const;
  // {"commits": [{"commit", "time", "subject"}]}, the oldest first.
  Json commits(const journal::RunRecord& run) const;
  // The machines that it has, and where they are, after an entry; 0: as they are now. {"seq",
  // "machines": [{"path", "machine", "states", "data"}]}. Throws NotFound where there is no such
  // entry.
  Json moment(const journal::RunRecord& run, journal::Seq at) const;
  // Its way through one of its machines, drawn; unless one is named, through the outermost. Throws
  // NotFound where it has none of that name.
  graph::Picture picture(const journal::RunRecord& run, const std::string& machine,
                         int depth) const;

  // Each does what its namesake in run/steer.h does, with what the body says, and returns the run
  // as it is then.
  Json answer(const journal::RunRecord& run, Body& body, const std::string& by) const;
  Json send(const journal::RunRecord& run, Body& body, const std::string& by) const;
  Json suspend(const journal::RunRecord& run, Body& body, const std::string& by) const;
  Json resume(const journal::RunRecord& run, Body& body, const std::string& by) const;
  Json abort(const journal::RunRecord& run, Body& body, const std::string& by) const;
  Json rewind(const journal::RunRecord& run, Body& body) const;
  Json fork(const journal::RunRecord& run, Body& body) const;

 private:
  run::Helm helm(const std::string& by) const;
  model::Limits limits_of(const journal::RunRecord& run, const record::RunOptions& options) const;
  Json limits_told(const journal::RunRecord& run) const;
  Json now(const journal::RunRecord& run) const;
  Json told(const journal::RunRecord& run, const run::Delivery& delivery) const;
  Json described(journal::RunRecord run, const Redactor& redactor) const;
  workspace::Place place_of(const journal::RunRecord& run) const;

  // What was made of a run's entries, up to one of them.
  struct Counted {
    record::Tally tally;
    journal::Seq seen = 0;
    Time last;
  };
  struct Walked {
    graph::Trail trail;
    journal::Seq seen = 0;
    journal::Seq undone = 0;  // the rewinds up to there are heeded
  };
  graph::Trail trail_of(const std::string& run, const model::System& system,
                        model::MachineId machine, Walked& walked) const;

  const World world_;
  const fs::path home_;           // the .agneto that holds the runs
  const fs::path configuration_;  // its file
  SystemClock clock_;
  mutable Carried<Counted> counted_{50};
  mutable Carried<Walked> walked_{50};
  mutable Recent limits_{clock_, std::chrono::seconds(10), 200};
  mutable std::mutex mutex_;  // of what follows
  mutable std::optional<Redactor> redactor_;
  mutable fs::file_time_type configured_{};  // when the configuration was changed last
};

}  // namespace agneto::serve
