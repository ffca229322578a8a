#include "run/reporter.h"

namespace agneto::run {

Reporter::Reporter(std::string run_id, journal::Writer& journal, Observer& observer,
                   const Clock& clock, Time not_before)
    : run_id_(std::move(run_id)),
      journal_(journal),
      observer_(observer),
      clock_(clock, not_before) {}

journal::Entry Reporter::entry(std::string path, record::Body body) {
  return record::encode({0, now(), std::move(path), std::move(body)});
}

void Reporter::append(std::string path, record::Body body) {
  journal_.append(run_id_, {entry(std::move(path), std::move(body))}, Json());
}

void Reporter::publish(std::string path, record::EventBody body) {
  const record::RunEvent event{now(), run_id_, std::move(path), std::move(body)};
  observer_.event({event.time, event.run, std::string(event.kind()), event.path,
                   record::body_json(event.body)});
}

void Reporter::note(std::string path, std::string text) {
  publish(std::move(path), record::Note{std::move(text)});
}

Json to_json(const RunEvent& event) {
  Json json = event.data.is_object() ? event.data : Json::object();
  json["time"] = format_time(event.time);
  json["run"] = event.run;
  json["type"] = event.kind;
  if (!event.path.empty()) json["path"] = event.path;
  if (event.seq > 0) json["seq"] = event.seq;
  if (event.undone) json["undone"] = true;
  return json;
}

}  // namespace agneto::run
