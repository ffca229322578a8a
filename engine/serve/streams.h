// What clients are told as it happens: server-sent events, made of the journal, so that none is
// missed and none comes twice however often a client connects again.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "base/redact.h"
#include "journal/journal.h"
#include "model/load.h"
#include "record/event_replay.h"
#include "serve/carried.h"
#include "serve/http.h"

namespace agneto::serve {

namespace fs = std::filesystem;

// An event of a run, as its client knows it: the entry that tells of it, and which of that entry's
// it is.
struct EventId {
  journal::Seq seq = 0;
  std::int64_t index = 0;

  auto operator<=>(const EventId&) const = default;
};
// "12.1"; "12" is the entry's last. Nothing where it is none.
std::optional<EventId> event_id_of(const std::string& text);

// What is told of a run's entries depends on those before them: what that comes to, for all who
// listen.
struct Replayed {
  std::shared_ptr<const model::Loaded> workflow;
  std::shared_ptr<journal::RunRecord> run;
  std::shared_ptr<record::EventReplay> replay;
  journal::Seq seen = 0;
};
using Replays = Carried<Replayed>;

// The events of a run (record/event.h), those behind `after`. The journal and what was replayed
// outlive it.
std::unique_ptr<Stream> events_of_run(journal::Journal& journal, const fs::path& folder,
                                      Redactor redactor, const std::string& run, EventId after,
                                      Replays& replays);

// Each run whose record changes, as `describe` tells it, from the change behind `after` on; of
// several changes of a run, the last. Both outlive it.
using Describe = std::function<Json(const journal::RunRecord&)>;
std::unique_ptr<Stream> changes_of_runs(journal::Journal& journal, Describe describe,
                                        std::int64_t after);

}  // namespace agneto::serve
