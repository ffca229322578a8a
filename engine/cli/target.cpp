#include "cli/target.h"

namespace agneto::cli {

run::Delivery Target::tell(const record::Message& message) const {
  return run::tell(*journal, home, run.id, message);
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
