#include "agents/attempt.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "agents/scratch.h"
#include "base/error.h"
#include "base/text.h"

namespace agneto::agents {

namespace {

using script::DriverEvent;

// So much of a program's own words is in a message.
constexpr std::size_t most_last_words = 2000;
constexpr std::size_t most_noted = 1000;  // bytes of what a program says of its own tries

// The end of what a program printed, fit for a message.
std::string last_words(const std::string& text) {
  const std::string clean = printable(text);
  std::string_view words = trim(clean);
  if (words.size() <= most_last_words) return std::string(words);
  return "…" + valid_utf8(words.substr(words.size() - most_last_words));
}

std::string words_or(std::string words, const char* otherwise) {
  return words.empty() ? otherwise : std::move(words);
}

// Turns a program's lines into what they mean, until one is the result.
//
// More than 25 names: it keeps each thing that a driver can tell of an attempt.
class Reading : public process::Listener {
 public:
  Reading(script::Driver& driver, CallRecorder& recorder, Stream& stream, const Clock& clock)
      : driver_(driver), recorder_(recorder), stream_(stream), clock_(clock) {}

  void started(process::ProcessId guard) override {
    begun_ = true;
    recorder_.process(guard);
  }
  bool line(std::string_view text) override {
    tried_.reset();
    if (driver_.reads_lines()) {
      take(driver_.event(std::string(text), clock_.now()));
    } else {
      said_.append(said_.empty() ? "" : "\n").append(text);
    }
    return !over();
  }
  void error_line(std::string_view text) override {
    if (driver_.reads_errors()) take(driver_.error_line(std::string(text)));
  }
  // Plain lines are shown as they come together: a flood of short ones is a few long texts.
  void caught_up() override {
    if (!said_.empty()) stream_.text(std::exchange(said_, {}));
  }
  std::optional<Millis> wakes_in() const override { return stream_.due_in(); }
  void woken() override { stream_.record(); }
  bool tool_in_flight() const override { return tools_ > 0; }

  void take(const std::vector<DriverEvent>& events) {
    for (const DriverEvent& event : events) take(event);
  }
  bool over() const { return result || error || session_lost || outage; }
  // The program's time is up. If it was asking its server again by then, the server was away.
  void late(const std::string& how) {
    if (!tried_) return;
    outage.emplace();
    outage->away = *tried_ + "; " + how;
  }
  Usage usage(const std::optional<Price>& price) const;

  std::optional<std::string> result, error;
  std::optional<DriverEvent> outage;  // away or refused
  bool session_lost = false;
  std::string session;

 private:
  void take(const DriverEvent& event) {
    if (event.session) session = *event.session;
    if (event.cost) cost_ = event.cost;
    if (event.input_tokens) input_ = event.input_tokens;
    if (event.cached_tokens) cached_ = event.cached_tokens;
    if (event.output_tokens) output_ = event.output_tokens;
    if (event.tool_end) {
      tools_ = std::max(0, tools_ - 1);
      stream_.tool_end();
    }
    if (event.tool_denied) stream_.tool_denied(*event.tool_denied);
    if (event.tool_failed) stream_.tool_failed(*event.tool_failed);
    if (event.tool_start) {
      ++tools_;
      stream_.tool(*event.tool_start);
    }
    if (event.text) stream_.text(*event.text);
    if (event.note) stream_.note(shortened(*event.note, most_noted));
    if (event.note && event.trying) tried_ = event.note;
    if (event.session_lost) session_lost = true;
    if (event.error) error = event.error;
    if (event.result) result = event.result;
    if (event.away || event.refused) outage = event;
  }

