// The answer that a driver gives without a program, played as if one gave it: what it says
// meanwhile, in its time; the edits; the reply. The call's timeouts hold for that time, too, but
// not for a delay, which nobody was at work in.
#pragma once

#include <stop_token>

#include "agents/attempt.h"
#include "agents/stream.h"
#include "script/driver.h"

namespace agneto::agents {

// Throws Error where the answer is to another prompt or its patch does not apply, and what the
// recorder throws.
Attempt answered(const script::DriverCommand::Answer& answer, const script::DriverCall& call,
                 const Request& request, const Services& services, CallRecorder& recorder,
                 Stream& stream, std::stop_token stop);

}  // namespace agneto::agents
