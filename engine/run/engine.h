// The shell around the interpreter: journal, step, make effects happen, feed results back.
//
// One thread owns the run: it steps the machine, writes the journal and tells observers. Every
// agent call and command works on a thread of its own and reports through the mailbox. The order
// of durability is that of docs/journal.md: nothing follows from what is not yet recorded.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "agents/caller.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/files.h"
#include "base/redact.h"
#include "chart/step.h"
#include "journal/journal.h"
#include "process/process.h"
#include "record/entry.h"
#include "run/config.h"
#include "run/human.h"
#include "run/limits.h"
#include "run/mailbox.h"
#include "run/observer.h"
#include "run/run_clock.h"
#include "run/shared_workspace.h"
#include "run/state.h"
#include "workspace/workspace.h"

namespace agneto::run {

// What an engine works with. Everything outlives it.
struct Setup {
  const model::System& system;
  journal::Journal& journal;
  workspace::Workspace& workspace;
  const Files& files;  // the run's own sources
  agents::Services& agents;
  process::Runner& runner;
  Clock& clock;
  Human& human;
  Observer& observer;
  const Config& config;
  // Prepares a new worktree: copies files, runs its set-up. Throws Error. May be empty.
  using Furnish = std::function<void(const fs::path&, process::Listener&, std::stop_token)>;
  Furnish furnish = {};
  Redactor redactor = {};  // for the messages of commits, which are published
};

class Engine {
 public:
  // `line` is the run's line in the journal; `instance` new, or restored together with `state`.
  Engine(Setup setup, journal::RunRecord line, chart::Instance instance, RunState state);
  ~Engine();

  // A new run: records it with its sources and enters the first states.
  void begin(const Json& inputs, const std::map<std::string, std::string>& sources);
  // A suspended or orphaned run: proves its old processes gone, undoes half-done edits, takes up
  // what is outstanding. Throws Error where the run has ended.
  void resume();
  // The question that an answer is for: the only one that is open. Throws Error where there is
  // none, or more than one.
  const chart::AskHuman& open_question() const;
  // Throws Error where the answer does not answer the open question. Changes and records nothing,
  // so it can be asked before `resume`.
  void check(const Answer& answer) const;
  // Answers the open question of a resumed run; throws as `check` does.
  void answer(const Answer& answer);

  // Works until the run ends or is suspended. Throws Error where the journal cannot be written; the
  // run can be resumed then.
  ExitStatus work();

  // From any thread: Ctrl+C. Once pauses and asks what next, twice aborts.
  void interrupt();
  // From any thread: ends the calls, undoes their edits, leaves them ordered.
  void suspend(std::string reason);
  // From any thread: there may be something in the run's inbox.
  void wake_up();
  // Ends a resumed run before it does anything more.
  void abort_now(const std::string& reason);

 private:
  struct Done {  // a worker's last word
    std::string path;
    std::string event;
    Json data;
    agents::Conversation conversation;
    std::string before;  // checkpoint of the tree before it, where it may edit
    std::string after;   // and as it left the tree; empty: unknown
  };
  struct Answered {
    std::string path;
    Answer answer;
  };
  struct Used {  // a provider was asked and answered; the reply is in the journal
    std::string path;
    agents::Usage usage;
  };
  struct Broken {  // the journal cannot be written
    std::exception_ptr cause;
  };
  struct Pressed {};
  struct WokenUp {};
  struct SuspendAsked {
    std::string reason;
  };
  using Message = std::variant<Done, Answered, Used, Broken, Pressed, WokenUp, SuspendAsked,
                               Interrupt, RunEvent>;

  struct Worker {
    std::string place;       // where it works
    bool writes = false;     // edits the files there
    bool calls = false;      // an agent
    bool cancelled = false;  // its result is not wanted any more
    std::jthread thread;
  };

  friend class Recorder;

  // The worktree at a resume, and where somebody deletes it (restoring.cpp).
  void restore_tree();
  void put_back(const std::string& place, const std::string& checkpoint);
  void mend(const std::string& place);
  void furnish_anew(SharedWorkspace& tree, const std::string& path, const std::string& checkpoint,
                    std::stop_token stop);
  std::string tree_of(const std::string& place) const;
  bool is_read_only(const chart::Effect& effect) const;

