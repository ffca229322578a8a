#include "cli/target.h"

#include "base/clock.h"

namespace agneto::cli {

run::Delivery Target::tell(const record::Message& message) const {
  SystemClock clock;
  auto delivery = run::deliver(*journal, home, run.id, message, clock);
  // Its owner may have ended it before it has read the message.
  if (delivery.fate == run::Delivery::Fate::stored) run::require_unended(*journal->find(run.id));
  if (delivery.fate == run::Delivery::Fate::waiting) {
    throw Error("the process that works on run " + run.id +
                    " has not come to it yet; it is noted, and will be taken",
                "see 'agneto show " + run.id + "'", ExitStatus::failed);
  }
  return delivery;
}

run::Helm Target::helm(const Context& context, record::Observer& observer) const {
  return {context.folder, context.resources, journal, run::user_name(), observer};
}

Target find_unended(const Context& context, const std::string& wanted) {
  Target target;
  target.journal = run::journal_to_steer(context.folder);
  target.run = run::find_run(*target.journal, wanted);
  target.run.status = run::status_of(context.folder, target.run);
  target.home = run::home_of(context.folder) / ".agneto";
  run::require_unended(target.run);
  return target;
}

}  // namespace agneto::cli
