#include "run/told.h"

#include "base/clock.h"
#include "base/error.h"

namespace agneto::run::told {

namespace {

Time time_in(const Json& json, const char* key) {
  const auto time = parse_time(json.at(key).get<std::string>());
  if (!time) throw Error(std::string("'") + key + "' is no time", "", ExitStatus::failed);
  return *time;
}

// What `read` returns. Throws Error where the JSON is not as it should be.
template <typename Read>
auto reading(const Read& read) -> decltype(read()) {
  try {
    return read();
  } catch (const Json::exception& error) {
    throw Error(std::string("what the server tells of a run cannot be read: ") + error.what(),
                "is it of the same version?", ExitStatus::failed);
  }
}

}  // namespace

Json to_json(const journal::RunRecord& run) {
  Json json = {{"id", run.id},
               {"workflow", run.workflow},
               {"file", run.file},
               {"task", run.task},
               {"status", run.status},
               {"outcome", run.outcome},
               {"base", run.base},
               {"branch", run.branch},
               {"created", format_time(run.created)},
               {"updated", format_time(run.updated)},
               {"options", run.options},
               {"priority", run.priority},
               {"questions", run.questions}};
  if (run.wake) json["wake"] = format_time(*run.wake);
  return json;
}

journal::RunRecord run_from(const Json& json) {
  return reading([&] {
    journal::RunRecord run;
    run.id = json.at("id");
    run.workflow = json.at("workflow");
    run.file = json.at("file");
    run.task = json.at("task");
    run.status = json.at("status");
    run.outcome = json.at("outcome");
    run.base = json.at("base");
    run.branch = json.at("branch");
    run.created = time_in(json, "created");
    run.updated = time_in(json, "updated");
    run.options = json.at("options");
    run.priority = json.at("priority");
    run.questions = json.at("questions");
    if (json.contains("wake")) run.wake = time_in(json, "wake");
    return run;
  });
}

Json to_json(const record::Entry& entry) {
  Json json = {{"seq", entry.seq},
               {"time", format_time(entry.time)},
               {"kind", entry.kind()},
               {"path", entry.path},
               {"body", record::body_json(entry.body)}};
  if (!entry.stands) json["undone"] = true;
  return json;
}

journal::Entry entry_from(const Json& json) {
  return reading([&] {
    journal::Entry entry;
    entry.seq = json.at("seq");
    entry.time = time_in(json, "time");
    entry.kind = json.at("kind");
    entry.path = json.at("path");
    entry.body = json.at("body");
    entry.stands = !json.value("undone", false);
    return entry;
  });
}

Json to_json(const journal::Message& message) {
  return {{"id", message.id},
          {"kind", message.kind},
          {"body", message.body},
          {"time", format_time(message.time)}};
}

journal::Message message_from(const Json& json) {
  return reading([&] {
    journal::Message message;
    message.id = json.at("id");
    message.kind = json.at("kind");
    message.body = json.at("body");
    message.time = time_in(json, "time");
    return message;
  });
}

Json to_json(const workspace::BranchWork& work) {
  return {
      {"log", work.log_command}, {"merged", work.merged}, {"kept", work.kept}, {"left", work.left}};
}

workspace::BranchWork work_from(const Json& json) {
  return reading([&] {
    workspace::BranchWork work;
    work.log_command = json.at("log");
    work.merged = json.at("merged");
    work.kept = json.at("kept").get<std::vector<std::string>>();
    work.left = json.at("left");
    return work;
  });
}

}  // namespace agneto::run::told
