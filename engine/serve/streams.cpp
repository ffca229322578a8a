#include "serve/streams.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "base/text.h"
#include "journal/lock.h"
#include "record/event_replay.h"
#include "run/assembly.h"
#include "run/reader.h"

namespace agneto::serve {

namespace {

// So that nobody between takes a silent stream for a dead one.
constexpr Millis longest_silence{15'000};
constexpr journal::Seq at_a_time = 200;  // entries, or changes
// Of the event that tells that the run has ended: it is told when nobody works on it any more.
constexpr std::int64_t last_index = std::numeric_limits<std::int32_t>::max();

std::string message(const std::string& event, const Json& data, const std::string& id) {
  return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", id, event, to_text(data));
}

// Says something now and then, also where nothing happens.
class Lively : public Stream {
 public:
  std::optional<std::string> next() final {
    std::string text = begun_ ? news() : ": welcome\n\n" + news();
    begun_ = true;
    const Millis now = clock_.elapsed();
    if (text.empty() && now - spoken_ >= longest_silence) text = ": still here\n\n";
    if (!text.empty()) spoken_ = now;
    return text;
  }

 protected:
  virtual std::string news() = 0;

 private:
  SystemClock clock_;
  Millis spoken_{0};
  bool begun_ = false;
};

class RunEvents : public Lively {
 public:
  RunEvents(journal::Journal& journal, const fs::path& folder, Redactor redactor,
            const std::string& run, EventId after)
      : folder_(folder),
        reader_(journal, std::move(redactor), run, folder),
        run_(reader_.run()),
        workflow_(reader_.workflow()),
        replay_(run_, workflow_ ? workflow_->system.get() : nullptr),
        told_(after) {}

 private:
  std::string news() override {
    std::string text;
    // What the client knows is told again, to nobody: what follows depends on it.
    while (text.empty()) {
      // Asked before the entries: all that its owner wrote is there then.
      run_ = reader_.run();
      const bool is_over = run::has_ended(run_) && !journal::is_locked(run::lock_of(
                                                       run::home_of(folder_) / ".agneto", run_.id));
      const auto entries = reader_.entries(seen_, seen_ + at_a_time);
      for (const auto& entry : entries) {
        seen_ = entry.seq;
        std::int64_t index = 0;
        for (const auto& event : replay_.next(entry)) {
          // That it had ended is told by the rewind where nobody has looked before: it has one id.
          const bool is_end = event.get<record::RunFinished>() != nullptr;
          tell(event, is_end ? EventId{seen_ - 1, last_index} : EventId{seen_, index++}, text);
        }
      }
      if (!entries.empty()) continue;
      if (is_over) {
        for (const auto& event : replay_.rest()) tell(event, {seen_, last_index}, text);
      }
      return text;
    }
    return text;
  }

  void tell(const record::RunEvent& event, EventId id, std::string& text) {
    if (id <= told_) return;
    told_ = id;
    text += message(std::string(event.kind()), record::to_json(event),
                    fmt::format("{}.{}", id.seq, id.index));
  }

  const fs::path folder_;
  const run::Reader reader_;
  journal::RunRecord run_;  // as it is told, which the replay looks into
  const std::shared_ptr<const model::Loaded> workflow_;
  record::EventReplay replay_;
  EventId told_;
  journal::Seq seen_ = 0;
};

class RunChanges : public Lively {
 public:
  RunChanges(journal::Journal& journal, Describe describe, std::int64_t after)
      : journal_(journal), describe_(std::move(describe)), seen_(after) {}

 private:
  std::string news() override {
    std::string text;
    for (const auto& [number, run] : journal_.changes(seen_, at_a_time)) {
      seen_ = number;
      text += message("run", describe_(run), std::to_string(number));
    }
    return text;
  }

  journal::Journal& journal_;
  const Describe describe_;
  std::int64_t seen_;
};

}  // namespace

std::optional<EventId> event_id_of(const std::string& text) {
  const auto dot = text.find('.');
  const auto seq = parse_number<journal::Seq>(text.substr(0, dot));
  if (!seq || *seq < 0) return std::nullopt;
  if (dot == std::string::npos) return EventId{*seq, last_index};
  const auto index = parse_number<std::int64_t>(text.substr(dot + 1));
  return index && *index >= 0 ? std::optional<EventId>({*seq, *index}) : std::nullopt;
}

std::unique_ptr<Stream> events_of_run(journal::Journal& journal, const fs::path& folder,
                                      Redactor redactor, const std::string& run, EventId after) {
  return std::make_unique<RunEvents>(journal, folder, std::move(redactor), run, after);
}

std::unique_ptr<Stream> changes_of_runs(journal::Journal& journal, Describe describe,
                                        std::int64_t after) {
  return std::make_unique<RunChanges>(journal, std::move(describe), after);
}

}  // namespace agneto::serve
