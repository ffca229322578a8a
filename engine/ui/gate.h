// What a person is told at an open question besides the question itself.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "record/event.h"
#include "ui/styled.h"

namespace agneto::ui {

// "in 10m (21:12:36) it is taken away: → SUSPENDED"; of another day than `now` with its date.
std::string readable_deadline(const record::Deadline& deadline, Time now);
// The same in a line of a log: "until 21:12:36, then → SUSPENDED".
std::string readable_until(const record::Deadline& deadline, Time now);
// "build.finished, cancel (agneto send RUN EVENT)"
std::string readable_events(const std::vector<std::string>& events, const std::string& run);

// A line for each timer that takes the question away, one for the events that are taken meanwhile,
// and one for what the run has spent. A line is left out where it would say nothing.
std::vector<Styled> gate_lines(const record::Surroundings& around, const record::Spent& spent,
                               const std::string& run, Time now);

}  // namespace agneto::ui
