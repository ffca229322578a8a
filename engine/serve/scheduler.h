// Which runs the schedules of a folder want made, and what is told of schedules.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "journal/journal.h"
#include "run/schedule.h"

namespace agneto::serve {

// It remembers nothing of the runs that were made: it reads that in the journal, as the next server
// does. Not thread-safe.
class Scheduler {
 public:
  // `folder`: whose schedules they are.
  explicit Scheduler(std::string folder) : folder_(std::move(folder)) {}

  void set(std::vector<run::Schedule> schedules);

  struct Due {
    run::Schedule schedule;
    Time time;
  };
  // Those whose run is to be made now. None of them is due again until `made` is called.
  std::vector<Due> take_due(journal::Queue& journal, const Clock& clock);
  // Its run is in the journal; or it could not be made, which is tried again in a while.
  void made(const std::string& schedule, bool well, const Clock& clock);

  // When the next one is due.
  std::optional<Time> next(Time now) const;
  // Is there one that could not be made, which may be tried again before that?
  bool has_trouble() const { return !trouble_.empty(); }

 private:
  // With the run for one due time.
  struct Trouble {
    Time due;
    int tries = 0;
    Millis not_before{0};  // by `elapsed`
  };

  const std::string folder_;
  std::vector<run::Schedule> schedules_;
  std::map<std::string, Time> in_hand_;  // for which time
  std::map<std::string, Trouble> trouble_;
};

// A list of {"name", "workflow", "task", "cron", "timezone", "next"?, "wrong"?, "last"?: {"run",
// "due", "status"}}. `next` is not later than `now` where a server that is there makes its run at
// once; `wrong` is why it makes none. `journal` may be null: there has been no run yet. `wrong`: as
// run::wrong_schedules says.
Json described(const std::vector<run::Schedule>& schedules,
               const std::map<std::string, std::string>& wrong, journal::Journal* journal,
               const std::string& folder, Time now);

}  // namespace agneto::serve