  // Stepping and recording (engine.cpp).
  void deliver(chart::Event event, std::vector<journal::Entry> with = {});
  void take_queued();
  void commit(const chart::Event* event, const chart::Effects& out,
              std::vector<journal::Entry> entries);
  void note_effects(const chart::Effects& out);
  void follow(const chart::Effects& out);
  void record(std::vector<journal::Entry> entries, bool line_changed);
  journal::Entry entry(std::string path, record::Body body) const;
  Json saved() const;
  std::string effect_id(const std::string& path) const;

  // The loop (loop.cpp).
  [[noreturn]] void stop_at(const std::string& message, const std::string& help);
  void handle(Message message);
  void handle_done(Done done);
  void handle_interrupt(const Interrupt& interrupt);
  bool fire_due_timers();
  Millis patience() const;
  void check_idle();
  void abort(const std::string& reason);
  void instruct(const std::string& text);
  void suspend_now(const std::string& reason);
  void stop_workers();
  void forget(const std::string& path);
  ExitStatus finish();

  // What may be used, and what was (limits.cpp). An instance is known by its path.
  void note_instances();
  Millis worked() const;
  model::Limits limits_of(const std::string& instance) const;
  Use use_of(const std::string& instance) const;
  void count_call(const std::string& path);
  void count(const std::string& path, const agents::Usage& usage);
  std::vector<std::string> limited_around(const std::string& path) const;
  bool may_call(const std::string& path);
  void check_limits();
  bool hit_limit(const std::string& instance, const std::string& name, const std::string& reason);

  // Making effects happen (dispatch.cpp).
  void dispatch_ready();
  bool dispatch(const std::string& path);
  bool call_agent(const chart::CallAgent& effect);
  bool run_command(const chart::RunCommand& effect);
  bool git(const chart::GitOperation& effect);
  bool open_workspace(const chart::OpenWorkspace& effect);
  bool join_workspaces(const chart::JoinWorkspaces& effect);
  void finish_joins();
  void remove_workspaces();
  bool is_busy(const std::string& place, bool for_writing) const;
  void start_worker(const std::string& path, const std::string& place, bool writes,
                    std::function<Done(std::stop_token)> work);
  void outcome(const std::string& path, std::string event, Json data,
               std::vector<journal::Entry> with = {});
  agents::Request request_for(const chart::CallAgent& effect);

  // Questions (questions.cpp). `by`: "person" (at this terminal), "default", or "elsewhere"; `name`
  // is the person's.
  bool ask(const chart::AskHuman& effect);
  bool take_answer(const std::string& path, const Answer& answer, const std::string& by,
                   const std::string& name = {});

  // Words from other processes (inbox.cpp).
  void take_inbox();
  void take(const journal::Message& message);
  std::function<void()> action_of(const journal::Message& message);
  void take_posted_answer(const std::string& path, const Answer& answer, const std::string& by);
  void take_posted_event(const chart::Event& event, const std::string& by);
  void drop_old_suspends();
  void refuse(const std::string& kind, const std::string& path, const std::string& why);
  std::string why_not_open(const std::string& path);

  void publish(const std::string& kind, const std::string& path, Json data = Json::object());
  Time now();
  const model::Agent& agent_of(const chart::CallAgent& effect) const;

  Setup setup_;
  journal::RunRecord line_;
  chart::Instance instance_;
  RunState state_;
  SharedWorkspaces workspaces_;

  bool meters_machines_ = false;                     // does any but the root have limits?
  std::map<std::string, model::MachineId> limited_;  // live instances of those, by path

  Mailbox<Message> mailbox_;
  std::map<std::string, Worker> workers_;
  std::set<std::string> waits_to_merge_;  // merges of which it was said that they wait
  std::set<std::string> unfurnished_;   // places made anew: the next worker there begins with that
  std::vector<std::string> ready_;      // ordered, not yet dispatched, in order
  std::vector<std::string> questions_;  // being asked
  std::vector<std::string> unanswerable_;  // nobody there, no default

  std::vector<journal::MessageId> handled_;  // leave the inbox with the next record

  std::vector<std::string> notes_;  // of the resume, told once it is recorded
  RunClock time_;
  Time last_time_{};
  Time look_again_{};  // at the inbox, woken up or not
  Time abort_deadline_{};
  bool aborting_ = false;
  bool paused_ = false;
  bool over_ = false;                   // finished or suspended
  std::atomic<bool> disowned_ = false;  // what is in the worktrees is another owner's business
};

}  // namespace agneto::run
