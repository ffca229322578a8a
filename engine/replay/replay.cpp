#include "replay/replay.h"

#include <algorithm>
#include <deque>

#include "agents/attempt.h"
#include "agents/same_prompt.h"
#include "base/error.h"
#include "base/line_diff.h"
#include "chart/effect.h"
#include "record/options.h"
#include "replay/replayed_machine.h"
#include "replay/reread.h"
#include "replay/step_diff.h"
#include "run/request.h"

namespace agneto::replay {
namespace {

std::string words_of(const std::optional<chart::Event>& event) {
  if (!event) return "the end by force";
  return event->path.empty() ? event->name : event->name + " of " + event->path;
}

std::string end_reason_of(const record::Macrostep& step) {
  for (const auto& effect : step.effects) {
    if (const auto* finish = std::get_if<chart::Finish>(&effect)) return finish->reason;
  }
  return {};
}

// The same macrostep as was recorded, wherever its transitions stand in their files? Older journals
// do not tell what could not begin, nor which errors were taken.
bool same_step(record::Macrostep a, record::Macrostep b) {
  if (b.refused.empty()) a.refused.clear();
  if (b.caught.empty()) a.caught.clear();
  for (auto* step : {&a, &b}) {
    for (auto& taken : step->transitions) taken.line = 0;
  }
  return record::body_json(std::move(a)) == record::body_json(std::move(b));
}

// More than 25 names: it plays a record on two machines at once, and compares steps, prompts and
// ends.
class Replaying {
 public:
  Replaying(const journal::RunRecord& run, const std::vector<record::Entry>& entries,
            const Script& recorded, const Script& now, const ReplayOptions& options)
      : options_(options),
        config_(options.config ? *options.config : run::Config{}),
        edited_(&recorded != &now),
        ids_(ids_of(run, entries)),
        then_(recorded, info_of(run)),
        now_(now, info_of(run)) {
    for (const auto& entry : entries) {
      if (!entry.stands) continue;
      entries_.push_back(&entry);
      if (entry.get<record::Macrostep>() && !entry.path.empty()) ++to_come_[entry.path];
    }
  }

  Replay run(const Json& state) {
    for (const auto* entry : entries_) take(*entry);
    drain(nullptr);
    if (!edited_ && !state.is_null() && !result_.first) compare_ends(state);
    finish();
    return std::move(result_);
  }

 private:
  // What the run was called until each fork that it comes from, and is now.
  static std::deque<std::string> ids_of(const journal::RunRecord& run,
                                        const std::vector<record::Entry>& entries) {
    std::deque<std::string> ids;
    for (const auto& entry : entries) {
      const auto* forked = entry.get<record::Forked>();
      if (entry.stands && forked) ids.push_back(forked->run);
    }
    ids.push_back(run.id);
    return ids;
  }

  chart::RunInfo info_of(const journal::RunRecord& run) const {
    const record::RunOptions options = record::options_of(run);
    return {ids_.front(), options.interactive, options.auto_merge};
  }

  void take(const record::Entry& entry) {
    if (const auto* started = entry.get<record::Started>()) {
      inputs_ = started->inputs;
    } else if (const auto* step = entry.get<record::Macrostep>()) {
      macrostep(entry, *step);
    } else if (const auto* instruction = entry.get<record::Instructed>()) {
      instructions_.push_back(instruction->text);
    } else if (const auto* abort = entry.get<record::AbortAsked>()) {
      abort_reason_ = abort->reason;
    } else if (const auto* asked = entry.get<record::Prompt>()) {
      prompt(entry, *asked);
    } else if (const auto* reply = entry.get<record::Reply>()) {
      RecordedCall& call = calls_[entry.path];
      call.replies.push_back(*reply);
      if (!reply->tree.empty()) call.tree = reply->tree;
    } else if (entry.get<record::Forked>()) {
      ids_.pop_front();
      then_.go_on_as(ids_.front());
      now_.go_on_as(ids_.front());
    }
  }

  // ---- Macrosteps

  void macrostep(const record::Entry& entry, const record::Macrostep& step) {
    ++result_.steps;
    seq_ = entry.seq;
    if (!entry.path.empty()) --to_come_[entry.path];
    std::string idle;  // why nothing happens now
    if (result_.steps == 1) {
      then_.start(inputs_);
      start_now();
      return compare(step, "the start", idle);
    }
    drain(step.event ? &*step.event : nullptr);
    if (!step.event) {
      abort_reason_ = end_reason_of(step);
      then_.force_abort(abort_reason_);
      idle = force_abort_now();
    } else {
      then_.step(*step.event);
      idle = feed(*step.event);
    }
    faithful_ = faithful_ && same_step(then_.told(step.event), step);
    compare(step, words_of(step.event), idle);
  }

