// The engine's loop: wait for news, act on it, until the run ends or cannot go on by itself.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/log.h"
#include "base/text.h"
#include "process/git.h"
#include "record/surroundings.h"
#include "run/engine/engine.h"
#include "run/questions.h"

namespace agneto::run {
namespace {

// While nothing happens, screens are refreshed this often.
constexpr Millis tick{200};
// An abort that the workflow takes must have ended the run by then.
constexpr Millis abort_patience{10'000};

// A run that goes on by itself sooner than this is not worth parking.
constexpr Millis worth_parking{5'000};

constexpr const char* waits_for_answer = "a question waits for an answer";
constexpr const char* waits_for_event = "it waits for an event from outside";
constexpr const char* server_stopped = "the server was stopped";
constexpr const char* aborted_by_a_person = "aborted by a person";
constexpr const char* suspended_by_a_person = "suspended by a person";

ExitStatus exit_status_of(const std::string& status) {
  if (status == "complete") return ExitStatus::complete;
  if (status == "aborted") return ExitStatus::aborted;
  for (const char* unended : {"suspended", "parked", "queued"}) {
    if (status == unended) return ExitStatus::suspended;
  }
  return ExitStatus::failed;
}

// Is there an event that one of the states takes, and that somebody outside may send?
bool takes_events(const std::vector<std::string>& states, const record::Moment& moment) {
  return std::ranges::any_of(states, [&](const std::string& state) {
    return !record::surroundings_of(state, moment).events.empty();
  });
}

}  // namespace

ExitStatus Engine::work() {
  const process::GitHeeds heeds(code_.get_token());
  progress_.heed(code_.get_token());
  dispatcher_.heed(code_.get_token());
  try {
    while (!over_) {
      try {
        turn();
      } catch (const chart::Stopped&) {
        take_back_step();
      }
    }
  } catch (const journal::OwnerLost&) {
    dispatcher_.disown();
    stop_workers();
    throw;
  } catch (const Error& error) {
    stop_at(error.what(), error.help());
  } catch (const fs::filesystem_error& error) {
    stop_at(error.what(), "");
  }
  stop_workers();
  if (progress_.instance().finished()) dispatcher_.remove_workspaces();
  if (finish_) tell_finish();
  return exit_status_of(progress_.run().status);
}

// One thing that can be done now, or a wait for news.
void Engine::turn() {
  if (reporter_.now() >= look_again_) take_inbox();
  if (!over_ && aborting_ && reporter_.now() >= abort_deadline_) abort(aborted_by_a_person);
  if (over_) return;
  if (progress_.instance().pending()) return take_own();
  if (fire_due_timer()) return;
  if (const auto limit = meter_.reached(reporter_.now())) return offer(*limit);
  put_questions();
  dispatch();
  if (over_ || progress_.instance().pending()) return;
  check_idle();
  if (over_) return;
  if (const auto task = mailbox_.wait(setup_.clock, patience())) {
    own_events_ = 0;
    task();
  } else {
    setup_.observer.tick(reporter_.now());
  }
}

// The next event that the machines have for themselves. A workflow that talks to itself without end
// can be stopped meanwhile, and is suspended before it fills the journal.
void Engine::take_own() {
  if (!count_own()) return;
  chart::Event next;
  next.kind = chart::Event::Kind::queued;
  deliver(next);
  if (over_) return;
  if (const auto task = mailbox_.wait(setup_.clock, Millis(0))) task();
}

// False: there were too many, and the run goes no further.
bool Engine::count_own() {
  if (own_events_ < chart::max_own_events) {
    ++own_events_;
    return true;
  }
  own_events_ = 0;
  if (aborting_) {
    abort(aborted_by_a_person);
  } else {
    suspend_now(fmt::format(
        "the machines do not come to rest: {} events of their own in a row, with nothing from "
        "outside between them, the last in {}; correct the workflow and resume with --update, or "
        "abort the run",
        chart::max_own_events, join(progress_.instance().active(), ", ")));
  }
  return false;
}

// The run cannot go on here, but can be resumed.
void Engine::stop_at(const std::string& message, const std::string& help) {
  stop_workers();
  const std::string resume = "continue with 'agneto resume " + progress_.run().id + "'";
  throw Error(message, help.empty() ? resume : help + "; then " + resume, ExitStatus::suspended);
}

bool Engine::fire_due_timer() {
  auto& timers = progress_.state().timers;
  const auto first =
      std::min_element(timers.begin(), timers.end(),
                       [](const auto& a, const auto& b) { return a.second.due < b.second.due; });
  if (first == timers.end() || first->second.due > reporter_.now()) return false;
  // Where somebody works or is asked, what the machines do meanwhile is a wait.
  const bool alone = !dispatcher_.is_at_work() && !desk_.is_asking();
  if (short_timers_.erase(first->first) == 0 || !alone) {
    own_events_ = 0;
  } else if (!count_own()) {
    return true;
  }
  chart::Event event;
  event.kind = chart::Event::Kind::timer;
  event.path = first->first;
  timers.erase(first);
  deliver(event);
  return true;
}

Millis Engine::patience() {
  Millis wait = tick;
  const Time now = reporter_.now();
  for (const auto& [id, timer] : progress_.state().timers) {
    wait = std::min(wait, std::max(Millis(1), timer.due - now));
  }
  return wait;
}

// Offers limit.NAME to the machine, once; untaken, it suspends the run.
void Engine::offer(const Meter::Reached& limit) {
  log::warning("limit reached", {{"limit", limit.name}, {"instance", limit.instance}});
  chart::Event event;
  event.name = "limit." + limit.name;
  event.data = {{"message", limit.why}};
  event.path = limit.instance.empty() ? "." : limit.instance;
  const chart::Effects out = progress_.step(event);
  const std::string advice = meter_.advice(limit);
  if (out.handled) {
    meter_.taken(limit);
    reporter_.note("", limit.why);
  }
  commit(&event, out, {});
  if (!out.handled) suspend_now(advice);
}

void Engine::put_questions() {
  while (!over_ && !progress_.instance().pending() && desk_.has_new()) {
    const chart::AskHuman* question = desk_.put_next();
    if (!question) continue;
    own_events_ = 0;
    const std::string path = question->path;
    take_answer(path, {question->default_option, "", std::nullopt}, "default");
  }
}

void Engine::dispatch() {
  const auto may_begin = [this] {
    return !over_ && !paused_ && !aborting_ && !handed_over_ && stopping_.empty();
  };
  while (may_begin() && !progress_.instance().pending()) {
    const chart::Effect* next = dispatcher_.next();
    if (!next) return;
    own_events_ = 0;
    const std::string path = chart::path_of(*next);
    if (std::holds_alternative<chart::CallAgent>(*next)) {
      if (vain_calls_ >= chart::max_own_events) return suspend_vain(path);
      if (const auto limit = meter_.reached_by(path)) {
        offer(*limit);
        continue;
      }
      if (meter_.must_wait(path)) return;  // there is news once it is known
      meter_.call_began(path);
    }
    dispatcher_.begin(path);
  }
}

// No limit counts calls that nobody hears of.
void Engine::suspend_vain(const std::string& path) {
  vain_calls_ = 0;
  suspend_now(
      fmt::format("{} calls in a row ended before anybody was asked, and {} would be the next; "
                  "'agneto log' tells why; correct the hook, and resume with --update",
                  chart::max_own_events, path));
}

// A run that has to stop, or can only wait for a person who is not there, or for nothing at all, is
// suspended.
void Engine::check_idle() {
  if (!stopping_.empty() && !aborting_ && !paused_ && !dispatcher_.is_at_work()) {
    return suspend_now(join(stopping_, "; besides, "));
  }
  if (paused_) return;
  if (!dispatcher_.is_idle()) {
    return setup_.parks && stopping_.empty() ? park_for_providers() : void();
  }
  if (desk_.is_asking()) return setup_.parks ? park(waits_for_answer) : void();
  if (!desk_.unanswerable().empty()) return suspend_now(waits_for_answer);
  const auto& timers = progress_.state().timers;
  const bool clock_runs = std::any_of(timers.begin(), timers.end(),
                                      [](const auto& timer) { return !timer.second.pausable; });
  if (clock_runs) return setup_.parks ? park("a timer runs") : void();
  const auto active = progress_.instance().active();
  if (setup_.parks && takes_events(active, {setup_.system, timers, reporter_.now()})) {
    return park(waits_for_event);
  }
  suspend_now("nothing is left to happen in " +
              join(std::vector<std::string>(active.begin(), active.end()), ", ") +
              ": no activity, timer or question is outstanding");
}

// Where all that is at work are calls that wait for their providers. What else is ordered waits for
// these.
void Engine::park_for_providers() {
  std::size_t waiting = 0;
  std::set<std::string> reasons;  // those of several are often the same
  for (const auto& [path, absence] : progress_.state().absences) {
    if (!dispatcher_.is_at_work(path) || !is_worth_parking(absence.until)) continue;
    ++waiting;
    const auto& call = std::get<chart::CallAgent>(*progress_.outstanding(path));
    reasons.insert(chart::agent_of(call, setup_.system).name + ": " + absence.why);
  }
  if (waiting > 0 && waiting == dispatcher_.at_work()) {
    park(fmt::format("a provider is away: {}", fmt::join(reasons, "; ")));
  }
}

bool Engine::is_worth_parking(Time until) {
  return until - reporter_.now() >= worth_parking;
}

// Nobody needs to work on a run that only waits: what it waits for is in its record.
void Engine::park(const std::string& reason) {
  std::optional<Time> wake;
  for (const auto& [id, timer] : progress_.state().timers) {
    wake = std::min(wake.value_or(timer.due), timer.due);
  }
  for (const auto& [path, absence] : progress_.state().absences) {
    wake = std::min(wake.value_or(absence.until), absence.until);
  }
  if (aborting_ || (wake && !is_worth_parking(*wake))) return;
  over_ = true;
  stop_workers();
  progress_.set_status("parked", reason, wake);
  record({reporter_.entry("", record::Parked{reason})});
  reporter_.publish("", record::RunParked{reason});
}

void Engine::interrupt() {
  if (!aborting_ && !setup_.human.present()) return suspend("interrupted");
  if (!aborting_ && (paused_ || unheard_ > 0)) return suspend(suspended_by_a_person);
  ++unheard_;
  mailbox_.post([this] {
    pressed();
    --unheard_;
  });
}

void Engine::suspend(std::string reason) {
  stop_code(reason);
  mailbox_.post([this, reason = std::move(reason)] { suspend_now(reason); });
}

void Engine::hand_over(bool at_once) {
  handed_over_ = true;
  if (at_once) return suspend(server_stopped);
  mailbox_.post([this] { stop_after(server_stopped); });
}

void Engine::wake_up() {
  try {
    for (const auto& message : setup_.record.inbox(progress_.run().id)) {
      if (message.kind != record::PostedSuspend::kind) continue;
      stop_code(std::get<record::PostedSuspend>(record::decode(message)).reason, message.id);
    }
  } catch (const Error&) {
    // Who takes the inbox meets it, too, and says so.
  }
  mailbox_.post([this] { take_inbox(); });
}

void Engine::pressed() {
  if (aborting_) return abort(aborted_by_a_person);
  paused_ = true;
  reporter_.publish("", record::RunPaused{});
  setup_.human.interrupted([this](Interrupt chosen) {
    if (chosen.kind == Interrupt::Kind::suspend) stop_code(suspended_by_a_person);
    mailbox_.post([this, chosen = std::move(chosen)] { obey(chosen); });
  });
}

void Engine::obey(const Interrupt& interrupt) {
  paused_ = false;
  switch (interrupt.kind) {
    case Interrupt::Kind::resume:
      return reporter_.note("", "going on");
    case Interrupt::Kind::instruct:
      return instruct(interrupt.instruction);
    case Interrupt::Kind::finish:
      return stop_after(suspended_by_a_person);
    case Interrupt::Kind::suspend:
      return suspend_now(suspended_by_a_person);
    case Interrupt::Kind::abort:
      return abort(aborted_by_a_person);
  }
}

void Engine::instruct(const std::string& text) {
  progress_.state().instructions.push_back({text, ""});
  record({reporter_.entry("", record::Instructed{text})});
  reporter_.note("", "the next agent will be told: " + text);
}

void Engine::abort_now(const std::string& reason) {
  abort(reason);
  if (!over_) abort(reason);
}

void Engine::abort(const std::string& reason) {
  paused_ = false;
  if (!aborting_) {
    aborting_ = true;
    abort_deadline_ = reporter_.now() + abort_patience;
    chart::Event event;
    event.name = "abort";
    const chart::Effects out = progress_.step(event);
    commit(&event, out, {reporter_.entry("", record::AbortAsked{reason})});
    if (out.handled || over_) return;
  }
  commit(nullptr, progress_.force_abort(reason), {});
}

// What is under way may end; then the run is suspended.
void Engine::stop_after(const std::string& reason) {
  if (causes_.insert(reason).second) stopping_.insert(stopping_.begin() + said_++, reason);
  const record::StopAsked stop{reason};
  record({reporter_.entry("", stop)});
  reporter_.note("", describe(stop));
}

void Engine::come_to_rest() {
  over_ = true;
  stop_workers();
  recount();
  for (auto& [id, timer] : progress_.state().timers) {
    timer.left = std::max(Millis(0), timer.due - reporter_.now());
  }
}

// The next server goes on with the run.
void Engine::queue_again() {
  come_to_rest();
  progress_.set_status("queued", server_stopped);
  record({reporter_.entry("", record::Queued{"", server_stopped})});
  reporter_.publish("", record::RunQueued{progress_.run().task, "", server_stopped});
}

void Engine::suspend_now(const std::string& reason) {
  if (over_) return;
  if (reason == server_stopped) return queue_again();
  come_to_rest();
  progress_.state().absences.clear();  // who resumes it wants them asked now
  record::RunSuspended suspended{reason, std::nullopt, {}, spent()};
  for (const chart::AskHuman* question : desk_.unanswerable()) {
    if (suspended.question) {
      suspended.others.push_back(question->path);
    } else {
      suspended.question = record::question_of(*question, around(*question, true));
    }
  }
  progress_.set_status("suspended", reason);
  record({reporter_.entry("", record::Suspended{reason})});
  reporter_.publish("", std::move(suspended));
}

// The run will be suspended, of which the engine's thread cannot hear while it is in the machines'
// code. An abort's own step is made, though.
void Engine::stop_code(const std::string& reason, std::optional<journal::MessageId> asked) {
  if (aborting_) return;
  const std::lock_guard lock(stop_mutex_);
  if (!stop_) stop_ = Stop{reason, asked};
  code_.request_stop();
}

// Nothing of the step was recorded, and nothing has followed from it. What has led to its event is
// in the record, and comes again when the run is resumed.
void Engine::take_back_step() {
  progress_.put_back(setup_.record.state(progress_.run().id));
  meter_.follow(progress_.instance());
  std::unique_lock lock(stop_mutex_);
  const Stop stop = *stop_;
  lock.unlock();
  if (stop.asked) progress_.handle(*stop.asked);
  suspend_now(stop.reason);
}

// Ends what still runs and waits until it is gone. What workers say then is not news any more.
void Engine::stop_workers() {
  dispatcher_.stop();
  desk_.withdraw_all();
}

}  // namespace agneto::run
