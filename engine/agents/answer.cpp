// An answer without a program.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "agents/attempt.h"
#include "agents/edits.h"
#include "agents/same_prompt.h"
#include "base/error.h"

namespace agneto::agents {
namespace {

using Answer = script::DriverCommand::Answer;

// The time that an answer takes, held against the call's timeouts as a program's is.
class Pace {
 public:
  Pace(const Request& request, Clock& clock, std::stop_token stop)
      : request_(request), clock_(clock), stop_(std::move(stop)) {}

  // Waits until that time since the beginning. What ended the call before; nothing: it goes on.
  std::optional<process::Exit::Kind> until(Millis at) {
    std::optional<process::Exit::Kind> end;
    const auto may_end = [&](Millis when, process::Exit::Kind kind) {
      if (when >= at) return;
      at = when;
      end = kind;
    };
    if (request_.idle.count() > 0 && tools_ == 0) {
      may_end(heard_ + request_.idle, process::Exit::Kind::idle);
    }
    if (request_.timeout.count() > 0) may_end(request_.timeout, process::Exit::Kind::timed_out);
    if (at > now_) {
      if (!clock_.sleep(at - now_, stop_)) return process::Exit::Kind::stopped;
      now_ = at;
    }
    return end;
  }
  // Waits until then, whatever the call has; false: stopped.
  bool rest(Millis at) { return at <= now_ || clock_.sleep(at - now_, stop_); }
  void heard(const Answer::Said& said) {
    heard_ = now_;
    if (!said.tool.empty()) ++tools_;
    if (said.tool_end) tools_ = std::max(0, tools_ - 1);
  }

 private:
  const Request& request_;
  Clock& clock_;
  std::stop_token stop_;
  Millis now_{0}, heard_{0};
  int tools_ = 0;
};

// A hundred years; a clock can still add it.
constexpr Millis never = std::chrono::hours(24 * 36'525);

Millis at_speed(Millis time, double speed) {
  if (speed <= 0) return Millis(0);
  return Millis(static_cast<std::int64_t>(
      std::min(static_cast<double>(time.count()) / speed, static_cast<double>(never.count()))));
}

void say(const Answer::Said& said, Stream& stream) {
  if (!said.text.empty()) stream.text(said.text);
  if (!said.tool.empty()) stream.tool(said.tool);
  if (said.tool_end) stream.tool_end();
  if (!said.tool_denied.empty()) stream.tool_denied(said.tool_denied);
  if (!said.tool_failed.empty()) stream.tool_failed(said.tool_failed);
}

// Does the call go on? Where its time is over, or it was stopped, the attempt says so.
bool go_on(Attempt& attempt, std::optional<process::Exit::Kind> end, const Request& request) {
  if (!end) return true;
  if (*end == process::Exit::Kind::stopped) {
    stop(attempt);
    return false;
  }
  process::Spec spec;
  spec.timeout = request.timeout;
  spec.idle = request.idle;
  process::Exit exit;
  exit.kind = *end;
  fail(attempt, "error.timeout", process::describe(exit, spec));
  return false;
}

bool edited(Attempt& attempt, const Answer& answer, const script::DriverCall& call,
            const Request& request, CallRecorder& recorder) {
  if (answer.edits.empty() && answer.patch.empty()) return true;
  recorder.edits();
  try {
    apply(answer.edits, request.cwd);
  } catch (const CutOff&) {
    throw;
  } catch (const Error& error) {
    fail(attempt, "error.exit", error.what());
    return false;
  }
  if (answer.patch.empty()) return true;
  try {
    apply_patch(answer.patch, request.cwd);
    return true;
  } catch (const CutOff&) {
    throw;
  } catch (const Error& error) {
    throw Error(fmt::format("{}, call {} of '{}' in the cassette: {}", request.id, call.nth,
                            call.agent, error.what()),
                "play it at the commit at which it was recorded, which its first lines say");
  }
}

Answer in_this_run(Answer answer, const Request& request) {
  const std::string run = run_of(request);
  const auto put = [&](std::string& text) {
    text = text_in_run(std::move(text), run, request.cwd);
  };
  put(answer.text);
  put(answer.error);
  put(answer.patch);
  for (auto& edit : answer.edits) {
    if (edit.second) put(*edit.second);
  }
  for (auto& said : answer.output) put(said.text);
  return answer;
}

void require_same_prompt(const std::string& recorded, const script::DriverCall& call,
                         const Request& request, const Redactor& redactor) {
  const auto lines = prompt_difference(
      recorded, portable_prompt(call.message, redactor, run_of(request), request.cwd));
  if (lines.empty()) return;
  throw Error(fmt::format("the prompt of {} is not the one that the cassette answers in call {} of "
                          "'{}' (- recorded, + now)\n  {}",
                          request.id, call.nth, call.agent, join(lines, "\n  ")),
              "accept it with --fuzzy, which 'resume' takes too, or record the run anew");
}

}  // namespace

Attempt answered(const Answer& given, const script::DriverCall& call, const Request& request,
                 const Services& services, CallRecorder& recorder, Stream& stream,
                 std::stop_token stop) {
  if (given.prompt) require_same_prompt(*given.prompt, call, request, services.redactor);
  if (!given.note.empty()) recorder.progress("note", given.note);
  if (!given.fault.empty()) recorder.progress("fault", given.fault);
  const Answer answer = in_this_run(given, request);
  Attempt attempt;
  Pace pace(request, services.clock, stop);
  for (const auto& said : answer.output) {
    if (!go_on(attempt, pace.until(at_speed(said.at, answer.speed)), request)) return attempt;
    say(said, stream);
    pace.heard(said);
  }
  if (answer.stuck) {
    if (edited(attempt, answer, call, request, recorder)) {
      go_on(attempt, pace.until(never), request);
    }
    return attempt;
  }
  if (!go_on(attempt, pace.until(at_speed(answer.took, answer.speed)), request)) return attempt;
  if (!pace.rest(answer.delay)) {
    agents::stop(attempt);
    return attempt;
  }
  if (!edited(attempt, answer, call, request, recorder)) return attempt;
  conclude(attempt, answer.text, answer.error.empty() ? std::nullopt : std::optional(answer.error));
  if (!answer.event.empty() && !attempt.record.error.empty()) attempt.record.event = answer.event;
  return attempt;
}

}  // namespace agneto::agents
