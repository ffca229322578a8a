// How runs stand, and what happens in them.
#include <algorithm>

#include "base/text.h"
#include "run/reader.h"
#include "serve/api.h"
#include "serve/body.h"
#include "serve/reply.h"
#include "serve/streams.h"
#include "workspace/inspect.h"

namespace agneto::serve {

namespace {

constexpr std::int64_t page = 50;  // runs, unless said
constexpr std::int64_t longest_page = 500;
constexpr std::size_t looked_at = 500;  // runs at a time, for those with a text

HttpResponse streamed(std::unique_ptr<Stream> stream) {
  HttpResponse response;
  response.type = "text/event-stream";
  response.headers["Cache-Control"] = "no-store";
  response.headers["X-Accel-Buffering"] = "no";  // proxies are to pass it on as it comes
  response.stream = std::move(stream);
  return response;
}

// The id that a client has seen last: in its header, or, at first, in the query.
std::string last_id(const HttpRequest& request) {
  const std::string sent = request.headers.contains("last-event-id")
                               ? request.headers.at("last-event-id")
                               : std::string();
  return sent.empty() ? text_in(request, "after") : sent;
}

}  // namespace

journal::RunRecord Api::run_of(const Asked& asked) const {
  auto run = world_.journal->find(asked.name);
  if (!run) throw NotFound("there is no run '" + printable(asked.name) + "'");
  return *run;
}

Json Api::described(const journal::RunRecord& run) const {
  const journal::RunRecord shown = run::shown(run, world_.folder, redactor_);
  Json json = run::described(shown);
  const run::Waiting waiting = run::waiting_of(*world_.journal, shown, redactor_);
  if (waiting.for_person) json["waits_for"] = "person";
  if (!waiting.away.empty()) json["away"] = run::described(waiting.away);
  return json;
}

Json Api::questions_of(const journal::RunRecord& run) const {
  const run::Reader reader(*world_.journal, redactor_, run.id, world_.folder);
  Json questions = Json::array();
  if (run::has_ended(run)) return questions;
  for (const auto& question : reader.questions(SystemClock().now())) {
    Json json = record::to_json(question);
    json["run"] = run.id;
    json["id"] = question.path;
    questions.push_back(std::move(json));
  }
  return questions;
}

HttpResponse Api::list(const Asked& asked) const {
  const std::int64_t change = world_.journal->newest_change();
  const auto limit =
      static_cast<std::size_t>(std::min(number_in(asked.request, "limit", 1, page), longest_page));
  const std::string text = lower(text_in(asked.request, "text"));
  const auto statuses = texts_in(asked.request, "status");
  journal::Wanted wanted;
  for (const std::string& status : statuses) {
    if (status == "waiting") {
      wanted.asking = true;
    } else {
      wanted.status.push_back(status == "interrupted" ? "running" : status);
    }
  }
  wanted.workflow = text_in(asked.request, "workflow");
  wanted.before = text_in(asked.request, "before");
  wanted.most = text.empty() ? limit + 1 : looked_at;
  Json runs = Json::array();
  while (runs.size() <= limit) {
    const auto found = world_.journal->list(wanted);
    for (const auto& run : found) {
      if (runs.size() > limit) break;
      Json json = described(run);
      const bool is_wanted =
          std::ranges::find(statuses, json["status"].get<std::string>()) != statuses.end() ||
          (wanted.asking && json.contains("waits_for"));
      const auto contains = [&](const char* key) {
        return lower(json[key].get<std::string>()).find(text) != std::string::npos;
      };
      if ((statuses.empty() || is_wanted) && (contains("run") || contains("task"))) {
        runs.push_back(std::move(json));
      }
    }
    if (found.size() < wanted.most) break;
    wanted.before = found.back().id;
  }
  Json body = {{"change", change}};
  if (runs.size() > limit) {
    runs.erase(runs.end() - 1);
    body["next"] = runs.back()["run"];
  }
  body["runs"] = std::move(runs);
  return json(body);
}

HttpResponse Api::show(const Asked& asked) const {
  const journal::RunRecord run = run_of(asked);
  const journal::RunRecord shown = run::shown(run, world_.folder, redactor_);
  Json body = described(run);
  body["newest"] = world_.journal->newest(run.id);
  body["totals"] = record::to_json(run::totals_of(*world_.journal, shown, SystemClock().now()));
  body["questions"] = questions_of(run);
  body["outstanding"] = Json::array();
  const Json outstanding = record::outstanding_of(world_.journal->state(run.id));
  for (const auto& [path, effect] : outstanding.items()) body["outstanding"].push_back(path);
  return json(body);
}

HttpResponse Api::log(const Asked& asked) const {
  const journal::RunRecord run = run_of(asked);
  const auto after = number_in(asked.request, "after", 0, 0);
  const auto limit = std::min(number_in(asked.request, "limit", 1, 200), std::int64_t{1000});
  const run::Reader reader(*world_.journal, redactor_, run.id, world_.folder);
  Json entries = Json::array();
  for (const auto& entry : reader.entries(after, after + limit)) {
    Json json = {{"seq", entry.seq},
                 {"time", format_time(entry.time)},
                 {"kind", entry.kind()},
                 {"path", entry.path},
                 {"body", record::body_json(entry.body)}};
    if (!entry.stands) json["undone"] = true;
    entries.push_back(std::move(json));
  }
  return json({{"entries", std::move(entries)}, {"newest", world_.journal->newest(run.id)}});
}

HttpResponse Api::diff(const Asked& asked) const {
  const journal::RunRecord run = run_of(asked);
  HttpResponse response;
  response.type = "text/x-diff; charset=utf-8";
  response.headers["Cache-Control"] = "no-store";
  if (run.branch.empty()) return response;
  const fs::path root = home_.parent_path();
  response.body = redactor_.text(
      workspace::diff_of({root, home_ / "worktrees" / run.id, run.id}, run.status == "complete"));
  return response;
}

HttpResponse Api::run_events(const Asked& asked) const {
  const journal::RunRecord run = run_of(asked);
  const std::string last = last_id(asked.request);
  const auto after = last.empty() ? EventId() : event_id_of(last);
  if (!after) throw Unusable("'" + printable(last) + "' is no id of an event", "such as 12.1");
  return streamed(events_of_run(*world_.journal, world_.folder, redactor_, run.id, *after));
}

HttpResponse Api::all_events(const Asked& asked) const {
  const std::string last = last_id(asked.request);
  const auto after = last.empty() ? std::optional(world_.journal->newest_change())
                                  : parse_number<std::int64_t>(last);
  if (!after) throw Unusable("'" + printable(last) + "' is no id of an event", "such as 12");
  return streamed(changes_of_runs(
      *world_.journal, [this](const journal::RunRecord& run) { return described(run); }, *after));
}

HttpResponse Api::questions(const Asked&) const {
  Json questions = Json::array();
  for (const auto& run : world_.journal->list({.asking = true})) {
    for (Json& question : questions_of(run)) questions.push_back(std::move(question));
  }
  return json({{"questions", std::move(questions)}});
}

HttpResponse Api::workflows(const Asked&) const {
  Json workflows = Json::array();
  for (const fs::path& file : run::workflows(world_.folder, world_.resources)) {
    Diagnostics diagnostics;
    const auto loaded = model::load(file, Disk(), diagnostics, world_.resources.library());
    Json json = {{"workflow", file.stem().string()}, {"runs", loaded.system != nullptr}};
    if (loaded.system) {
      const model::Machine& machine = loaded.system->main();
      json["description"] = machine.description;
      json["inputs"] = Json::array();
      for (const auto& input : machine.inputs) {
        json["inputs"].push_back(
            {{"name", input.name}, {"main", input.main}, {"description", input.description}});
      }
    }
    workflows.push_back(std::move(json));
  }
  return json({{"workflows", std::move(workflows)}});
}

HttpResponse Api::server(const Asked& asked) const {
  Json counts = Json::object();
  for (const char* status : {"queued", "running", "parked", "suspended"}) {
    counts[status] = world_.journal->list({.status = {status}}).size();
  }
  return json({{"version", world_.version},
               {"folder", home_.parent_path().filename().string()},
               {"token", {{"name", asked.bearer.name}, {"scope", name_of(asked.bearer.scope)}}},
               {"runs", std::move(counts)}});
}

}  // namespace agneto::serve