  // The inputs that were given may not be those that are declared now.
  void start_now() {
    std::vector<std::string> errors;
    const Json inputs = now_.system().main().check_inputs(inputs_, errors);
    if (!errors.empty()) {
      throw Error("the run's inputs do not fit this workflow: " + join(errors, "; "),
                  "give a new input a default or 'type: …?', and keep the old ones");
    }
    now_.start(inputs);
  }

  // What the machine says to itself now, where it said nothing then.
  void drain(const chart::Event* next) {
    if (next && next->kind == chart::Event::Kind::queued) return;
    for (int steps = 0; now_.instance().pending() && !(faithful_ && then_.instance().pending());
         ++steps) {
      if (restless_) return;
      if (steps == chart::max_own_events) {
        restless_ = true;
        result_.notes.push_back(
            "the machine goes on sending itself events, and was left alone after " +
            std::to_string(steps) + " of them");
        return;
      }
      const chart::Event own{chart::Event::Kind::queued, {}, {}, {}};
      now_.step(own);
      differ("(an event of its own)", {}, told_step(now_.told(own), now_.system()));
    }
  }

  // What could still be done about an abort was done by then, unless only this machine takes it.
  std::string force_abort_now() {
    if (now_.finish()) return "it has ended";
    if (takes_abort_) return "it has taken the abort";
    now_.force_abort(abort_reason_);
    return {};
  }

  // Empty, or why nothing comes of it now.
  std::string feed(chart::Event event) {
    using Kind = chart::Event::Kind;
    if (now_.finish()) return "it has ended";
    if (event.kind == Kind::external) {
      now_.step(event);
      if (event.name != "abort" || now_.effects().handled == then_.effects().handled) return {};
      takes_abort_ = now_.effects().handled;
      if (!takes_abort_ && !now_.finish()) now_.force_abort(abort_reason_);
      return {};
    }
    if (event.kind == Kind::queued) {
      if (!now_.instance().pending()) return "it is not in a queue now";
      now_.step(event);
      return {};
    }
    const std::string recorded = event.path;
    event.path = now_.place_of(recorded, then_, to_come_);
    if (event.path.empty()) return "nothing waits for it";
    const chart::Effect activity = *now_.ordered(event.path);
    std::string why;
    if (const auto* call = std::get_if<chart::CallAgent>(&activity)) {
      why = read_again(event, recorded, *call);
    }
    if (why.empty()) why = misfit(event, activity, now_.system());
    if (why.empty()) now_.step(event);
    return why;
  }

  // `event`: the recorded outcome, which becomes what the hooks make of the replies now. Returns
  // what keeps the call from coming to an end now; empty: nothing.
  std::string read_again(chart::Event& event, const std::string& recorded,
                         const chart::CallAgent& call) {
    const RecordedCall& record = calls_[recorded];
    const bool never_asked = event.name == "error.lua" && record.prompts.empty();
    if (!never_asked && record.replies.empty()) return {};
    if (!never_asked && agents::is_void(record.replies.back().event)) return {};  // none was given
    const auto& request = request_for(recorded, call);
    try {
      const auto broken = broken_.find(recorded);
      const Reread now = broken != broken_.end() ? broken->second
                                                 : reread(request, record, now_.script(), options_);
      if (now.asks.empty() && now.event == event.name && now.data == event.data) return {};
      std::string is = now.event + "\n" + now.data.dump(2);
      if (never_asked && !now.asks.empty()) {
        is = "it would be asked now, and nothing was recorded of that";
      } else if (!now.asks.empty()) {
        is = "it would be asked again: " + now.asks;
      }
      result_.verdicts.push_back(
          {seq_, recorded, request.agent, line_diff(event.name + "\n" + event.data.dump(2), is)});
      if (never_asked && !now.asks.empty()) return "the agent would be asked";
      if (!now.asks.empty()) return {};
      event.name = now.event;
      event.data = now.data;
    } catch (const Error& error) {
      result_.notes.push_back("the reply at " + recorded + " was not read again: " + error.what());
    }
    return {};
  }

  void compare(const record::Macrostep& step, const std::string& event, const std::string& idle) {
    if (!idle.empty()) result_.unused.push_back(event + ": " + idle);
    std::string before = told_step(step, then_.system());
    std::string after =
        idle.empty() ? told_step(now_.told(step.event), now_.system()) : idle + "\n";
    if (faithful_) {
      before += place_text(then_.instance(), &now_.instance());
      after += place_text(now_.instance(), &then_.instance());
    }
    if (before != after) differ(event, before, after);
  }

