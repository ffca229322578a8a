#include "run/held_runner.h"

#include <utility>

#include "journal/journal.h"

namespace agneto::run {

HeldRunner::HeldRunner(std::filesystem::path guard, const journal::Hold& hold, std::string run_id)
    : hold_(hold),
      run_id_(std::move(run_id)),
      runner_(std::move(guard), [this] { return hold_.lasts(); }) {}

process::Exit HeldRunner::run(const process::Spec& spec, process::Listener& listener,
                              std::stop_token stop) {
  process::Exit exit = runner_.run(spec, listener, std::move(stop));
  const bool is_over = hold_.lasts().value_or(Millis(1)) <= Millis(0);
  if (!is_over && exit.kind != process::Exit::Kind::overdue) return exit;
  throw journal::OwnerLost(
      "run " + run_id_ +
          " is left alone: its lease could not be renewed in time, so its "
          "programs were ended before another process may take it",
      "nothing more is written here; look at it with 'agneto show " + run_id_ + "'",
      ExitStatus::failed);
}

}  // namespace agneto::run
