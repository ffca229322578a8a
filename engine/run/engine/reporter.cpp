#include "run/engine/reporter.h"

#include <algorithm>

namespace agneto::run {

// The clock is read first: if time passes in between, the origin is taken to be too early, which
// the next look mends.
Time RunClock::now() {
  const Time set = clock_.now();
  const Millis elapsed = clock_.elapsed();
  const std::lock_guard lock(mutex_);
  origin_ = std::max(origin_, set - elapsed);
  return origin_ + elapsed;
}

Reporter::Reporter(std::string run_id, journal::Writer& journal, record::Observer& observer,
                   const Clock& clock, Time not_before)
    : run_id_(std::move(run_id)),
      journal_(journal),
      observer_(observer),
      clock_(clock, not_before) {}

record::Entry Reporter::entry(std::string path, record::Body body) {
  return {0, now(), std::move(path), std::move(body)};
}

record::Entry Reporter::append(std::string path, record::Body body) {
  record::Entry made = entry(std::move(path), std::move(body));
  journal_.append(run_id_, {record::encode(made)}, Json());
  return made;
}

void Reporter::publish(std::string path, record::EventBody body) {
  observer_.event({now(), run_id_, std::move(path), std::move(body)});
}

void Reporter::note(std::string path, std::string text) {
  publish(std::move(path), record::Note{std::move(text)});
}

void Reporter::record_note(const std::string& path, const std::string& text) {
  append(path, record::Noted{text});
  note(path, text);
}

}  // namespace agneto::run