  void differ(const std::string& event, const std::string& before, const std::string& after) {
    ++result_.differing;
    if (result_.first) return;
    result_.first = StepDifference{seq_, event, line_diff(before, after)};
  }

  void compare_ends(const Json& state) {
    const Json saved = now_.instance().save();
    if (saved == state.at("instance")) return;
    result_.first =
        StepDifference{seq_, "the end", line_diff(state.at("instance").dump(2), saved.dump(2))};
    ++result_.differing;
  }

  void finish() {
    result_.faithful = faithful_;
    result_.recorded_end = end_text(then_.instance(), then_.finish());
    result_.end = end_text(now_.instance(), now_.finish());
    const auto open = then_.outstanding(false);
    for (const auto& path : now_.outstanding(false)) {
      if (faithful_ && std::find(open.begin(), open.end(), path) != open.end()) continue;
      const auto* effect = now_.ordered(path);
      const auto* call = effect ? std::get_if<chart::CallAgent>(effect) : nullptr;
      result_.waiting.push_back(
          call ? path + " (agent " + chart::agent_of(*call, now_.system()).name + ")" : path);
    }
  }

  // ---- Prompts

  // The call as it would be made now, at the time it was made then.
  void prompt(const record::Entry& entry, const record::Prompt& asked) {
    RecordedCall& call = calls_[entry.path];
    call.prompts.push_back(asked);
    const std::string place = now_.place_of(entry.path, then_, to_come_);
    const auto* effect = place.empty() ? nullptr : now_.ordered(place);
    const auto* ordered = effect ? std::get_if<chart::CallAgent>(effect) : nullptr;
    if (!ordered) return;
    request_for(entry.path, *ordered);
    if (options_.prompts || (edited_ && call.prompts.back().attempt == 1)) {
      compare_prompt(entry, call);
    }
  }

  // Made once: what a person said meanwhile is for it.
  const agents::Request& request_for(const std::string& recorded, const chart::CallAgent& call) {
    const auto [request, made] = requests_.try_emplace(recorded);
    if (made) {
      request->second = run::request_of(call, now_.system(), now_.instance(), config_);
      request->second.instructions = std::move(instructions_);
      instructions_.clear();
    }
    return request->second;
  }

  void compare_prompt(const record::Entry& entry, const RecordedCall& call) {
    const auto& recorded = call.prompts.back();
    PromptDifference difference{entry.seq, entry.path, recorded.attempt, "", {}};
    try {
      const Rewritten now =
          rewrite(requests_.at(entry.path), call, recorded.attempt, now_.script(), options_);
      if (!now.text) {  // the hook has ended the call
        if (recorded.attempt == 1) broken_[entry.path] = now.end;
        return;
      }
      ++result_.prompts;
      difference.lines = line_diff(agents::with_verdicts_alone(recorded.text),
                                   agents::with_verdicts_alone(*now.text));
      if (difference.lines.empty()) return;
    } catch (const Error& error) {
      difference.unknown = error.what();
    }
    if (options_.prompts) result_.prompt_differences.push_back(std::move(difference));
  }

  const ReplayOptions& options_;
  const run::Config config_;
  const bool edited_;
  std::deque<std::string> ids_;
  std::vector<const record::Entry*> entries_;  // those that stand
  std::map<std::string, int> to_come_;         // recorded outcomes and timers not fed yet, by path
  ReplayedMachine then_, now_;
  Json inputs_;
  std::map<std::string, RecordedCall> calls_;        // by recorded path
  std::map<std::string, agents::Request> requests_;  // the same
  std::map<std::string, Reread> broken_;             // the same: calls whose prompt fails now
  std::vector<std::string> instructions_;            // nobody was told yet
  bool faithful_ = true;  // do the recorded sources do what was recorded?
  std::string abort_reason_ = "aborted by a person";
  bool takes_abort_ = false;  // now, and did not then
  bool restless_ = false;     // it sends itself events without end
  journal::Seq seq_ = 0;
  Replay result_;
};

}  // namespace

Replay replay(const journal::RunRecord& run, const std::vector<record::Entry>& entries,
              const Json& state, const Script& recorded, const Script& now,
              const ReplayOptions& options) {
  return Replaying(run, entries, recorded, now, options).run(state);
}

}  // namespace agneto::replay
