#include "run/engine/engine.h"

#include <set>

#include "base/log.h"
#include "base/text.h"
#include "chart/effect.h"
#include "record/cut_off.h"
#include "record/options.h"
#include "run/questions.h"

namespace agneto::run {
namespace {

// Machines that wait less than this between their own events keep themselves busy.
constexpr Millis longest_busy{1000};

// What took a question away: "its time is up: → SUSPENDED", "build.finished: → DONE"; empty where
// no transition did.
std::string what_happened(const chart::Effects& out, const model::System& system) {
  if (out.transitions.empty()) return "";
  const record::Transition taken = record::transition_of(out.transitions.front(), system);
  if (taken.event.empty()) return "";
  const std::string why = taken.event == "after" ? "its time is up" : taken.event;
  return why + (taken.to.empty() ? "" : ": → " + join(taken.to, ", "));
}

}  // namespace

Engine::Engine(Setup setup, journal::RunRecord run, chart::Instance instance, RunState state)
    : setup_(std::move(setup)),
      reporter_(run.id, setup_.journal, setup_.observer, setup_.clock, run.updated),
      progress_(setup_.system, setup_.journal, reporter_, std::move(run), std::move(instance),
                std::move(state)),
      meter_(setup_.system, setup_.config.limits, progress_.state().spent),
      trees_(setup_.system, setup_.workspace, progress_.state().trees),
      calls_(setup_.system, setup_.config, setup_.record, progress_.run().id, progress_.instance(),
             progress_.state()),
      desk_(
          setup_.human, reporter_,
          [this](const chart::AskHuman& ask) {
            return Question{ask, dispatcher_.diff_at(ask.path), around(ask), spent()};
          },
          [this](std::string path, Answer answer) {
            mailbox_.post([this, path = std::move(path), answer = std::move(answer)] {
              if (take_answer(path, answer, "person")) return;
              reporter_.note(path, "the answer came too late: " + why_not_open(path));
            });
          }),
      dispatcher_(setup_, progress_.run(), reporter_, mailbox_, trees_, calls_, *this) {
  meter_.follow(progress_.instance());
  for (const auto& [path, activity] : progress_.state().outstanding) order(activity);
}

Engine::~Engine() {
  stop_workers();
}

void Engine::begin(const Json& inputs, const std::map<std::string, std::string>& sources,
                   const std::vector<std::string>& notes) {
  const chart::Effects out = first_step(inputs);
  progress_.create(inputs, sources, out, notes);
  begun(out, notes);
}

void Engine::begin_queued(const Json& inputs) {
  const chart::Effects out = first_step(inputs);
  progress_.begin(inputs, out);
  begun(out, {});
}

chart::Effects Engine::first_step(const Json& inputs) {
  const chart::Effects out = progress_.start(inputs);
  meter_.follow(progress_.instance());
  progress_.note(out);
  return out;
}

void Engine::begun(const chart::Effects& out, const std::vector<std::string>& notes) {
  recount();
  const journal::RunRecord& run = progress_.run();
  reporter_.publish(
      "", record::RunStarted{run.workflow, run.task, run.base, run.branch,
                             setup_.workspace.path().string(), record::options_of(run).provider});
  for (const auto& note : notes) reporter_.note("", note);
  follow(out, {});
}

void Engine::resume(std::vector<std::string> notes, Time since) {
  const journal::RunRecord& run = progress_.run();
  if (progress_.instance().finished()) {
    throw Error("run " + run.id + " has ended: " + run.status, "start a new one with 'agneto run'");
  }
  record_cut_off();
  recount();
  for (std::string& note : restore_trees()) notes.push_back(std::move(note));
  for (auto& [id, timer] : progress_.state().timers) {
    const bool stood_still = run.status == "suspended" || run.status == "queued";
    if (stood_still && timer.pausable && timer.left > Millis(0)) {
      timer.due = reporter_.now() + timer.left;
    }
    timer.left = Millis(0);
  }
  if (!setup_.parks) progress_.state().absences.clear();  // a person wants the providers asked
  progress_.set_status("running", "");
  for (const auto& message : setup_.record.inbox(run.id)) {
    const bool is_stop =
        message.kind == record::PostedSuspend::kind || message.kind == record::PostedStop::kind;
    if (is_stop && message.time < since) progress_.handle(message.id);
  }
  record({reporter_.entry("", record::Resumed{notes})});
  reporter_.publish(
      "", record::RunResumed{run.workflow, run.task, run.branch, setup_.workspace.path().string()});
  for (const auto& note : notes) reporter_.note("", note);
  while (!over_) {
    const chart::Effect* join = dispatcher_.next_join();
    if (!join) break;
    dispatcher_.begin(chart::path_of(*join));
  }
}

// What an owner that was killed had sent counts, too.
void Engine::record_cut_off() {
  if (progress_.run().status != "running") return;
  const std::string& run = progress_.run().id;
  const auto is_free = [this](const std::string& provider, const std::string& model) {
    const auto price = setup_.config.price_of(provider, model);
    return price && price->is_nothing();
  };
  const auto replies = record::cut_off(record::decode(setup_.record.entries(run)), is_free);
  if (!replies.empty()) setup_.journal.append(run, record::encode(replies), Json());
}

// What was cut off is undone, since it is done again; of a read-only call also what is left where
// its reply came in, since its edits may not have been undone yet. Everything else stands, and is
// brought back where the folder was deleted. Returns notes for people.
std::vector<std::string> Engine::restore_trees() {
  std::vector<std::string> notes;
  const auto put_back = [&](const std::string& item, const std::string& checkpoint) {
    for (auto& note : trees_.put_back(item, checkpoint)) notes.push_back(std::move(note));
  };
  std::set<std::string> items = {""};
  for (const auto& [path, activity] : progress_.state().outstanding) {
    const std::string item = trees_.item_of(path);
    items.insert(item);
    std::optional<process::ProcessId> guard;
    std::string checkpoint, after;
    bool replied = true;
    for (const auto& entry : record::decode(setup_.record.entries_of(progress_.run().id, path))) {
      if (const auto* process = entry.get<record::Process>()) {
        guard = process->id;
      } else if (const auto* prompt = entry.get<record::Prompt>()) {
        checkpoint = prompt->checkpoint;
        replied = false;
      } else if (const auto* command = entry.get<record::ProgramCall>()) {
        checkpoint = command->checkpoint;
        replied = false;
      } else if (const auto* reply = entry.get<record::Reply>()) {
        replied = reply->error.empty();
        after = reply->tree;
      }
    }
    if (guard) process::end_tree(*guard);
    const auto* call = std::get_if<chart::CallAgent>(&activity);
    const bool undo = !replied || (call && chart::activity_of(*call, setup_.system).access ==
                                               model::Access::read_only);
    if (undo && !checkpoint.empty()) put_back(item, checkpoint);
    if (!undo && !after.empty() && !trees_.at(item).intact()) put_back(item, after);
  }
  for (const auto& item : items) {
    if (!trees_.at(item).intact()) put_back(item, trees_.left(item));
  }
  return notes;
}

const chart::AskHuman& Engine::open_question() const {
  return desk_.only_one(progress_.run().id);
}

void Engine::check(const Answer& answer) const {
  const std::string& run = progress_.run().id;
  require_answer(run, open_question(), answer, setup_.record.inbox(run));
}

void Engine::answer(const Answer& answer) {
  check(answer);
  const std::string path = open_question().path;
  try {
    take_answer(path, answer, "person");
  } catch (const DiskFull& error) {
    stop_at(error.what(), error.help());
  }
}

void Engine::deliver(const chart::Event& event, std::vector<record::Entry> with) {
  const chart::Effects out = progress_.step(event);
  commit(&event, out, std::move(with));
}

void Engine::commit(const chart::Event* event, const chart::Effects& out,
                    std::vector<record::Entry> entries) {
  meter_.follow(progress_.instance());
  const std::vector<chart::Effect> cancelled = progress_.note(out);
  entries.push_back(progress_.step_entry(event, out));
  record(std::move(entries));
  follow(out, cancelled);
}

// What is recorded is counted.
void Engine::record(std::vector<record::Entry> entries) {
  for (const auto& entry : entries) meter_.count(entry);
  progress_.record(std::move(entries));
}

// What follows from a step that is recorded: tell the observers, order and cancel work.
void Engine::follow(const chart::Effects& out, const std::vector<chart::Effect>& cancelled) {
  for (const auto& activity : cancelled) tell_cancelled(activity);
  for (const auto& caught : out.caught) {
    reporter_.publish(caught.path,
                      record::ProblemCaught{{caught.path, caught.event, caught.message}});
  }
  for (const auto& taken : out.transitions) {
    reporter_.publish(taken.instance,
                      record::TransitionTaken{record::transition_of(taken, setup_.system)});
  }
  for (const auto& move : out.moved) {
    reporter_.publish(chart::path_of(move, setup_.system), record::move_event(move, setup_.system));
  }
  for (const auto& problem : out.problems) {
    reporter_.publish(problem.path,
                      record::ProblemMet{{problem.path, problem.event, problem.message}});
  }
  for (const auto& refused : out.refused) {
    reporter_.publish(refused.path,
                      record::ActivityRefused{{refused.path, refused.event, refused.message}});
  }
  std::string suspend_reason;
  for (const auto& effect : out.effects) {
    if (const auto* cancel = std::get_if<chart::Cancel>(&effect)) {
      short_timers_.erase(cancel->path);
      dispatcher_.cancel(cancel->path);
      desk_.withdraw(cancel->path, what_happened(out, setup_.system));
    } else if (const auto* end = std::get_if<chart::Finish>(&effect)) {
      over_ = true;
      finish_ = *end;
    } else if (const auto* stop = std::get_if<chart::Suspend>(&effect)) {
      suspend_reason = stop->reason;
    } else if (const auto* timer = std::get_if<chart::StartTimer>(&effect)) {
      if (timer->delay < longest_busy) short_timers_.insert(timer->path);
    } else {
      order(effect);
    }
  }
  if (!suspend_reason.empty() && !over_) suspend_now(suspend_reason);
}

void Engine::tell_cancelled(const chart::Effect& activity) {
  const std::string& path = chart::path_of(activity);
  if (!dispatcher_.is_at_work(path)) return;
  if (const auto* call = std::get_if<chart::CallAgent>(&activity)) {
    const std::string& agent = chart::agent_of(*call, setup_.system).name;
    reporter_.publish(path, record::AgentFinished{agent, "cancelled", nullptr, spent()});
  } else if (std::holds_alternative<chart::RunCommand>(activity)) {
    reporter_.publish(path, record::CommandFinished{"cancelled", ""});
  }
}

// Once nobody is at work any more, so that all that the run has used is in the record.
void Engine::tell_finish() {
  const journal::RunRecord& run = progress_.run();
  const auto entries = record::decode(setup_.record.entries(run.id));
  const record::Totals totals = record::totals_of(entries, run, reporter_.now());
  reporter_.publish("", record::RunFinished{finish_->outcome,
                                            finish_->status,
                                            finish_->outputs,
                                            finish_->reason,
                                            run.branch,
                                            run.base,
                                            {totals.calls, totals.usage},
                                            totals.time.worked});
}

void Engine::order(const chart::Effect& activity) {
  if (const auto* question = std::get_if<chart::AskHuman>(&activity)) return desk_.open(*question);
  const auto& numbers = progress_.state().call_numbers;
  const auto number = numbers.find(chart::path_of(activity));
  dispatcher_.order(activity, number == numbers.end() ? 0 : number->second);
}

void Engine::recorded(const record::Entry& entry) {
  meter_.count(entry);
  const auto* reply = entry.get<record::Reply>();
  if (!reply) return;
  note_absence(entry.path, entry.time, *reply);
  if (!reply->error.empty()) return;
  if (reply->usage.unpriced > 0 || reply->usage.uncounted > 0) {
    tell_untold(entry.path, reply->usage);
  }
}

// Does the call wait for its provider from now on, and how long altogether?
void Engine::note_absence(const std::string& path, Time time, const record::Reply& reply) {
  if (!progress_.outstanding(path)) return;  // it was cancelled meanwhile
  auto& absences = progress_.state().absences;
  if (reply.wait == Millis(0)) {
    absences.erase(path);
    return;
  }
  agents::Absence& absence = absences[path];
  if (reply.usage.output_tokens > 0) absence = {};  // it has done some work in between
  absence.why = reply.error;
  absence.until = time + reply.wait;
  absence.waited += reply.wait;
  ++absence.times;
}

void Engine::call_stopped(const std::string& path, const record::Reply& reply) {
  if (over_) recount();  // nobody tells any more of what was recorded last
  record({reporter_.entry(path, reply)});
}

// By all that is in the record: also what came in while nobody could hear of it any more.
void Engine::recount() {
  meter_.count(record::decode(setup_.record.entries(progress_.run().id)));
}

record::Surroundings Engine::around(const chart::AskHuman& ask, bool suspended) {
  return record::surroundings_of(
      ask.path, {setup_.system, progress_.state().timers, reporter_.now(), suspended});
}

// By an owner of the run before this one, too.
bool Engine::is_noted(const std::string& text) {
  const auto entries = record::decode(setup_.record.entries(progress_.run().id));
  return std::ranges::any_of(entries, [&](const record::Entry& entry) {
    const auto* note = entry.get<record::Noted>();
    return note && note->text == text;
  });
}

// A driver that can say it, so that the run was begun, does not say it of every call.
void Engine::tell_untold(const std::string& path, const agents::Usage& usage) {
  const auto* call = std::get_if<chart::CallAgent>(progress_.outstanding(path));
  if (!call) return;
  const std::string provider =
      setup_.config.of(setup_.system.machine(call->machine), call->state).provider;
  const std::string why =
      usage.uncounted > 0
          ? "'" + provider + "' did not say what a call used; limit calls or time instead"
          : "'" + provider + "' did not say what a call cost; add 'prices' to .agneto/config.yaml";
  for (const std::string& limit : meter_.missed(path, usage)) {
    const std::string text = limit + " cannot be kept: " + why;
    if (!told_.insert(text).second || is_noted(text)) continue;
    log::warning("limit cannot be kept", {{"limit", limit}, {"provider", provider}});
    reporter_.record_note("", text);
  }
}

void Engine::call_over(const std::string& path) {
  vain_calls_ = meter_.call_over(path) ? 0 : vain_calls_ + 1;
}

void Engine::unavailable(const std::string& path, const Unavailable& unavailable) {
  log::warning("call cannot be made", {{"why", unavailable.why}});
  if (dispatcher_.is_at_work()) reporter_.note(path, unavailable.why);
  if (!causes_.insert(unavailable.cause).second) return;
  stopping_.insert(unavailable.refused ? stopping_.begin() + said_++ : stopping_.end(),
                   unavailable.why);
}

void Engine::ended(DispatchResult result) {
  if (const auto* call = std::get_if<chart::CallAgent>(progress_.outstanding(result.path))) {
    reporter_.publish(result.path, record::AgentFinished{chart::agent_of(*call, setup_.system).name,
                                                         result.event, result.data, spent()});
  }
  chart::Event event;
  event.kind = chart::Event::Kind::outcome;
  event.name = std::move(result.event);
  event.data = std::move(result.data);
  event.path = result.path;
  progress_.forget(result.path);
  deliver(event);
}

// `by`: "person" (at this terminal), "default", or "elsewhere"; `name` is the person's. False: the
// question is not open.
bool Engine::take_answer(const std::string& path, const Answer& answer, const std::string& by,
                         const std::string& name) {
  const chart::AskHuman* open = desk_.find(path);
  if (!open) return false;
  const bool elsewhere = by == "elsewhere";
  chart::Event event;
  event.kind = chart::Event::Kind::outcome;
  event.name = chart::outcome_of(*open, answer);
  // To the workflow a person is a person, wherever.
  event.data = chart::data_of(*open, answer, elsewhere ? "person" : by);
  event.path = path;
  if (elsewhere) {
    desk_.withdraw(path, "answered elsewhere: " + describe(answer));
  } else {
    desk_.close(path);
  }
  const record::GivenAnswer given{answer, by, name};
  reporter_.publish(path, record::QuestionAnswered{given});
  progress_.forget(path);
  deliver(event, {reporter_.entry(path, record::Answered{given})});
  return true;
}

std::string Engine::why_not_open(const std::string& path) const {
  for (const auto& entry : record::decode(setup_.record.entries_of(progress_.run().id, path))) {
    if (const auto* given = entry.get<record::Answered>()) {
      return path + " was answered at " + format_time(entry.time) + ": " + describe(*given);
    }
  }
  return path + " is not asked any more";
}

}  // namespace agneto::run
