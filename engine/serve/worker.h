// Processes that take up runs, as others see them: what they can do, why none of them takes a run,
// and what is to be started where none of them ever will.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "journal/journal.h"
#include "run/assembly.h"
#include "run/config.h"

namespace agneto::serve {

struct Worker {
  std::string name;                                  // "HOST/PID": no two at work have the same
  std::string kind;                                  // "server" or "worker"
  std::string folder;                                // where it was started
  std::string version;                               // empty: that is not known
  Time since{};                                      // the beginning of time: so is that
  int slots = 0;                                     // it works on so many runs at a time
  std::vector<std::string> runs;                     // on these now
  std::vector<std::string> labels;                   // what runs may need of it
  std::map<std::string, std::string> versions = {};  // of the programs of providers among these
  std::map<std::string, std::string> put_off = {};   // runs, and why it cannot work on them now
  bool ends = false;                                 // it takes up nothing more

  // What is not known is not in it.
  Json to_json() const;
  // What cannot be read is left out.
  static Worker from(const journal::Worker& worker);
};

// Those that take up runs of the journal: of one that is a file, the one that serves the folder.
std::vector<Worker> workers(journal::Journal& journal, const fs::path& folder,
                            const run::Resources& resources);

// What is missing where a run would wait for ever, as things are.
struct Lack {
  std::string what;     // "no worker is there"; empty: somebody can take the run
  std::string command;  // that would help; may be empty

  explicit operator bool() const { return !what.empty(); }
  // "no worker is there, so that it waits: agneto worker"; `follows` is what comes of it.
  std::string told(const std::string& follows = {}) const;
};

// Where a run is looked at.
struct Here {
  std::string folder;      // its label
  bool is_shared = false;  // is its journal one of several machines?
};
Lack lack_of(const journal::RunRecord& run, const std::vector<Worker>& workers, const Here& here);
// The same of a run of the journal; nothing, too, where the configuration cannot be read.
Lack lack_of(const journal::RunRecord& run, journal::Journal& journal, const fs::path& folder,
             const run::Resources& resources);

// Why none of these works on a run, as far as that can be seen from any process; empty: one does
// soon. `worked_on`: what all of them work on.
std::string why_not_taken(const journal::RunRecord& run, const std::vector<Worker>& workers,
                          const Here& here, const journal::Bounds& bounds,
                          const std::vector<journal::RunRecord>& worked_on);

// The same of a run of the journal; empty, too, where it waits for nobody to take it up.
std::string why_queued(journal::Journal& journal, const fs::path& folder,
                       const run::Resources& resources, const journal::RunRecord& run);

}  // namespace agneto::serve
