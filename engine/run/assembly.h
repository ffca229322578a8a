// Everything that one run works with, put together in the right order: what can be refused is
// refused before anything is made.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "journal/journal.h"
#include "model/load.h"
#include "record/options.h"
#include "record/playback.h"
#include "run/engine/engine.h"
#include "run/human.h"

namespace agneto::run {

// Where this program finds its own parts.
struct Resources {
  fs::path share;       // holds workflows/ and scripts/
  fs::path pages;       // the folder of the web pages, where there are any
  fs::path guard;       // the agneto-guard program
  fs::path user;        // the user's configuration folder, e.g. ~/.config/agneto
  fs::path cache = {};  // for the clones of hubs, e.g. ~/.cache/agneto/hubs
  // The folder of the hook library.
  fs::path library() const { return share / "scripts" / "lib"; }
};

// What a person asked for on the command line.
struct Request {
  fs::path folder;       // where
  std::string workflow;  // a name or a path
  std::optional<std::string> task;
  std::map<std::string, std::string> inputs;
  std::string provider;  // for all agents; empty: as configured, else "auto"
  std::string model;
  std::string base;
  std::vector<std::string> needs = {};  // labels of whoever takes it up
  fs::path cassette;                    // for the provider `offline`
  record::Playback playback;            // how that is played
  fs::path record;  // where the run's own cassette is written when work on it ends; may be empty
  model::Limits limits;  // go before those of the configuration and of the workflow
  bool auto_merge = false;
  bool interactive = true;
  // The folder's, where it is open already; null: it is opened for this.
  std::shared_ptr<journal::Journal> journal = {};
};

struct Reopen {
  fs::path folder;
  std::string run;            // an id, the start of one, or "last"
  bool update = false;        // take the workflow's edited sources
  model::Limits limits = {};  // those there are replace the ones that it was started with
  bool any_prompt = false;    // of a cassette that is played: prompts need not be as recorded
  // An answer to the run's open question; empty: none is given.
  std::function<Answer(const chart::AskHuman&)> answer = {};
  // Why the run is ended at once instead, or left for later; empty: it is not. That needs no agent,
  // and no worktree.
  std::string abort = {};
  std::string suspend = {};
  // Several runs of one process share one; null: this one has its own.
  std::shared_ptr<journal::Journal> journal = {};
  // The hold of a caller who has the run already, whose id `run` is then, and its record, read
  // since it is held. Where it is null, the run is taken here.
  std::shared_ptr<journal::Hold> hold = {};
  std::optional<journal::RunRecord> record = {};
  bool parks = false;  // where the run only waits, its work ends: somebody takes it up again
};

// A run that waits for somebody who takes it up.
struct Queued {
  std::string run;                   // its id
  std::vector<std::string> remarks;  // what people are to know of it
};

// The workflow file that a name or path means: .agneto/workflows, the user's folder, the bundled
// ones, those of packages. Throws Error listing what there is.
fs::path find_workflow(const std::string& wanted, const fs::path& folder,
                       const Resources& resources);

// Where workflows are looked for by name, in order.
std::vector<fs::path> workflow_folders(const fs::path& folder, const Resources& resources);

// The names of all that are there.
std::vector<std::string> workflow_names(const fs::path& folder, const Resources& resources);
// Their files.
std::vector<fs::path> workflows(const fs::path& folder, const Resources& resources);

// The workflows of a package, such as "review.yaml". Files in folders inside of it are parts of
// these.
std::vector<fs::path> workflows_in(const fs::path& package);
// Those of the packages here, as they go by: "reviews/secure".
std::vector<std::string> packaged_workflows(const fs::path& folder);
// The same of its drivers.
std::vector<std::string> packaged_providers(const fs::path& folder);

// The folder whose .agneto holds configuration, workflows and scripts: the checkout around
// `folder`, else the nearest folder upwards with an .agneto, else `folder`.
fs::path checkout_of(const fs::path& folder);

// The folder whose .agneto holds the runs: the same, but of a repository with several worktrees the
// main one, so that its runs are seen from all of them.
fs::path home_of(const fs::path& folder);

// Where the journal of that folder is: the database that AGNETO_JOURNAL names, or else that of the
// configuration, or else the file in .agneto. Throws Error where what names it is wrong.
std::string journal_place(const fs::path& folder);
// Is that a database, which other machines reach, too?
bool is_shared(const std::string& journal_place);
// It, made where it is missing.
std::unique_ptr<journal::Journal> open_journal(const fs::path& folder);
// The journal of that folder; null where there has been no run yet.
std::unique_ptr<journal::Journal> journal_of(const fs::path& folder);
// The same; throws Error if there has been no run yet.
std::unique_ptr<journal::Journal> required_journal(const fs::path& folder);

// Throws Error where an agent, or a program, of one of the journal's runs started this process:
// gates are for people, and an agent that starts runs could do so without end.
void require_person(journal::Journal& journal);
// The folder's journal, for commands that steer a run; throws Error as the two above.
std::unique_ptr<journal::Journal> journal_to_steer(const fs::path& folder);

// The FIFO through which the run's owner is woken up.
fs::path wakeup_of(const fs::path& home, const std::string& run_id);

// The FIFO through which the folder's server is told that there is something to take up.
fs::path server_wakeup_of(const fs::path& home);

// Puts back git's settings that agents and programs had changed when the engine was killed that
// worked on this run, or on another one that nobody works on now. Whoever holds the run calls it,
// before git looks at any file. Returns what people are to know of that. Throws Error.
std::vector<std::string> put_settings_back(const fs::path& home, journal::Holds& holds,
                                           const std::string& run_id);

// The workflow as it was recorded with the run.
model::Loaded recorded_workflow(journal::Reader& journal, const journal::RunRecord& run);

// Throws Error, which says what can be done, where it has ended.
void require_unended(const journal::RunRecord& run);

// As the journal has it; but "interrupted" where that says "running" and nobody works on the run.
std::string status_of(journal::Holds& holds, const journal::RunRecord& run);

// The one of these ids, the newest first, that an id, the start of one, or "last" means. Throws
// Error listing near ones.
std::string find_run(const std::vector<std::string>& ids, const std::string& wanted);
// The run that it means.
journal::RunRecord find_run(journal::Journal& journal, const std::string& wanted);

class Assembly {
 public:
  // A new run, begun. Throws Error or InvalidFile, with nothing left behind.
  static std::unique_ptr<Assembly> create(const Request& request, const Resources& resources,
                                          Human& human, Observer& observer);
  // A new run that somebody else begins: checked as `create` does, and recorded. Among those that
  // are queued, those with a higher priority are taken up first. `by`: who asks for it, for people.
  // `origin`: as RunRecord has it; throws journal::OriginTaken where there is one of it.
  static Queued enqueue(const Request& request, const Resources& resources, int priority,
                        const std::string& by, const std::string& origin = {});
  // A run to go on with, or to begin where it was queued: its engine is resumed, and its question
  // answered. What is no answer throws Error, and the run stays as it was.
  static std::unique_ptr<Assembly> reopen(const Reopen& request, const Resources& resources,
                                          Human& human, Observer& observer);
  ~Assembly();

  Engine& engine();
  const std::string& run_id() const;
  // Where its cassette is to be written; empty: nowhere.
  const std::string& record_file() const;

 private:
  struct Parts;
  struct Wanted;
  explicit Assembly(std::unique_ptr<Parts> parts);
  void listen();
  static Wanted prepare(Parts& parts, const Request& request, const Resources& resources);
  static journal::RunRecord claim(Parts& parts, const Wanted& wanted);
  static void begin(Parts& parts, journal::RunRecord run, const record::RunOptions& options,
                    Human& human, Observer& observer);
  static void resume(Parts& parts, const Reopen& request, const Resources& resources, Human& human,
                     Observer& observer);
  std::unique_ptr<Parts> parts_;
};

}  // namespace agneto::run
