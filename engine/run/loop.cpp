// The engine's loop: wait for news, act on it, until the run ends or cannot go on by itself.

#include <fmt/format.h>

#include <algorithm>

#include "run/engine.h"

namespace agneto::run {
namespace {

// While nothing happens, screens are refreshed this often.
constexpr Millis tick{200};
// An abort that the workflow takes must have ended the run by then.
constexpr Millis abort_patience{10'000};

constexpr const char* by_a_person = "aborted by a person";

}  // namespace

ExitStatus Engine::work() {
  try {
    while (!over_) {
      if (now() >= look_again_) take_inbox();
      if (over_) break;
      if (aborting_ && now() >= abort_deadline_) abort(by_a_person);
      if (!over_ && instance_.pending()) {
        take_queued();
        // A workflow that talks to itself without end can still be stopped.
        if (over_) break;
        if (auto message = mailbox_.wait(setup_.clock, Millis(0))) handle(std::move(*message));
        continue;
      }
      if (over_ || fire_due_timers()) continue;
      check_limits();
      if (over_) break;
      dispatch_ready();
      if (over_ || instance_.pending()) continue;
      check_idle();
      if (over_) break;
      if (auto message = mailbox_.wait(setup_.clock, patience())) {
        handle(std::move(*message));
      } else {
        setup_.observer.tick(now());
      }
    }
  } catch (const journal::OwnerLost&) {
    disowned_ = true;
    stop_workers();
    throw;
  } catch (const Error& error) {
    stop_at(error.what(), error.help());
  } catch (const fs::filesystem_error& error) {
    stop_at(error.what(), "");
  }
  stop_workers();
  if (instance_.finished()) remove_workspaces();
  return finish();
}

// The run cannot go on here, but can be resumed.
void Engine::stop_at(const std::string& message, const std::string& help) {
  stop_workers();
  const std::string resume = "continue with 'agneto resume " + line_.id + "'";
  throw Error(message, help.empty() ? resume : help + "; then " + resume, ExitStatus::suspended);
}

ExitStatus Engine::finish() {
  if (line_.status == "complete") return ExitStatus::complete;
  if (line_.status == "aborted") return ExitStatus::aborted;
  if (line_.status == "suspended") return ExitStatus::suspended;
  return ExitStatus::failed;
}

void Engine::handle(Message message) {
  if (auto* done = std::get_if<Done>(&message)) {
    handle_done(std::move(*done));
  } else if (auto* given = std::get_if<Answered>(&message)) {
    if (!take_answer(given->path, given->answer, "person")) {
      publish("note", given->path,
              {{"text", "the answer came too late: " + why_not_open(given->path)}});
    }
  } else if (auto* used = std::get_if<Used>(&message)) {
    count(used->path, used->usage);
  } else if (auto* broken = std::get_if<Broken>(&message)) {
    std::rethrow_exception(broken->cause);
  } else if (std::holds_alternative<Pressed>(message)) {
    if (!setup_.human.present()) {
      if (aborting_ || paused_) return abort(by_a_person);
      return suspend_now("interrupted");
    }
    if (paused_ || aborting_) return abort(by_a_person);
    paused_ = true;
    publish("run.paused", "");
    setup_.human.interrupted([this](Interrupt chosen) { mailbox_.post(std::move(chosen)); });
  } else if (std::holds_alternative<WokenUp>(message)) {
    take_inbox();
  } else if (auto* asked = std::get_if<SuspendAsked>(&message)) {
    suspend_now(asked->reason);
  } else if (auto* chosen = std::get_if<Interrupt>(&message)) {
    handle_interrupt(*chosen);
  } else if (auto* progress = std::get_if<RunEvent>(&message)) {
    auto worker = workers_.find(progress->path);
    if (worker != workers_.end() && !worker->second.cancelled) {
      publish(progress->kind, progress->path, std::move(progress->data));
    }
  }
}

void Engine::handle_done(Done done) {
  auto found = workers_.find(done.path);
  const bool unwanted = found->second.cancelled;
  if (found->second.calls) count_call(done.path);
  found->second.thread.join();
  workers_.erase(found);
  if (unwanted) {
    if (!done.before.empty()) workspaces_.of(done.path).restore(done.before);
    return;
  }
  auto ordered = state_.outstanding.find(done.path);
  if (const auto* call = std::get_if<chart::CallAgent>(&ordered->second)) {
    bool failed = done.event.starts_with("error");
    if (!call->scope.empty() && !failed) {
      Thread& thread = state_.threads[call->scope + "|" + agent_of(*call).name];
      thread.provider = done.conversation.provider;
      thread.session = done.conversation.session;
      thread.last = done.path;
    }
    std::erase_if(state_.instructions,
                  [&](const Instruction& given) { return given.taken_by == done.path; });
    publish("agent.finished", done.path,
            {{"agent", agent_of(*call).name},
             {"verdict", done.event},
             {"fields", done.data},
             {"calls", state_.totals.calls},
             {"cost", state_.totals.usage.cost},
             {"input_tokens", state_.totals.usage.input_tokens},
             {"output_tokens", state_.totals.usage.output_tokens}});
  }
  if (std::holds_alternative<chart::RunCommand>(ordered->second)) {
    publish("command.finished", done.path,
            {{"event", done.event}, {"message", done.data.at("message")}});
  }
  if (!done.after.empty()) state_.trees[workspaces_.item_of(done.path)] = done.after;
  outcome(done.path, std::move(done.event), std::move(done.data));
}

void Engine::handle_interrupt(const Interrupt& interrupt) {
  paused_ = false;
  switch (interrupt.kind) {
    case Interrupt::Kind::resume:
      publish("note", "", {{"text", "going on"}});
      break;
    case Interrupt::Kind::instruct:
      instruct(interrupt.instruction);
      break;
    case Interrupt::Kind::suspend:
      suspend_now("suspended by a person");
      break;
    case Interrupt::Kind::abort:
      abort(by_a_person);
      break;
  }
}

void Engine::instruct(const std::string& text) {
  state_.instructions.push_back({text, ""});
  record({entry("", record::Instructed{text})}, false);
  publish("note", "", {{"text", "the next agent will be told: " + text}});
}

void Engine::interrupt() {
  mailbox_.post(Pressed{});
}

void Engine::suspend(std::string reason) {
  mailbox_.post(SuspendAsked{std::move(reason)});
}

bool Engine::fire_due_timers() {
  auto first = state_.timers.end();
  for (auto it = state_.timers.begin(); it != state_.timers.end(); ++it) {
    if (first == state_.timers.end() || it->second.due < first->second.due) first = it;
  }
  if (first == state_.timers.end() || first->second.due > now()) return false;
  chart::Event event;
  event.kind = chart::Event::Kind::timer;
  event.path = first->first;
  state_.timers.erase(first);
  deliver(std::move(event));
  return true;
}

Millis Engine::patience() const {
  Millis wait = tick;
  for (const auto& [id, timer] : state_.timers) {
    wait = std::min(wait, std::max(Millis(1), timer.due - last_time_));
  }
  return wait;
}

// A run that can only wait for somebody who is not there, or for nothing at all, is suspended.
void Engine::check_idle() {
  if (!workers_.empty() || !ready_.empty() || !questions_.empty() || paused_ ||
      instance_.pending()) {
    return;
  }
  if (!unanswerable_.empty()) return suspend_now("a question waits for an answer");
  bool clock_runs = std::any_of(state_.timers.begin(), state_.timers.end(),
                                [](const auto& timer) { return !timer.second.pausable; });
  if (clock_runs) return;
  std::string where;
  for (const auto& path : instance_.active()) where += (where.empty() ? "" : ", ") + path;
  suspend_now("nothing is left to happen in " + where +
              ": no activity, timer or question is outstanding");
}

void Engine::wake_up() {
  mailbox_.post(WokenUp{});
}

void Engine::abort_now(const std::string& reason) {
  abort(reason);
  if (!over_) abort(reason);
}

void Engine::abort(const std::string& reason) {
  paused_ = false;
  if (!aborting_) {
    aborting_ = true;
    abort_deadline_ = now() + abort_patience;
    chart::Event event;
    event.name = "abort";
    chart::Effects out;
    chart::step(instance_, event, out);
    commit(&event, out, {entry("", record::AbortAsked{reason})});
    if (out.handled || over_) return;
  }
  chart::Effects out;
  chart::force_abort(instance_, reason, out);
  commit(nullptr, out, {});
}

void Engine::suspend_now(const std::string& reason) {
  if (over_) return;
  over_ = true;
  stop_workers();
  for (auto& [id, timer] : state_.timers) timer.left = std::max(Millis(0), timer.due - now());
  state_.totals.stop(now());
  line_.status = "suspended";
  line_.outcome = reason;
  record({entry("", record::Suspended{reason})}, true);
  Json data = {{"reason", reason}};
  std::sort(unanswerable_.begin(), unanswerable_.end());
  for (const auto& path : unanswerable_) {
    if (data.contains("path")) {
      data["others"].push_back(path);
      continue;
    }
    const auto& question = std::get<chart::AskHuman>(state_.outstanding.at(path));
    data.update(record::to_json(record::question_of(question)));
    data["path"] = path;
  }
  publish("run.suspended", "", std::move(data));
}

// Ends what still runs and waits until it is gone. What workers say then is not news any more,
// except what they have spent.
void Engine::stop_workers() {
  for (auto& [path, worker] : workers_) {
    worker.cancelled = true;
    worker.thread.request_stop();
  }
  for (auto& [path, worker] : workers_) {
    if (worker.thread.joinable()) worker.thread.join();
  }
  workers_.clear();
  for (const auto& path : questions_) setup_.human.withdraw(path, "");
  questions_.clear();
}

}  // namespace agneto::run
