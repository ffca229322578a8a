#include "run/engine/dispatcher.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "chart/effect.h"
#include "chart/path.h"
#include "journal/journal.h"
#include "process/git.h"
#include "record/options.h"
#include "run/engine/recorder.h"
#include "run/request.h"

namespace agneto::run {
namespace {

bool may_edit(const chart::Effect& activity, const model::System& system) {
  if (const auto* call = std::get_if<chart::CallAgent>(&activity)) {
    return chart::activity_of(*call, system).access != model::Access::read_only;
  }
  const auto* program = std::get_if<chart::RunCommand>(&activity);
  return !program || !program->read_only;
}

}  // namespace

Dispatcher::Dispatcher(const Setup& setup, const journal::RunRecord& run, Reporter& reporter,
                       Mailbox& mailbox, Worktrees& trees, Calls& calls, Client& client)
    : setup_(setup),
      run_(run),
      rewinds_(record::options_of(run).rewinds),
      reporter_(reporter),
      mailbox_(mailbox),
      trees_(trees),
      calls_(calls),
      client_(client) {}

void Dispatcher::order(chart::Effect activity, int nth) {
  ordered_.push_back({std::move(activity), nth});
}

void Dispatcher::cancel(const std::string& path) {
  std::erase_if(ordered_, [&](const Order& order) { return path_of(order.activity) == path; });
  workers_.cancel(path);
}

const chart::Effect* Dispatcher::next() {
  std::set<std::string> held = held_;
  for (const Order& order : ordered_) {
    const std::string item = trees_.item_of(path_of(order.activity));
    if (held.contains(item)) continue;
    if (can_begin(order.activity)) return &order.activity;
    held.insert(item);
  }
  held_.clear();
  return nullptr;
}

bool Dispatcher::can_begin(const chart::Effect& activity) const {
  const std::string& path = path_of(activity);
  bool writes = true;
  if (std::holds_alternative<chart::CallAgent>(activity)) {
    writes = may_edit(activity, setup_.system);
  } else if (std::holds_alternative<chart::OpenWorkspace>(activity)) {
    writes = false;
  } else if (const auto* items = std::get_if<chart::JoinWorkspaces>(&activity)) {
    const std::string inside = chart::items_prefix(path);
    const bool waits = std::any_of(ordered_.begin(), ordered_.end(), [&](const Order& order) {
      return path_of(order.activity).starts_with(inside);
    });
    if (waits || workers_.any(inside)) return false;
    if (items->completed.empty()) return true;
  }
  return !workers_.is_busy(trees_.item_of(path), writes);
}

void Dispatcher::begin(const std::string& path) {
  const auto found = std::find_if(ordered_.begin(), ordered_.end(), [&](const Order& order) {
    return path_of(order.activity) == path;
  });
  const Order order = *found;
  mend(trees_.item_of(path));
  const auto* operation = std::get_if<chart::GitOperation>(&order.activity);
  if (operation && operation->kind == model::WorkspaceOperation::Kind::merge) {
    // It may have to wait, so it keeps its turn.
    if (do_git(*operation)) return;
    held_.insert(trees_.item_of(path));
    return;
  }
  ordered_.erase(found);
  if (operation) {
    do_git(*operation);
  } else if (const auto* call = std::get_if<chart::CallAgent>(&order.activity)) {
    SharedWorkspace& tree = trees_.of(path);
    agents::Request request = calls_.request(*call, order.nth);
    request.cwd = tree.path();
    request.workspace = [&tree] {
      return workspace_json(tree.since_base(), tree.since_last_commit());
    };
    const bool edits = request.access != model::Access::read_only;
    start(order.activity, edits,
          [this, request = std::move(request)](const Job& job, std::stop_token stop) {
            return make_call(job, request, std::move(stop));
          });
  } else if (const auto* program = std::get_if<chart::RunCommand>(&order.activity)) {
    run_program(*program);
  } else if (const auto* item = std::get_if<chart::OpenWorkspace>(&order.activity)) {
    open_workspace(*item);
  } else {
    join_workspaces(std::get<chart::JoinWorkspaces>(order.activity));
  }
}

void Dispatcher::stop() {
  const std::set<std::string> wanted = workers_.stop();
  for (const auto& [path, ended] : std::exchange(ended_, {})) {
    try {
      cut_off(ended, wanted.contains(path));
      if (!disowned_) trees_.of(path).give_back();
    } catch (const std::exception& error) {
      // It is undone when the run is taken up again.
      log::warning("what was cut off cannot be undone", {{"path", path}, {"error", error.what()}});
    }
  }
}

// What the world knows an activity by. After a rewind the same path is another activity: what the
// first one left in the world is not its result.
std::string Dispatcher::effect_id(const std::string& path) const {
  return run_.id + "/" + path + (rewinds_ > 0 ? "~" + std::to_string(rewinds_) : "");
}

void Dispatcher::mend(const std::string& item) {
  if (workers_.is_busy(item, true) || !trees_.mend(item)) return;
  log::warning("worktree made anew", {{"folder", trees_.at(item).path().string()}});
  reporter_.record_note("", Worktrees::made_anew);
}

std::string Dispatcher::diff_at(const std::string& path) {
  mend(trees_.item_of(path));
  SharedWorkspace& tree = trees_.of(path);
  const std::string fresh = tree.since_last_commit().diff;
  return fresh.empty() ? tree.since_base().diff : fresh;
}

// A worktree that was made anew is furnished on the worker's thread, since a set-up takes its time;
// what that changes of the recorded files is taken back.
void Dispatcher::start(const chart::Effect& activity, bool writes, Work work) {
  const std::string path = path_of(activity);
  const std::string item = trees_.item_of(path);
  const bool furnish = setup_.furnish && trees_.take_unfurnished(item);
  // Those who are at work at the same time in a folder without a worktree may all only read, and
  // what any of them changes is seen from when the first one began.
  if (!workers_.is_busy(item, true)) trees_.at(item).lend(may_edit(activity, setup_.system));
  const auto run = [=, this, &tree = trees_.at(item), name = calls_.item_name(path),
                    left = trees_.left(item), work = std::move(work)](std::stop_token stop) {
    const auto untold = std::make_shared<std::atomic<std::size_t>>(0);
    const auto show = [this, path, untold](record::EventBody body) {
      ++*untold;
      mailbox_.post([this, path, untold, body = std::move(body)] {
        --*untold;
        if (workers_.is_wanted(path)) reporter_.publish(path, body);
      });
    };
    const auto fail = [this](std::exception_ptr cause) {
      mailbox_.post([cause] { std::rethrow_exception(cause); });
    };
    const auto recorded = [this](record::Entry entry) {
      mailbox_.post([this, entry = std::move(entry)] { client_.recorded(entry); });
    };
    const Job job{path, name, tree, reporter_, show, *untold, recorded, disowned_};
    const log::Scope scope(run_.id, path);
    const process::GitHeeds heeds(suspension_);
    try {
      if (furnish) {
        ProgramListener listener(job, false);
        setup_.furnish(tree.path(), listener, stop);
        tree.restore(left);
      }
      Ended ended{activity, work(job, stop)};
      {
        const std::lock_guard lock(mutex_);
        ended_.insert_or_assign(path, std::move(ended));
      }
      mailbox_.post([this, path] { finished(path); });
    } catch (const journal::OwnerLost&) {
      // Another process may have the run by now. So nothing is undone here, even if a stop comes
      // before the engine hears of this.
      disown();
      fail(std::current_exception());
    } catch (const Error&) {
      fail(std::current_exception());
    } catch (const std::exception& error) {
      fail(std::make_exception_ptr(Error(path + ": " + error.what())));
    }
  };
  workers_.start(path, item, writes || furnish, run);
}

void Dispatcher::finished(const std::string& path) {
  const bool wanted = workers_.finish(path);
  std::unique_lock lock(mutex_);
  Ended ended = std::move(ended_.extract(path).mapped());
  lock.unlock();
  cut_off(ended, wanted);
  const std::string item = trees_.item_of(path);
  if (!disowned_ && !workers_.is_busy(item, true)) trees_.at(item).give_back();
  auto& [activity, result] = ended;
  if (wanted && result.unavailable) return client_.unavailable(path, *result.unavailable);
  if (!wanted) return;
  if (const auto* call = std::get_if<chart::CallAgent>(&activity)) {
    client_.call_over(path);
    calls_.ended(*call, result.conversation, result.event.starts_with("error"));
  }
  if (std::holds_alternative<chart::RunCommand>(activity)) {
    reporter_.publish(path, record::command_finished(result.event, result.data));
  }
  if (!result.after.empty()) trees_.leave(item, result.after);
  client_.ended({path, std::move(result.event), std::move(result.data)});
}

// What an activity has changed that came to nothing, or is not wanted any more, is undone, and
// kept.
void Dispatcher::cut_off(const Ended& ended, bool wanted) {
  const auto& [activity, result] = ended;
  const std::string& checkpoint = wanted ? result.good : result.before;
  if (disowned_) return;
  const std::string& path = path_of(activity);
  const auto* call = std::get_if<chart::CallAgent>(&activity);
  for (const std::string& deed : result.deeds) reporter_.note(path, deed);
  std::string kept;
  if (!checkpoint.empty()) {
    const std::string who = call ? chart::agent_of(*call, setup_.system).name : "the program";
    kept = trees_.of(path).put_back(checkpoint, "what " + who + " had changed");
    if (!kept.empty()) {
      // The reply of a call that was stopped has it, too.
      result.stopped ? reporter_.note(path, kept) : reporter_.record_note(path, kept);
    }
  }
  if (call && !wanted) client_.call_over(path);
  if (!result.stopped) return;
  record::Reply reply = *result.stopped;
  reply.kept = kept;
  client_.call_stopped(path, reply);
}

// On the call's thread.
Dispatcher::Result Dispatcher::make_call(const Job& job, const agents::Request& request,
                                         std::stop_token stop) {
  Recorder recorder(job, request);
  agents::Result ended = agents::call(request, setup_.agents, recorder, std::move(stop));
  const bool came_to_nothing = ended.cancelled || !ended.unavailable.empty();
  Result result{std::move(ended.event), std::move(ended.data), std::move(ended.conversation)};
  if (!ended.unavailable.empty()) {
    result.unavailable = {ended.unavailable, request.agent + ": " + recorder.problem(),
                          recorder.refused()};
  }
  result.stopped = recorder.stopped();
  if (result.stopped) result.deeds = result.stopped->put_right;
  if (!recorder.may_edit() && came_to_nothing && recorder.may_have_written()) {
    result.before = result.good = recorder.before();
    return result;
  }
  if (!recorder.may_edit()) return result;
  result.before = recorder.before();
  if (came_to_nothing) {
    // Where nobody has worked, the tree is as an owner before this left it.
    if (recorder.may_have_written()) result.good = recorder.good();
    return result;
  }
  if (!job.tree.intact() && !recorder.good().empty() && !job.disowned) {
    job.tree.restore(recorder.good());
  }
  result.after = recorder.after();
  if (result.after.empty()) {
    job.tree.touched();
    result.after = job.tree.checkpoint(job.path);
  }
  return result;
}

}  // namespace agneto::run
