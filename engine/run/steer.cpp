#include "run/steer.h"

#include <fmt/format.h>

#include "base/text.h"
#include "record/options.h"
#include "run/human.h"
#include "run/questions.h"
#include "run/queue.h"

namespace agneto::run {
namespace {

fs::path home_of(const Helm& helm) {
  return run::home_of(helm.folder) / ".agneto";
}

// Does a process work on it?
bool is_alive(const Helm& helm, const journal::RunRecord& run) {
  return helm.journal->is_held(run.id);
}

Delivery tell(const Helm& helm, const journal::RunRecord& run, const record::Message& message) {
  return run::tell(*helm.journal, home_of(helm), run.id, message, helm.patience);
}

// Nobody works on the run, so this process does what is to be done.
void end_here(const Helm& helm, Reopen request) {
  Nobody nobody;
  request.journal = helm.journal;
  Assembly::reopen(request, helm.resources, nobody, helm.observer)->engine().work();
}

chart::AskHuman find_question(const journal::RunRecord& run, const std::string& wanted,
                              const std::vector<chart::AskHuman>& open) {
  std::vector<std::string> paths;
  for (const auto& question : open) {
    if (question.path == wanted || (wanted.empty() && open.size() == 1)) return question;
    paths.push_back(question.path);
  }
  if (open.empty()) throw Error("run " + run.id + " has no open question");
  throw Error(wanted.empty() ? fmt::format("run {} has {} open questions", run.id, open.size())
                             : fmt::format("run {} does not ask {}", run.id, wanted),
              "open are " + join(paths, ", "));
}

}  // namespace

Delivery tell(journal::Journal& journal, const fs::path& home, const std::string& run_id,
              const record::Message& message, Millis patience) {
  SystemClock clock;
  auto delivery = deliver(journal, home, run_id, message, clock, patience);
  // Its owner may have ended it before it has read the message.
  if (delivery.fate == Delivery::Fate::stored) require_unended(*journal.find(run_id));
  if (delivery.fate == Delivery::Fate::waiting) {
    throw NotYet("the process that works on run " + run_id +
                     " has not come to it yet; it is noted, and will be taken",
                 "see 'agneto show " + run_id + "'", ExitStatus::failed);
  }
  return delivery;
}

Delivery answer(const Helm& helm, const journal::RunRecord& run, const std::string& question,
                const Answer& answer) {
  require_unended(run);
  const auto open = record::open_questions(helm.journal->state(run.id));
  const chart::AskHuman asked = find_question(run, question, open);
  if (const auto waiting = answer_waiting(helm.journal->inbox(run.id), asked.path)) {
    throw Error(fmt::format("{} is answered already: {} by {}", asked.path,
                            describe(waiting->answer), waiting->answer.by));
  }
  if (const std::string why = refusal(asked, answer); !why.empty()) {
    throw Error("that does not answer " + asked.path + ": " + why);
  }
  auto delivery = tell(helm, run, record::PostedAnswer{answer, asked.path, helm.by});
  if (delivery.fate == Delivery::Fate::refused) {
    throw Error("the answer was refused: " + delivery.reason(),
                "'agneto show " + run.id + "' shows how the run stands", ExitStatus::failed);
  }
  return delivery;
}

Delivery send(const Helm& helm, const journal::RunRecord& run, const std::string& event,
              const Json& data) {
  require_unended(run);
  check_event(event, *recorded_workflow(*helm.journal, run).system);
  auto delivery = tell(helm, run, record::PostedEvent{event, data, helm.by});
  if (delivery.fate == Delivery::Fate::refused) {
    throw Error("the event was refused: " + delivery.reason(), "", ExitStatus::failed);
  }
  return delivery;
}

bool suspend(const Helm& helm, const journal::RunRecord& run, bool after_call) {
  require_unended(run);
  const std::string reason = "suspended by " + helm.by;
  if (is_alive(helm, run)) {
    const auto fate = tell(helm, run,
                           after_call ? record::Message(record::PostedStop{reason})
                                      : record::Message(record::PostedSuspend{reason}))
                          .fate;
    if (fate == Delivery::Fate::taken) return true;
  }
  const journal::RunRecord now = *helm.journal->find(run.id);
  const std::string& status = now.status;
  const bool is_cut_off = status == "running" && record::options_of(now).served;
  if (status == "queued" || is_cut_off) {
    set_aside(*helm.journal, run.id, "suspended", reason);
  } else if (status == "parked") {
    end_here(helm, {.folder = helm.folder, .run = run.id, .suspend = reason});
  } else {
    return false;
  }
  return true;
}

journal::RunRecord abort(const Helm& helm, const journal::RunRecord& run) {
  require_unended(run);
  const std::string reason = "aborted by " + helm.by;
  auto fate = Delivery::Fate::stored;
  if (is_alive(helm, run)) fate = tell(helm, run, record::PostedAbort{reason}).fate;
  if (fate == Delivery::Fate::stored) {
    if (has_begun(*helm.journal, run.id)) {
      end_here(helm, {.folder = helm.folder, .run = run.id, .abort = reason});
    } else {
      set_aside(*helm.journal, run.id, "aborted", reason);
    }
  }
  return *helm.journal->find(run.id);
}

}  // namespace agneto::run
