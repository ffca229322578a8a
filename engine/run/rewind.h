// Going back in a run: machine and files both, in place (rewind) or as another run (fork).
//
// The journal changes first, with what is still to be done in the run's options
// (record::Restoring); the files and the rest of the state follow in `finish_restoring`, which a
// resume does too where it finds that they have not.
#pragma once

#include <string>
#include <vector>

#include "journal/journal.h"
#include "run/assembly.h"
#include "workspace/workspace.h"

namespace agneto::run {

// A run as it was after one of its entries.
struct Moment {
  fs::path folder;
  std::string run;  // an id, the start of one, or "last"
  journal::Seq seq = 0;
};

struct Restored {
  std::string run;                      // its id
  std::vector<std::string> kept;        // refs of what was taken away
  bool files = true;                    // are they as they were? Not of a run without a worktree.
  std::vector<std::string> notes = {};  // what was put right before, for people
};

// Both throw Error, with nothing changed, where a process works on the run, where it was not at
// rest after the entry, where what it was then does not fit the workflow that it has now, and for a
// rewind where it would take back what is not the run's own.
Restored rewind(const Moment& moment, const Resources& resources);
// The new run is suspended; its worktree is furnished.
Restored fork(const Moment& moment, const Resources& resources);

// Throws Error, which names entries near it, where the run was not at rest after the entry.
void require_rest(journal::Reader& journal, const std::string& run_id, journal::Seq seq);

// The last entry up to `to` that the run could go on from; 0 where there is none.
journal::Seq last_rest(journal::Reader& journal, const std::string& run_id, journal::Seq to);

// The entry to go back to so that what ended the run happens again: an agent, a program or a person
// whose outcome was the last, or a git operation that failed. 0 where there is none.
journal::Seq before_end(journal::Reader& journal, const std::string& run_id);

// By the owner: does what the run's options say is still to be done; returns what was kept.
std::vector<std::string> finish_restoring(journal::Journal& journal, journal::RunRecord& run,
                                          workspace::Workspace& workspace, Time now);

}  // namespace agneto::run
