// agneto suspend

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/target.h"

namespace agneto::cli {
namespace {

ExitStatus suspend(const Context& context, const std::string& wanted) {
  const Target target = find_unended(context, wanted);
  const std::string& id = target.run.id;
  auto fate = run::Delivery::Fate::stored;
  if (target.is_alive()) {
    fate = target.tell({"suspend", {{"reason", "suspended by " + run::user_name()}}}).fate;
  }
  if (fate == run::Delivery::Fate::taken) {
    fmt::print("suspended: {}\n", id);
  } else {
    fmt::print("nobody works on run {}{}\n", id,
               target.run.outcome.empty() ? "" : ": " + target.run.outcome);
  }
  fmt::print("go on: agneto resume {}\n", id);
  return printed(ExitStatus::complete);
}

}  // namespace

void add_suspend(Program& program) {
  auto wanted = std::make_shared<std::string>();
  Command& command = program.add_command(
      "suspend", "Stop a run that works in another terminal, so that it can be resumed");
  command.add("RUN", wanted.get(), "Its id, the start of one, or 'last'", {.required = true});
  command.action = [wanted](const Context& context) { return suspend(context, *wanted); };
}

}  // namespace agneto::cli
