// One message to a provider and what came of it.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "agents/stream.h"
#include "script/driver.h"

namespace agneto::agents {

struct Attempt {
  ReplyRecord record;
  Millis wait{0};  // of a provider that is away: so long, as it says itself

  // By us, before it came to anything?
  bool is_stopped() const { return record.event == "stopped"; }
};

// The id of the run that the call is in; empty: none.
std::string run_of(const Request& request);

// Did an attempt with this event come to nothing that counts, so that it is made again when the
// call is taken up again?
bool is_void(const std::string& event);

// Starts the provider's program, or lets its driver answer; `call` and `request` say what and how.
// `notes`: those of the call's attempts so far. Throws only what the recorder throws, and Error
// where a driver answers another prompt than this.
Attempt attempt(const script::DriverCall& call, const Request& request, const Services& services,
                CallRecorder& recorder, Notes& notes, std::stop_token stop);

// The answer that a driver gives without a program, played as if one gave it: what it says
// meanwhile, in its time; the edits; the reply. The call's timeouts hold for that time, too, but
// not for a delay, which nobody was at work in. Throws Error where the answer is to another prompt
// or its patch does not apply, and what the recorder throws.
Attempt answered(const script::DriverCommand::Answer& answer, const script::DriverCall& call,
                 const Request& request, const Services& services, CallRecorder& recorder,
                 Stream& stream, std::stop_token stop);

// The attempt was stopped by us; it has failed; what an answer or a program's result comes to, once
// it is in.
void stop(Attempt& attempt);
void fail(Attempt& attempt, std::string event, std::string why);
void conclude(Attempt& attempt, const std::optional<std::string>& result,
              const std::optional<std::string>& error);

}  // namespace agneto::agents
