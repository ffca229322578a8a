// Making effects happen: each activity on its own thread, one writer per worktree.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "chart/called.h"
#include "run/conversation.h"
#include "run/engine.h"
#include "run/recorder.h"
#include "run/request.h"

namespace agneto::run {
namespace {

// What a command prints reaches the machine bounded: it ends up in prompts.
constexpr std::size_t output_limit = 32 * 1024;

std::string tail(const std::string& text) {
  if (text.size() <= output_limit) return text;
  return fmt::format("[{} bytes left out]\n", text.size() - output_limit) +
         valid_utf8(std::string_view(text).substr(text.size() - output_limit));
}

// Shows a command's output line by line as it comes.
class CommandListener : public process::Listener {
 public:
  CommandListener(std::function<void(process::ProcessId)> started,
                  std::function<void(std::string_view)> line)
      : started_(std::move(started)), line_(std::move(line)) {}

  void started(process::ProcessId guard) override { started_(guard); }
  bool line(std::string_view text) override {
    line_(text);
    return true;
  }
  void error_line(std::string_view text) override { line_(text); }

 private:
  std::function<void(process::ProcessId)> started_;
  std::function<void(std::string_view)> line_;
};

const char* event_of(const process::Exit& exit) {
  switch (exit.kind) {
    case process::Exit::Kind::exited:
      return exit.status == 0 ? "ok" : "failed";
    case process::Exit::Kind::timed_out:
    case process::Exit::Kind::idle:
      return "error.timeout";
    case process::Exit::Kind::not_started:
      return "error.spawn";
    default:
      return "error.exit";
  }
}

}  // namespace

// In order; what has to wait for its worktree holds back what comes after it there.
void Engine::dispatch_ready() {
  std::set<std::string> held;
  while (!over_) {
    auto next = std::find_if(ready_.begin(), ready_.end(), [&](const std::string& path) {
      return std::holds_alternative<chart::AskHuman>(state_.outstanding.at(path));
    });
    if (next == ready_.end() && !paused_ && !aborting_) {
      next = std::find_if(ready_.begin(), ready_.end(), [&](const std::string& path) {
        return !held.contains(workspaces_.item_of(path));
      });
    }
    if (next == ready_.end()) return;
    const std::string path = *next;
    if (dispatch(path)) {
      std::erase(ready_, path);
      if (instance_.pending()) return;
    } else {
      held.insert(workspaces_.item_of(path));
    }
  }
}

bool Engine::dispatch(const std::string& path) {
  // A copy: what it orders may end at once and be forgotten.
  chart::Effect effect = state_.outstanding.at(path);
  mend(workspaces_.item_of(path));
  if (const auto* call = std::get_if<chart::CallAgent>(&effect)) return call_agent(*call);
  if (const auto* question = std::get_if<chart::AskHuman>(&effect)) return ask(*question);
  if (const auto* command = std::get_if<chart::RunCommand>(&effect)) return run_command(*command);
  if (const auto* open = std::get_if<chart::OpenWorkspace>(&effect)) return open_workspace(*open);
  if (const auto* join = std::get_if<chart::JoinWorkspaces>(&effect)) return join_workspaces(*join);
  return git(std::get<chart::GitOperation>(effect));
}

// Must an activity there wait for those at work?
bool Engine::is_busy(const std::string& place, bool for_writing) const {
  return std::any_of(workers_.begin(), workers_.end(), [&](const auto& entry) {
    const Worker& worker = entry.second;
    return worker.place == place && (for_writing || worker.writes);
  });
}

void Engine::start_worker(const std::string& path, const std::string& place, bool writes,
                          std::function<Done(std::stop_token)> work) {
  const bool furnish = setup_.furnish && unfurnished_.erase(place) > 0;
  Worker& worker = workers_[path];
  worker.place = place;
  worker.writes = writes || furnish;
  worker.thread =
      std::jthread([this, path, furnish, &tree = workspaces_.at(place), checkpoint = tree_of(place),
                    work = std::move(work)](std::stop_token stop) {
        try {
          if (furnish) furnish_anew(tree, path, checkpoint, stop);
          mailbox_.post(work(stop));
        } catch (const Error&) {
          mailbox_.post(Broken{std::current_exception()});
        } catch (const std::exception& error) {
          mailbox_.post(Broken{std::make_exception_ptr(Error(path + ": " + error.what()))});
        }
      });
}

bool Engine::call_agent(const chart::CallAgent& effect) {
  bool edits = chart::activity_of(effect, setup_.system).access != model::Access::read_only;
  const std::string place = workspaces_.item_of(effect.path);
  if (is_busy(place, edits)) return false;
  if (!may_call(effect.path)) return false;
  if (!state_.outstanding.contains(effect.path)) return true;

  agents::Request request = request_for(effect);
  std::string before, good;
  if (!request.recorded_prompts.empty()) {
    before = request.recorded_prompts.front().checkpoint;
    good = request.recorded_prompts.back().checkpoint;
  }
  SharedWorkspace& tree = workspaces_.of(effect.path);
  start_worker(
      effect.path, place, edits,
      [this, &tree, request = std::move(request), edits, before, good](std::stop_token stop) {
        Recorder recorder(*this, tree, request.id, request.agent, request.state, edits, before,
                          good);
        agents::Result result = agents::call(request, setup_.agents, recorder, stop);
        if (edits) {
          bool lost = result.cancelled || !tree.intact();
          if (lost && !recorder.good().empty() && !disowned_) tree.restore(recorder.good());
        } else if (recorder.may_have_written() && !disowned_ &&
                   tree.undo_since(recorder.before())) {
          RunEvent undone;
          undone.kind = "workspace.undone";
          undone.path = request.id;
          undone.data = {{"agent", request.agent}};
          mailbox_.post(std::move(undone));
        }
        Done done;
        done.path = request.id;
        done.event = std::move(result.event);
        done.data = std::move(result.data);
        done.conversation = std::move(result.conversation);
        if (edits) done.before = recorder.before();
        done.after = edits ? recorder.after() : recorder.before();
        if (edits && done.after.empty() && !result.cancelled) {
          tree.touched();
          done.after = tree.checkpoint(request.id);
        }
        return done;
      });
  workers_.at(effect.path).calls = true;
  return true;
}

agents::Request Engine::request_for(const chart::CallAgent& effect) {
  agents::Request request = request_of(effect, setup_.system, instance_, setup_.config);
  request.nth = state_.call_numbers.at(effect.path);
  SharedWorkspace& tree = workspaces_.of(effect.path);
  request.cwd = tree.path();
  for (auto& instruction : state_.instructions) {
    if (instruction.taken_by.empty()) instruction.taken_by = effect.path;
    if (instruction.taken_by == effect.path) request.instructions.push_back(instruction.text);
  }

  request.workspace = [&tree] {
    return workspace_json(tree.since_base(), tree.since_last_commit());
  };

  for (const auto& old : setup_.journal.entries_of(line_.id, effect.path)) {
    const record::Entry entry = record::decode(old);
    if (const auto* prompt = entry.get<record::Prompt>()) {
      request.recorded_prompts.push_back(*prompt);
    } else if (const auto* reply = entry.get<record::Reply>()) {
      request.recorded_replies.push_back(*reply);
    }
  }
  auto thread = effect.scope.empty() ? state_.threads.end()
                                     : state_.threads.find(effect.scope + "|" + request.agent);
  if (thread != state_.threads.end()) {
    request.conversation.provider = thread->second.provider;
    request.conversation.session = thread->second.session;
    request.follows = thread->second.last;
    request.recall = [this, thread = thread->second] {
      return recall(setup_.journal, line_.id, thread);
    };
  }
  return request;
}

bool Engine::run_command(const chart::RunCommand& effect) {
  const std::string place = workspaces_.item_of(effect.path);
  if (is_busy(place, true)) return false;
  bool cut_off = false;
  for (const auto& old : setup_.journal.entries_of(line_.id, effect.path)) {
    cut_off = cut_off || old.kind == record::Command::kind;
  }
  if (cut_off && effect.once) {
    outcome(effect.path, "error.interrupted",
            {{"message", "the command was cut off and may not run twice (once: true)"}});
    return true;
  }
  SharedWorkspace& tree = workspaces_.of(effect.path);
  std::string checkpoint = tree.checkpoint(effect.path);
  record({entry(effect.path, record::Command{effect.argv, checkpoint})}, false);
  publish("command.started", effect.path, {{"argv", effect.argv}});

  process::Spec spec;
  spec.argv = effect.argv;
  spec.cwd = tree.path();
  spec.env = effect.env;
  spec.env.emplace_back("AGNETO_EFFECT_ID", effect_id(effect.path));
  spec.timeout = effect.timeout;
  auto work = [this, &tree, spec, effect, checkpoint](std::stop_token stop) {
    const std::string& path = effect.path;
    Recorder recorder(*this, tree, path, "", "", true);
    CommandListener listener([&](process::ProcessId guard) { recorder.process(guard); },
                             [&](std::string_view line) {
                               RunEvent event;
                               event.kind = "command.output";
                               event.path = path;
                               event.data = {{"line", std::string(line)}};
                               mailbox_.post(std::move(event));
                             });
    process::Exit exit = setup_.runner.run(spec, listener, stop);
    tree.touched();
    Done done;
    done.path = path;
    done.before = checkpoint;
    if (disowned_) return done;
    if (exit.kind == process::Exit::Kind::stopped || !tree.intact()) {
      tree.restore(checkpoint);
    } else if (effect.read_only && tree.undo_since(checkpoint)) {
      RunEvent undone;
      undone.kind = "note";
      undone.path = path;
      undone.data = {{"text", "what the command left in the worktree was taken back"}};
      mailbox_.post(std::move(undone));
    }
    done.after = effect.read_only ? checkpoint : tree.checkpoint(path);
    done.data = {{"status", exit.status},
                 {"output", tail(exit.output + exit.error)},
                 {"message", process::describe(exit, spec)}};
    done.event = event_of(exit);
    return done;
  };
  start_worker(effect.path, place, true, std::move(work));
  return true;
}

bool Engine::git(const chart::GitOperation& effect) {
  const std::string place = workspaces_.item_of(effect.path);
  if (is_busy(place, true)) return false;
  SharedWorkspace& tree = workspaces_.of(effect.path);
  const std::string message = setup_.redactor.text(effect.message);
  workspace::Result result;
  switch (effect.kind) {
    case model::WorkspaceOperation::Kind::commit:
      result = tree.change(
          [&](workspace::Commits& files) { return files.commit(message, effect_id(effect.path)); });
      break;
    case model::WorkspaceOperation::Kind::discard:
      result = tree.change(
          [&](workspace::Commits& files) { return files.discard(effect_id(effect.path)); });
      break;
    case model::WorkspaceOperation::Kind::merge:
      if (!place.empty()) {
        result = {workspace::Result::Kind::failed,
                  "",
                  place + " cannot merge: its work goes where the for_each is, when that ends",
                  {}};
        break;
      }
      result = tree.change([&](workspace::Commits& files) {
        return files.merge({effect.into, message, effect.squash, effect_id(effect.path)});
      });
      if (result.kind == workspace::Result::Kind::busy) {
        if (waits_to_merge_.insert(effect.path).second) {
          publish("note", effect.path, {{"text", "waits until another run's merge has ended"}});
        }
        return false;
      }
      break;
  }
  static const char* const done[] = {"workspace.committed", "workspace.merged",
                                     "workspace.discarded"};
  Json data = {{"commit", result.commit}, {"message", result.message}, {"files", result.files}};
  bool ok = result.kind == workspace::Result::Kind::ok;
  Json shown = data;
  if (ok && effect.kind != model::WorkspaceOperation::Kind::discard) {
    shown["subject"] = message.substr(0, message.find('\n'));
  }
  if (effect.kind == model::WorkspaceOperation::Kind::merge) {
    shown["into"] = effect.into.empty() ? line_.base : effect.into;
  }
  publish(ok ? done[static_cast<int>(effect.kind)] : "workspace.refused", effect.path,
          std::move(shown));
  if (ok && effect.kind != model::WorkspaceOperation::Kind::merge) {
    state_.trees[place] = tree.checkpoint(effect.path);
  }
  const char* event = ok                                                 ? "ok"
                      : result.kind == workspace::Result::Kind::conflict ? "conflict"
                                                                         : "failed";
  outcome(effect.path, event, std::move(data));
  return true;
}

void Engine::outcome(const std::string& path, std::string event, Json data,
                     std::vector<journal::Entry> with) {
  forget(path);
  chart::Event happened;
  happened.kind = chart::Event::Kind::outcome;
  happened.name = std::move(event);
  happened.data = std::move(data);
  happened.path = path;
  deliver(std::move(happened), std::move(with));
}

}  // namespace agneto::run
