// What a person does with a run from outside, wherever it is worked on: at a terminal, by a server,
// or by nobody.
#pragma once

#include <optional>
#include <string>

#include "journal/journal.h"
#include "run/assembly.h"
#include "run/live.h"

namespace agneto::run {

// Somebody who steers runs of a folder. What it refers to outlives it.
struct Helm {
  fs::path folder;
  const Resources& resources;
  std::shared_ptr<journal::Journal> journal;
  std::string by;           // who that is, for the record
  Observer& observer;       // hears what has to be done here
  Millis patience{10'000};  // for whoever works on the run
};

// Whoever works on the run has not come to a word; it is noted, and will be taken.
class NotYet : public Error {
 public:
  using Error::Error;
};

// How the message was taken; `stored` where nobody works on the run. Throws Error where the run has
// ended without having read it, NotYet where its owner has not answered in time.
Delivery tell(journal::Journal& journal, const fs::path& home, const std::string& run_id,
              const record::Message& message, Millis patience = Millis(10'000));

// Each throws Error where the run has ended, and NotYet as `tell` does.

// Answers an open question, by its path; the empty path is the only one's. Throws Error where that
// is no answer, and where somebody was faster.
Delivery answer(const Helm& helm, const journal::RunRecord& run, const std::string& question,
                const Answer& answer);
// Throws Error where nothing in the workflow takes such an event.
Delivery send(const Helm& helm, const journal::RunRecord& run, const std::string& event,
              const Json& data);
// False: nobody works on it, nor would.
bool suspend(const Helm& helm, const journal::RunRecord& run, bool after_call);
// Returns its record then; where it says that the run goes on, that is told to end and will.
journal::RunRecord abort(const Helm& helm, const journal::RunRecord& run);

}  // namespace agneto::run