  script::Driver& driver_;
  CallRecorder& recorder_;
  Stream& stream_;
  const Clock& clock_;
  int tools_ = 0;
  bool begun_ = false;
  std::string said_;
  std::optional<std::string> tried_;  // why it asks its server again, and has said nothing since
  std::optional<double> cost_;
  std::optional<std::int64_t> input_, cached_, output_;
};

// What the call has used. Where it was cut off, what the driver has seen of it by then is a part;
// where the provider did not work, nothing unless it says so.
Usage Reading::usage(const std::optional<Price>& price) const {
  Usage usage;
  usage.input_tokens = input_.value_or(0);
  usage.output_tokens = output_.value_or(0);
  const bool counted = input_ && output_;
  if (cost_) {
    usage.cost = *cost_;
  } else if (price) {
    const double cached = static_cast<double>(std::min(cached_.value_or(0), usage.input_tokens));
    usage.cost =
        ((static_cast<double>(usage.input_tokens) - cached) * price->input +
         cached * price->cached_input + static_cast<double>(usage.output_tokens) * price->output) /
        1e6;
  }
  const bool idle = !begun_ || ((session_lost || outage) && !cost_ && !counted);
  if (idle) return usage;
  const bool is_free = price && price->is_nothing();
  usage.uncounted = !over() || !counted;
  usage.unpriced = !is_free && (!over() || !(cost_ || (price && counted)));
  return usage;
}

std::string effect_id(const Request& request) {
  const std::string id = run_of(request);
  return id.empty() ? request.id : id + "/" + request.id;
}

process::Spec spec_for(const script::DriverCommand& command, const Scratch& scratch,
                       const script::Driver& driver, const Request& request) {
  process::Spec spec;
  for (const std::string& argument : command.argv) spec.argv.push_back(scratch.resolve(argument));
  for (const auto& [name, value] : command.env) spec.env.emplace_back(name, scratch.resolve(value));
  spec.env.emplace_back("AGNETO_EFFECT_ID", effect_id(request));
  spec.cwd = request.cwd;
  spec.reach = {.tree = request.cwd,
                .writes = request.access != model::Access::read_only,
                .own = scratch.folder(),
                .home = driver.home(),
                .passes = driver.passes()};
  spec.input = command.input;
  spec.timeout = request.timeout;
  spec.idle = request.idle;
  return spec;
}

// What the call has come to, as the driver says.
void conclude(Attempt& attempt, const Reading& reading) {
  if (!reading.outage || reading.result) {
    return conclude(attempt, reading.result, reading.error);
  }
  const DriverEvent& outage = *reading.outage;
  if (outage.refused) {
    return fail(attempt, "refused", words_or(last_words(*outage.refused), "the provider refuses"));
  }
  attempt.wait = outage.wait.value_or(Millis(0));
  fail(attempt, "away", words_or(last_words(*outage.away), "the provider is away"));
}

// A program's end without a result: what the whole of its output means, or how it ended.
void without_result(Attempt& attempt, Reading& reading, script::Driver& driver,
                    const process::Exit& exit, const process::Spec& spec) {
  using Kind = process::Exit::Kind;
  switch (exit.kind) {
    case Kind::timed_out:
    case Kind::idle:
      reading.late(describe(exit, spec));
      if (reading.outage) return conclude(attempt, reading);
      return fail(attempt, "error.timeout", describe(exit, spec));
    case Kind::not_started:
      return fail(attempt, "error.spawn", describe(exit, spec));
    default:
      break;
  }
  if (exit.kind == Kind::exited) {
    reading.take(driver.finish(exit.output, exit.status, exit.error));
    if (reading.over() || exit.ok()) return conclude(attempt, reading);
  }
  const std::string words = last_words(trim(exit.error).empty() ? exit.output : exit.error);
  fail(attempt, "error.exit", describe(exit, spec) + (words.empty() ? "" : ": " + words));
}

Attempt ran(const script::DriverCall& call, const script::DriverCommand& command,
            script::Driver& driver, const Request& request, const Services& services,
            CallRecorder& recorder, Stream& stream, std::stop_token stop) {
  Attempt attempt;
  std::optional<Scratch> scratch;
  try {
    scratch.emplace(command.files);
  } catch (const Error& error) {
    fail(attempt, "error.spawn", error.what());
    return attempt;
  }
  const process::Spec spec = spec_for(command, *scratch, driver, request);
  Reading reading(driver, recorder, stream, services.clock);
  try {
    const process::Exit exit = services.runner.run(spec, reading, std::move(stop));
    if (exit.kind == process::Exit::Kind::stopped && !reading.over()) {
      agents::stop(attempt);
    } else if (reading.over()) {
      conclude(attempt, reading);
    } else {
      without_result(attempt, reading, driver, exit, spec);
    }
  } catch (const script::HookError& error) {
    fail(attempt, "error.lua", error.what());
    if (driver.was_stopped()) agents::stop(attempt);
  }
  if (driver.has_sessions()) {
    attempt.record.session = reading.session.empty() ? call.session : reading.session;
  }
  stream.last_note();
  attempt.record.usage = reading.usage(request.price);
  if (reading.session_lost && !reading.result) {
    fail(attempt, "session.lost", "the session to continue does not exist any more");
  }
  return attempt;
}

Attempt attempted(const script::DriverCall& call, const Request& request, const Services& services,
                  CallRecorder& recorder, Stream& stream, std::stop_token stop) {
  Attempt failed;
  std::optional<script::Driver> driver;
  script::DriverCommand command;
  try {
    driver.emplace(request.provider, services.files, services.provider_folders);
    driver->heed(stop);
    command = driver->command(call);
  } catch (const Error& error) {
    fail(failed, "error.spawn", error.what());
    return failed;
  } catch (const script::HookError& error) {  // the driver refuses
    fail(failed, "error.spawn", error.what());
    if (driver->was_stopped()) agents::stop(failed);
    return failed;
  }
  return command.answer ? answered(*command.answer, call, request, services, recorder, stream, stop)
                        : ran(call, command, *driver, request, services, recorder, stream, stop);
}

}  // namespace

void fail(Attempt& attempt, std::string event, std::string why) {
  attempt.record.event = std::move(event);
  attempt.record.error = std::move(why);
}

void stop(Attempt& attempt) {
  fail(attempt, "stopped", "stopped before it was over");
}

void conclude(Attempt& attempt, const std::optional<std::string>& result,
              const std::optional<std::string>& error) {
  if (error) {
    fail(attempt, "error.exit", words_or(last_words(*error), "the provider reports an error"));
  } else if (!result) {
    fail(attempt, "error.exit", "it ended without a reply");
  } else {
    attempt.record.text = valid_utf8(*result);
  }
}

std::string run_of(const Request& request) {
  const auto run = request.m.find("run");
  return run == request.m.end() ? "" : run->value("id", "");
}

bool is_void(const std::string& event) {
  return event == "error.spawn" || event == "error.lua" || event == "away" || event == "refused" ||
         event == "stopped";
}

Attempt attempt(const script::DriverCall& call, const Request& request, const Services& services,
                CallRecorder& recorder, Notes& notes, std::stop_token stop) {
  const Millis begin = services.clock.elapsed();
  Stream stream(recorder, services.clock, call.attempt, notes);
  Attempt result = attempted(call, request, services, recorder, stream, std::move(stop));
  result.record.output = stream.take();
  result.record.attempt = call.attempt;
  result.record.duration = services.clock.elapsed() - begin;
  return result;
}

}  // namespace agneto::agents
