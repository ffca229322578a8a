#include "run/live.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <set>

#include "base/error.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "model/outcomes.h"
#include "run/assembly.h"
#include "run/wakeup.h"

namespace agneto::run {
namespace {

constexpr Millis pause{20};
// A server that has room for a run has taken it up by then.
constexpr Millis until_taken_up{2000};
// So many events may wait: more than people send, and soon read.
constexpr std::size_t most_waiting = 1000;

void require_room(journal::Reader& journal, const std::string& run_id) {
  const std::size_t waiting = journal.inbox(run_id).size();
  if (waiting < most_waiting) return;
  throw Error(
      fmt::format("{} words to run {} wait already, and nobody takes them", waiting, run_id),
      fmt::format("'agneto resume {}' takes them", run_id));
}

}  // namespace

void check_event(const std::string& name, const model::System& system) {
  if (name == "abort") {
    throw Error("'abort' is not sent: it ends the run", "use 'agneto abort RUN'");
  }
  if (model::is_engines(name)) {
    throw Error(fmt::format("'{}' is an event of the engine, which nobody else sends", name));
  }
  if (model::is_outcome(name, system)) {
    throw Error(
        fmt::format("'{}' is what an activity of this workflow ends in, and is not sent", name),
        "a question is answered: 'agneto answer RUN OPTION'; an event from outside needs a name of "
        "its own");
  }
  std::set<std::string> taken;
  for (const auto& machine : system.machines) {
    for (const auto& transition : machine.transitions) {
      for (const auto& descriptor : transition.events) {
        if (model::matches(descriptor, name)) return;
        if (model::is_engines(descriptor) || model::is_outcome(descriptor, system)) continue;
        taken.insert(descriptor);
      }
    }
  }
  throw Error(fmt::format("nothing in this workflow takes an event '{}'", name),
              suggestion(name, {taken.begin(), taken.end()}, "events"));
}

std::string Delivery::reason() const {
  const auto* refused = entry.get<record::Refused>();
  return refused ? refused->reason : "";
}

Delivery deliver(journal::Journal& journal, const std::filesystem::path& home,
                 const std::string& run_id, const record::Message& message, Clock& clock,
                 Millis patience) {
  if (std::holds_alternative<record::PostedEvent>(message)) require_room(journal, run_id);
  journal::Seq seen = journal.newest(run_id);
  journal::Message posted = record::encode(message);
  posted.time = clock.now();
  const Millis began = clock.elapsed();
  const journal::MessageId id = journal.post(run_id, posted);
  const log::Scope scope(run_id);
  log::info("message sent", {{"kind", posted.kind}, {"message", id}});
  wake_up(wakeup_of(home, run_id));
  // Who serves runs takes it up.
  const auto run = journal.find(run_id);
  const bool served = run && run->status == "parked" && wake_up(server_wakeup_of(home));
  while (true) {
    // This is asked first: an owner that lets go of the run has written before.
    const bool owned = journal.is_held(run_id);
    for (const auto& recorded : journal.entries(run_id, seen)) {
      seen = recorded.seq;
      record::Entry entry = record::decode(recorded);
      if (entry.message != id) continue;
      const bool refused = entry.get<record::Refused>() != nullptr;
      return {refused ? Delivery::Fate::refused : Delivery::Fate::taken, std::move(entry)};
    }
    if (!owned && !served) return {Delivery::Fate::stored, {}};
    // A server that does not come to it soon has no room for it now.
    const Millis waited = clock.elapsed() - began;
    if (served && !owned && waited >= until_taken_up) return {Delivery::Fate::stored, {}};
    if (waited >= patience) return {Delivery::Fate::waiting, {}};
    clock.sleep(pause, {});
  }
}

std::string user_name() {
  const passwd* user = ::getpwuid(::getuid());
  return user && user->pw_name ? user->pw_name : std::to_string(::getuid());
}

}  // namespace agneto::run
