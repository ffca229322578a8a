#include "serve/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "journal/holds.h"
#include "run/assembly.h"
#include "run/reader.h"

namespace agneto::serve {

namespace {

// So that nobody between takes a silent stream for a dead one.
constexpr Millis longest_silence{15'000};
constexpr journal::Seq at_a_time = 200;         // entries, or changes
constexpr journal::Seq known_at_a_time = 1000;  // entries that a client knows
// Of the event that tells that the run has ended: it is told when nobody works on it any more.
constexpr std::int64_t last_index = std::numeric_limits<std::int32_t>::max();

std::string message(const std::string& event, const Json& data, const std::string& id) {
  return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", id, event, to_text(data));
}

// Says something now and then, also where nothing happens.
class Lively : public Stream {
 public:
  std::optional<std::string> next() final {
    // At once: what the client knows already may take long to pass over.
    std::string text = std::exchange(begun_, true) ? news() : ": welcome\n\n";
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
            const std::string& run, EventId after, Replays& replays)
      : journal_(journal),
        folder_(folder),
        reader_(journal, std::move(redactor), run, folder),
        run_(reader_.run()),
        workflow_(reader_.workflow()),
        replay_(std::in_place, run_, system_of(workflow_)),
        told_(after),
        replays_(replays),
        passed_over_(after.seq <= known_at_a_time) {}

 private:
  static const model::System* system_of(const std::shared_ptr<const model::Loaded>& workflow) {
    return workflow ? workflow->system.get() : nullptr;
  }

  std::string news() override {
    constexpr const char* still_reading = ": reading\n\n";
    if (!passed_over_ && !pass_over()) return still_reading;
    std::string text;
    for (int looks = 0; text.empty(); ++looks) {
      if (looks == 5) return still_reading;  // others have their turn
      // Asked before the entries: all that its owner wrote is there then.
      run_ = reader_.run();
      const bool is_over = journal::has_ended(run_) && !journal_.is_held(run_.id);
      const auto entries = reader_.entries(seen_, seen_ + at_a_time);
      for (const auto& entry : entries) {
        seen_ = entry.seq;
        std::int64_t index = 0;
        for (const auto& event : replay_->next(entry)) {
          // That it had ended is told by the rewind where nobody has looked before: it has one id.
          const bool is_end = event.get<record::RunFinished>() != nullptr;
          tell(event, is_end ? EventId{seen_ - 1, last_index} : EventId{seen_, index++}, text);
        }
      }
      if (!entries.empty()) continue;
      if (is_over) {
        for (const auto& event : replay_->rest()) tell(event, {seen_, last_index}, text);
      }
      return text;
    }
    return text;
  }

  // What the client knows is told again, to nobody: what follows depends on it. For all who know
  // that much it is done once, some entries at a time, so that other streams have their turns. Is
  // it done?
  bool pass_over() {
    const journal::Seq known = told_.seq - 1;  // of the last one it may know a part
    // What is redacted, the configuration says.
    std::error_code none;
    const fs::path configuration = run::config_file(run::checkout_of(folder_));
    const auto configured = fs::last_write_time(configuration, none).time_since_epoch().count();
    return replays_.look(fmt::format("{} {}", run_.id, configured), [&](Replayed& kept) {
      if (kept.seen > known) return passed_over_ = true;  // others are ahead of it
      if (!kept.replay) {
        kept = {workflow_, std::make_shared<journal::RunRecord>(), nullptr, 0};
        kept.replay = std::make_shared<record::EventReplay>(*kept.run, system_of(workflow_));
      }
      *kept.run = run_ = reader_.run();
      const auto entries = reader_.entries(kept.seen, std::min(known, kept.seen + known_at_a_time));
      for (const auto& entry : entries) {
        kept.replay->next(entry);
        kept.seen = entry.seq;
      }
      passed_over_ = entries.empty() || kept.seen >= known;
      if (!passed_over_) return false;
      workflow_ = kept.workflow;
      replay_.emplace(*kept.replay, run_);
      seen_ = kept.seen;
      return true;
    });
  }

  void tell(const record::RunEvent& event, EventId id, std::string& text) {
    if (id <= told_) return;
    told_ = id;
    text += message(std::string(event.kind()), record::to_json(event),
                    fmt::format("{}.{}", id.seq, id.index));
  }

  journal::Journal& journal_;
  const fs::path folder_;
  const run::Reader reader_;
  journal::RunRecord run_;  // as it is told, which the replay looks into
  std::shared_ptr<const model::Loaded> workflow_;
  std::optional<record::EventReplay> replay_;
  EventId told_;
  journal::Seq seen_ = 0;
  Replays& replays_;
  bool passed_over_;  // what the client knows
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
                                      Redactor redactor, const std::string& run, EventId after,
                                      Replays& replays) {
  return std::make_unique<RunEvents>(journal, folder, std::move(redactor), run, after, replays);
}

std::unique_ptr<Stream> changes_of_runs(journal::Journal& journal, Describe describe,
                                        std::int64_t after) {
  return std::make_unique<RunChanges>(journal, std::move(describe), after);
}

}  // namespace agneto::serve
