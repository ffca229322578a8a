// Runs that a server begins by itself: what .agneto/config.yaml says of them, and when each is due.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "journal/journal.h"
#include "run/cron.h"

namespace agneto::run {

struct Schedule {
  std::string name = {};
  std::string workflow = "agneto";
  std::optional<std::string> task = {};
  std::map<std::string, std::string> inputs = {};
  std::string cron = {};  // as it is written
  Cron times = {};
  std::string timezone = {};  // its name; empty: the system's
  cctz::time_zone zone = cctz::local_time_zone();
  bool makes_up = false;  // for what was due while nobody served the folder: once
  bool queues = false;    // what is due while its last run goes on is made up for when that ends
  Millis jitter{0};       // a run is queued up to so much later
  int priority = 0;

  // Where these stand in the configuration.
  Span place = {}, workflow_place = {};
  std::map<std::string, Span> input_places = {};
};

// The run that a schedule has made last, as the journal has it.
struct MadeLast {
  Time due;
  std::optional<Time> ended = {};  // nothing: it has not
  journal::RunRecord run = {};
};
std::optional<MadeLast> made_last(journal::Queue& journal, const std::string& schedule);

// When it is due for which a run is to be made now; nothing: none is. `folder`: whose schedules
// they are, by which jitter differs.
std::optional<Time> due_now(const Schedule& schedule, const std::optional<MadeLast>& last, Time now,
                            const std::string& folder);
// When the next run is made, if nothing hinders it.
std::optional<Time> next_run(const Schedule& schedule, Time now, const std::string& folder);

// By what a run is known that a schedule has made (RunRecord::origin).
std::string origin_of(const std::string& schedule, Time due);

}  // namespace agneto::run
