// The loop of a run: wait for news, step the machines, record, let happen what follows.
//
// One thread owns the run. It steps the machines (Progress), begins what they order (Dispatcher,
// QuestionDesk), watches what that uses (Meter) and takes in what comes of it. Agents' calls and
// programs work on threads of their own and report through the mailbox. Nothing follows from what
// is not recorded yet: docs/journal.md has the order.
//
// More than 25 names: the loop is the one that knows the parts, which do not know each other.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "record/message.h"
#include "run/engine/dispatcher.h"
#include "run/engine/meter.h"
#include "run/engine/progress.h"
#include "run/engine/question_desk.h"

namespace agneto::run {

class Engine : private Dispatcher::Client {
 public:
  // `run` is the run's record in the journal; `instance` new, or restored together with `state`.
  Engine(Setup setup, journal::RunRecord run, chart::Instance instance, RunState state);
  ~Engine() override;

  // A new run: records it with its sources, and with what people are to know of its start, and
  // enters the first states.
  void begin(const Json& inputs, const std::map<std::string, std::string>& sources,
             const std::vector<std::string>& notes = {});
  // The same of a run that was queued, and is recorded already.
  void begin_queued(const Json& inputs);
  // A suspended or orphaned run: proves its old processes gone, undoes half-done edits, takes up
  // what is outstanding. `notes` say what people are to know of it. Throws Error where the run has
  // ended.
  // `since`: somebody has had the run's lock since then; what asked for a stop before has got it.
  void resume(std::vector<std::string> notes = {}, Time since = Time::max());
  // The question that an answer is for: the only one that is open. Throws Error where there is
  // none, or more than one.
  const chart::AskHuman& open_question() const;
  // Throws Error where the answer does not answer the open question. Changes and records nothing,
  // so it can be asked before `resume`.
  void check(const Answer& answer) const;
  // Answers the open question of a resumed run; throws as `check` does.
  void answer(const Answer& answer);

  // Works until the run ends, is suspended or, where the setup says so, is parked. Throws Error
  // where the journal cannot be written; the run can be resumed then.
  ExitStatus work();

  // From any thread: Ctrl+C. Once pauses and asks what next, twice suspends; where the run is being
  // aborted, it ends at once.
  void interrupt();
  // From any thread: ends the calls, undoes their edits, leaves them ordered. Code of the machines
  // that is at work is stopped, and its step has not happened.
  void suspend(std::string reason);
  // From any thread: begins nothing new, and leaves the run to the next server, queued: once what
  // is under way has ended, or at once.
  void hand_over(bool at_once);
  // From any thread: there may be something in the run's inbox. What suspends the run stops the
  // machines' code, too.
  void wake_up();
  // End a resumed run, or leave it for later, before it does anything more.
  void abort_now(const std::string& reason);
  void suspend_now(const std::string& reason);

 private:
  // What comes of what the dispatcher has begun.
  void recorded(const record::Entry& entry) override;
  void call_stopped(const std::string& path, const record::Reply& reply) override;
  void call_over(const std::string& path) override;
  void unavailable(const std::string& path, const Unavailable& unavailable) override;
  void ended(DispatchResult result) override;

  // Steps, and what follows from them (engine.cpp).
  chart::Effects first_step(const Json& inputs);
  void begun(const chart::Effects& out, const std::vector<std::string>& notes);
  void deliver(const chart::Event& event, std::vector<record::Entry> with = {});
  void commit(const chart::Event* event, const chart::Effects& out,
              std::vector<record::Entry> entries);
  void record(std::vector<record::Entry> entries);
  void follow(const chart::Effects& out, const std::vector<chart::Effect>& cancelled);
  void tell_cancelled(const chart::Effect& activity);
  void tell_finish();
  void order(const chart::Effect& activity);
  bool take_answer(const std::string& path, const Answer& answer, const std::string& by,
                   const std::string& name = {});
  std::string why_not_open(const std::string& path) const;
  void record_cut_off();
  std::vector<std::string> restore_trees();
  void recount();
  void note_absence(const std::string& path, Time time, const record::Reply& reply);
  void tell_untold(const std::string& path, const agents::Usage& usage);
  bool is_noted(const std::string& text);
  // What besides an answer that question may meet.
  record::Surroundings around(const chart::AskHuman& ask, bool suspended = false);
  record::Spent spent() const { return {meter_.totals().calls, meter_.totals().usage}; }

  // The loop (loop.cpp).
  void turn();
  void take_own();
  bool count_own();
  [[noreturn]] void stop_at(const std::string& message, const std::string& help);
  bool fire_due_timer();
  void offer(const Meter::Reached& limit);
  void put_questions();
  void dispatch();
  void suspend_vain(const std::string& path);
  void check_idle();
  void park_for_providers();
  bool is_worth_parking(Time until);
  void park(const std::string& reason);
  Millis patience();
  void pressed();
  void obey(const Interrupt& interrupt);
  void instruct(const std::string& text);
  void abort(const std::string& reason);
  void stop_after(const std::string& reason);
  void come_to_rest();
  void queue_again();
  void stop_code(const std::string& reason, std::optional<journal::MessageId> asked = {});
  void take_back_step();
  void stop_workers();

  // Words from other processes (inbox.cpp).
  void take_inbox();
  void take(const journal::Message& message);
  void take_answer(const record::PostedAnswer& answer);
  void take_event(const record::PostedEvent& posted);
  void refuse(const std::string& kind, const std::string& path, const std::string& why);

  const Setup setup_;
  Reporter reporter_;
  Mailbox mailbox_;
  Progress progress_;
  Meter meter_;
  Worktrees trees_;
  Calls calls_;
  QuestionDesk desk_;
  Dispatcher dispatcher_;  // its workers use what is above

  Time look_again_{};  // at the inbox, woken up or not
  Time abort_deadline_{};
  int own_events_ = 0;  // that the machines took in a row, with nothing from outside
  int vain_calls_ = 0;  // that ended in a row before anybody was asked
  // Timers so short that a machine which sets them again and again keeps itself busy.
  std::set<std::string> short_timers_;
  std::atomic<bool> aborting_ = false;
  std::atomic<bool> paused_ = false;
  std::atomic<bool> handed_over_ = false;  // where it stops, somebody else goes on
  std::atomic<int> unheard_ = 0;           // times that Ctrl+C was pressed, and not acted on yet
  bool over_ = false;                      // finished or suspended
  // Nothing new begins, and the run is suspended for these reasons once nobody is at work. So many
  // of them are what a person or a provider has said; those behind are providers that are away.
  std::vector<std::string> stopping_;
  std::ptrdiff_t said_ = 0;
  std::set<std::string> causes_;  // of these reasons
  struct Stop {                   // of the machines' code, and of the run
    std::string reason;
    std::optional<journal::MessageId> asked;  // by that message
  };
  std::mutex stop_mutex_;
  std::optional<Stop> stop_;
  std::stop_source code_;                // is stopped once there is one
  std::set<std::string> told_;           // limits that cannot be kept, as that was told
  std::optional<chart::Finish> finish_;  // how the machines have ended, which is not told yet
};

}  // namespace agneto::run
