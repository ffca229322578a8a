// What a run was started with, as its journal keeps it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "journal/journal.h"
#include "model/machine.h"
#include "record/totals.h"

namespace agneto::record {

// What is still to be done after a rewind or a fork, when the run is taken up.
struct Restoring {
  Time at;                            // of the entry that it goes back to
  std::vector<std::string> sessions;  // of providers: what was said in them since is not known then
  std::optional<Totals> totals;       // what was spent by then; none: what the state says
  bool placed = false;                // are the files those of then already?
};

struct RunOptions {
  std::string provider;  // for people: "claude", or "coder: codex, others: claude"
  std::string chosen;    // the one that the command line chose for all agents; empty: none
  std::string model;     // for all agents; empty: as configured
  std::map<std::string, std::string> providers;  // by agent
  Json cassette;                                 // for the provider `offline`; null: none
  Json playback;                                 // how it is played (record/playback.h)
  Json inputs = Json::object();
  bool interactive = true;
  bool auto_merge = false;
  std::string root;      // the checkout that it was started in; may be moved since
  std::string library;   // the hook library of the program that its workflow is from
  std::string record;    // where its own cassette is written; empty: nowhere
  model::Limits limits;  // those of the command line
  int rewinds = 0;
  std::optional<Restoring> restoring;
  std::string hub;      // the address of the one that it travels through; empty: it stays
  bool served = false;  // a server works on it: it is parked where it only waits
};

// Throws Error where they cannot be read.
RunOptions options_of(const journal::RunRecord& run);
Json to_json(const RunOptions& options);

}  // namespace agneto::record
