// Makes the activities of a run happen: calls, programs, git's work, the workspaces of items.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "chart/effect.h"
#include "run/engine/calls.h"
#include "run/engine/job.h"
#include "run/engine/mailbox.h"
#include "run/engine/setup.h"
#include "run/engine/workers.h"
#include "run/engine/worktrees.h"

namespace agneto::run {

// What became of an activity.
struct DispatchResult {
  std::string path;
  std::string event;
  Json data;
};

// Calls and programs work on threads of their own; what git does is done at once, on the engine's
// thread, which is the only one that calls this. One activity at a time writes to a workspace, and
// nobody reads from it meanwhile; what has to wait for a workspace holds back what was ordered
// after it for the same one.
//
// More than 25 names: each kind of activity has its own way to happen, and they share one order.
class Dispatcher {
 public:
  // Hears, on the engine's thread, what comes of what was begun.
  class Client {
   public:
    struct Unavailable {
      std::string why;       // "agent 'coder' (claude): overloaded; away for 1h"
      std::string cause;     // the same for all such calls, however long each has waited
      bool refused = false;  // or else the provider is away
    };
    virtual ~Client() = default;
    // What was recorded of its work.
    virtual void recorded(const record::Entry& entry) = 0;
    // An attempt was stopped; what is known of it is not recorded yet.
    virtual void call_stopped(const std::string& path, const record::Reply& reply) = 0;
    // The call has ended, whether its result is wanted still or not.
    virtual void call_over(const std::string& path) = 0;
    // The call could not be made: it is outstanding, and can be made later.
    virtual void unavailable(const std::string& path, const Unavailable& unavailable) = 0;
    virtual void ended(DispatchResult result) = 0;
  };

  // `effect_id` says what the world knows an activity by. What is given outlives this.
  Dispatcher(const Setup& setup, const journal::RunRecord& run, Reporter& reporter,
             Mailbox& mailbox, Worktrees& trees, Calls& calls, Client& client);
  ~Dispatcher() { workers_.stop(); }

  // `nth`: of a call, which one of its agent it is in the run.
  void order(chart::Effect activity, int nth);
  // The activity is not wanted any more: it does not begin, or is stopped and undone.
  void cancel(const std::string& path);
  // The first activity that can begin; null: none, until something ends or some time has passed.
  const chart::Effect* next();
  // Begins it, and may end it at once. Throws Error where the run cannot go on.
  void begin(const std::string& path);
  // Ends what works and waits until it is gone. What was cut off is undone, and kept; what has come
  // to an end is not told any more. Never throws.
  void stop();
  // The run is another owner's by now: nothing is undone here any more. From any thread.
  void disown() { disowned_ = true; }
  // A git of an activity is ended if it has not done so ten seconds after that stop.
  void heed(std::stop_token suspension) { suspension_ = std::move(suspension); }
  // Is nothing ordered, and nothing at work?
  bool is_idle() const { return ordered_.empty() && !is_at_work(); }
  bool is_at_work() const { return workers_.any(""); }
  bool is_at_work(const std::string& path) const { return workers_.is_wanted(path); }
  std::size_t at_work() const { return workers_.count(); }

  // The next of the joins that can be done. One that was cut off has to be done before anything
  // else looks at the files, those of items in items first.
  const chart::Effect* next_join() const;
  // The run has ended: takes away the workspaces of its items. Says where that cannot be done.
  void remove_workspaces();
  // The work at a path that is not committed yet; where there is none, the whole run's.
  std::string diff_at(const std::string& path);

 private:
  struct Order {
    chart::Effect activity;
    int nth = 0;
  };
  struct Result {  // of what a worker has done
    std::string event;
    Json data;
    agents::Conversation conversation = {};
    std::string before = {};  // checkpoint of the tree before it, where that may be undone
    std::string after = {};   // and as it left the tree; empty: unknown
    std::optional<Client::Unavailable> unavailable = {};  // a call could not be made
    // Where it was cut off: the checkpoint with which it goes on when it is taken up again, and
    // what is known of the attempt. Empty: it was not.
    std::string good = {};
    std::optional<record::Reply> stopped = {};
    std::vector<std::string> deeds = {};  // of what was cut off: recorded, and not told yet
  };
  struct Ended {
    chart::Effect activity;
    Result result;
  };
  using Work = std::function<Result(const Job&, std::stop_token)>;

  bool can_begin(const chart::Effect& activity) const;
  void mend(const std::string& item);
  std::string effect_id(const std::string& path) const;
  void start(const chart::Effect& activity, bool writes, Work work);
  void finished(const std::string& path);
  void cut_off(const Ended& ended, bool wanted);

  Result make_call(const Job& job, const agents::Request& request, std::stop_token stop);
  void run_program(const chart::RunCommand& program);
  Result make_run(const Job& job, const chart::RunCommand& program, const std::string& checkpoint,
                  const std::stop_token& stop);
  Result try_run(const Job& job, const chart::RunCommand& program, const std::string& checkpoint,
                 const std::stop_token& stop);
  static std::optional<std::string> place(process::Spec& spec, const Job& job,
                                          const std::string& folder);
  bool do_git(const chart::GitOperation& operation);
  void open_workspace(const chart::OpenWorkspace& item);
  void join_workspaces(const chart::JoinWorkspaces& items);

  const Setup& setup_;
  const journal::RunRecord& run_;
  const int rewinds_;
  Reporter& reporter_;
  Mailbox& mailbox_;
  Worktrees& trees_;
  Calls& calls_;
  Client& client_;
  std::vector<Order> ordered_;     // not begun yet, in order
  std::set<std::string> held_;     // items in whose workspaces a merge waits, until the next round
  std::set<std::string> waiting_;  // merges of which it was said that they wait
  std::atomic<bool> disowned_ = false;
  std::stop_token suspension_;
  std::mutex mutex_;
  std::map<std::string, Ended> ended_;  // what workers have done, until it is looked at; by path
  Workers workers_;                     // use all of the above
};

}  // namespace agneto::run
