// How runs stand, and what happens in them.
#include <algorithm>
#include <functional>

#include "base/log.h"
#include "base/text.h"
#include "serve/api.h"
#include "serve/body.h"
#include "serve/reply.h"
#include "serve/streams.h"

namespace agneto::serve {

namespace {

// Ends where the token that it was asked for with is not good any more.
class Allowed : public Stream {
 public:
  Allowed(std::unique_ptr<Stream> stream, std::function<bool()> is_allowed)
      : stream_(std::move(stream)), is_allowed_(std::move(is_allowed)) {}

  std::optional<std::string> next() override {
    return is_allowed_() ? stream_->next() : std::nullopt;
  }

 private:
  const std::unique_ptr<Stream> stream_;
  const std::function<bool()> is_allowed_;
};

// The id that a client has seen last: in its header, or, at first, in the query.
std::string last_id(const HttpRequest& request) {
  const std::string sent = request.headers.contains("last-event-id")
                               ? request.headers.at("last-event-id")
                               : std::string();
  return sent.empty() ? text_in(request, "after") : sent;
}

}  // namespace

HttpResponse Api::streamed(const Asked& asked, std::unique_ptr<Stream> stream) const {
  HttpResponse response;
  response.type = "text/event-stream";
  response.headers["Cache-Control"] = "no-store";
  response.headers["X-Accel-Buffering"] = "no";  // proxies are to pass it on as it comes
  const auto is_allowed = [this, request = asked.request] {
    return bearer_in(request).has_value();
  };
  response.stream = std::make_unique<Allowed>(std::move(stream), is_allowed);
  return response;
}

HttpResponse Api::list(const Asked& asked) const {
  const auto text = [&](const char* name) { return text_in(asked.request, name); };
  const Listing unless_said;
  const auto limit = number_in(asked.request, "limit", 1, unless_said.limit);
  const std::vector<std::string> known = {"queued",      "running",   "parked",
                                          "interrupted", "suspended", "waiting",
                                          "complete",    "failed",    "aborted"};
  for (const std::string& status : texts_in(asked.request, "status")) {
    if (std::ranges::find(known, status) != known.end()) continue;
    throw Unusable("there is no status '" + printable(status) + "'",
                   suggestion(status, known, "statuses"));
  }
  return json(desk_.list({.statuses = texts_in(asked.request, "status"),
                          .workflow = text("workflow"),
                          .text = text("text"),
                          .before = text("before"),
                          .limit = static_cast<std::size_t>(limit)}));
}

HttpResponse Api::show(const Asked& asked) const {
  return json(desk_.shown(desk_.find(asked.name)));
}

HttpResponse Api::log(const Asked& asked) const {
  const journal::RunRecord run = desk_.find(asked.name);
  const auto after = number_in(asked.request, "after", 0, 0);
  const auto limit = std::min(number_in(asked.request, "limit", 1, 200), std::int64_t{1000});
  return json(desk_.entries(run, after, static_cast<std::size_t>(limit)));
}

HttpResponse Api::diff(const Asked& asked) const {
  HttpResponse response;
  response.type = "text/x-diff; charset=utf-8";
  response.headers["Cache-Control"] = "no-store";
  response.body = desk_.diff(desk_.find(asked.name));
  return response;
}

HttpResponse Api::run_events(const Asked& asked) const {
  const journal::RunRecord run = desk_.find(asked.name);
  const std::string last = last_id(asked.request);
  const auto after = last.empty() ? EventId() : event_id_of(last);
  if (!after) throw Unusable("'" + printable(last) + "' is no id of an event", "such as 12.1");
  return streamed(asked,
                  events_of_run(*world_.journal, world_.folder, desk_.redactor(), run.id, *after));
}

HttpResponse Api::all_events(const Asked& asked) const {
  const std::string last = last_id(asked.request);
  const auto after = last.empty() ? std::optional(world_.journal->newest_change())
                                  : parse_number<std::int64_t>(last);
  if (!after) throw Unusable("'" + printable(last) + "' is no id of an event", "such as 12");
  return streamed(
      asked, changes_of_runs(
                 *world_.journal,
                 [this](const journal::RunRecord& run) { return desk_.described(run); }, *after));
}

HttpResponse Api::questions(const Asked&) const {
  Json questions = Json::array();
  for (const auto& run : world_.journal->list({.asking = true})) {
    try {
      for (Json& question : desk_.questions_of(run)) questions.push_back(std::move(question));
    } catch (const std::exception& error) {
      log::warning("questions cannot be read", {{"run", run.id}, {"error", error.what()}});
    }
  }
  return json({{"questions", std::move(questions)}});
}

HttpResponse Api::workflows(const Asked&) const {
  Json workflows = Json::array();
  for (const Offered& workflow : offered(world_.folder, world_.resources)) {
    Json json = {{"workflow", workflow.name}, {"runs", workflow.system != nullptr}};
    if (workflow.system) {
      const model::Machine& machine = workflow.system->main();
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
    counts[status] = world_.journal->count(status);
  }
  return json({{"version", world_.version},
               {"folder", run::home_of(world_.folder).filename().string()},
               {"token", {{"name", asked.bearer.name}, {"scope", name_of(asked.bearer.scope)}}},
               {"runs", std::move(counts)}});
}

}  // namespace agneto::serve
