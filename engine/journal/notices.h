// What people were told of runs, and are still to be told: in the journal, so that a restart
// neither forgets any of it nor says it again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"

namespace agneto::journal {

// One thing that is told in one way.
struct Notice {
  std::string key;   // the run's id, a space, and what it is: the same for ever
  std::string way;   // by which it is told
  std::string run;   // its id
  std::string body;  // what is told
  int tries = 0;     // that came to nothing
};

// Not thread-safe. What writes throws Error with nothing written.
class Notices {
 public:
  virtual ~Notices() = default;

  // The change (Changed::number) up to which runs have been looked at; nothing: nobody is told of
  // anything.
  virtual std::optional<std::int64_t> noticed() = 0;
  // One transaction: runs have been looked at up to that change, and these are to be told now;
  // those that are known already are left out.
  virtual void notice(std::int64_t change, const std::vector<Notice>& found, Time now) = 0;
  // Nobody is told of anything from now on; what waited to be told is dropped.
  virtual void forget() = 0;

  // The ways by which something is to be told by now, in no order.
  virtual std::vector<std::string> ways_due(Time now) = 0;
  // What is to be told by now in that way, the oldest first; some of it where that is much.
  virtual std::vector<Notice> due(const std::string& way, Time now) = 0;
  // It was told, or is not to be told any more.
  virtual void settle(const Notice& notice) = 0;
  // It is due again then, and was tried so often.
  virtual void put_off(const Notice& notice, Time until, int tries) = 0;
};

// In the journal that is there. Throws as `open_journal` does.
std::unique_ptr<Notices> open_notices(const std::string& where);

}  // namespace agneto::journal
