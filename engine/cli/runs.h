// The runs that a command is about: those of this folder, as its journal has them, or those of a
// server, as that tells of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "record/totals.h"
#include "run/reader.h"
#include "run/steer.h"
#include "serve/worker.h"
#include "workspace/branch_work.h"

namespace agneto::cli {

struct Listed {
  journal::RunRecord run;
  run::Waiting waiting;
  record::Totals totals = {};
};

// What is empty asks for nothing.
struct RunFilter {
  std::vector<std::string> status = {};  // as people see them, and "waiting": for a person
  std::string workflow = {};
  std::string text = {};     // in the task or the id
  Time since = Time::min();  // something has happened in it since
  std::size_t most = 0;      // 0: all of them

  bool fits(const Listed& listed) const;
};

// A run is named by its id, the start of one, or "last". Each throws Error.
class Runs {
 public:
  virtual ~Runs() = default;

  // The newest first. What they have used is not counted.
  virtual std::vector<Listed> list(const RunFilter& wanted) = 0;
  virtual void count(std::vector<Listed>& runs, Time now) = 0;
  // A run to look at, or one that has not ended, to steer. This outlives it.
  virtual std::unique_ptr<run::Reader> look(const std::string& wanted) = 0;
  virtual std::unique_ptr<run::Reader> steer(const std::string& wanted) = 0;
  virtual workspace::BranchWork work_of(const journal::RunRecord& run) = 0;
  // The work that the person is asked about who answers a question there; empty: it is not known.
  virtual std::string diff_for(const journal::RunRecord& run, const std::string& item) = 0;
  // Prints what it has changed; `words`: options of git diff, and paths.
  virtual void print_diff(const std::string& wanted, const std::vector<std::string>& words) = 0;

  // Those who take them up.
  virtual std::vector<serve::Worker> workers() = 0;
  // What is missing where nobody who is there takes up that run; a server knows that of its own.
  virtual serve::Lack lack_of(const std::string& run_id) = 0;
  // Why nobody works on a run that has not ended; may be empty.
  virtual std::string why_queued(const journal::RunRecord& run) = 0;

  // Each does what its namesake in run/steer.h does.
  virtual run::Delivery answer(const journal::RunRecord& run, const std::string& question,
                               const run::Answer& answer) = 0;
  virtual run::Delivery send(const journal::RunRecord& run, const std::string& event,
                             const Json& data) = 0;
  virtual bool suspend(const journal::RunRecord& run, bool after_call) = 0;
  // `observer` hears what becomes of what was under way.
  virtual journal::RunRecord abort(const journal::RunRecord& run, record::Observer& observer) = 0;
  virtual run::Queued submit(const run::Request& request, int priority) = 0;
  // Returns its id.
  virtual std::string queue_again(const std::string& wanted) = 0;
};

std::unique_ptr<Runs> runs_of(const Context& context);

// Throws Error where what the run has changed cannot be shown.
void require_changes(const journal::RunRecord& run, bool has_begun);

// Those of the server; `token_file`: as on the command line. Throws Error.
std::unique_ptr<Runs> runs_of_server(const ServerOptions& server);

}  // namespace agneto::cli
