// How runs stand, and what happens in them.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/log.h"
#include "base/text.h"
#include "run/prepare.h"
#include "serve/api.h"
#include "serve/body.h"
#include "serve/reply.h"
#include "serve/scheduler.h"
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

// How many levels of machines are drawn within.
int depth_in(const HttpRequest& request) {
  constexpr std::int64_t most = 10;  // each is another picture, which costs up to seconds
  return static_cast<int>(std::min(number_in(request, "depth", 0, 0), most));
}

HttpResponse svg(std::string picture) {
  HttpResponse response;
  response.type = "image/svg+xml";
  response.headers = {{"Cache-Control", "no-store"},
                      {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"}};
  response.body = std::move(picture);
  return response;
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

// A list costs something, and many ask for the same one. `of`: all that it depends on.
HttpResponse Api::once(const std::string& of, const std::function<HttpResponse()>& make) const {
  HttpResponse response = json({});
  response.body = lists_.answer(of, [&] { return make().body; });
  return response;
}

HttpResponse Api::list(const Asked& asked) const {
  const auto text = [&](const char* name) { return text_in(asked.request, name); };
  const Listing unless_said;
  const auto limit = number_in(asked.request, "limit", 1, unless_said.limit);
  const std::vector<std::string>& known = Listing::known_statuses();
  for (const std::string& status : texts_in(asked.request, "status")) {
    if (std::ranges::find(known, status) != known.end()) continue;
    throw Unusable("there is no status '" + printable(status) + "'",
                   suggestion(status, known, "statuses"));
  }
  const Listing wanted{.statuses = texts_in(asked.request, "status"),
                       .workflow = text("workflow"),
                       .text = text("text"),
                       .before = text("before"),
                       .limit = static_cast<std::size_t>(limit)};
  return once(fmt::format("runs {} {}", world_.journal->newest_change(),
                          to_text(Json(asked.request.query))),
              [&] { return json(desk_.list(wanted)); });
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
  response.body = desk_.diff(desk_.find(asked.name), text_in(asked.request, "commit"));
  return response;
}

HttpResponse Api::commits(const Asked& asked) const {
  return json(desk_.commits(desk_.find(asked.name)));
}

HttpResponse Api::files(const Asked& asked) const {
  return json(desk_.files(desk_.find(asked.name)));
}

HttpResponse Api::data(const Asked& asked) const {
  return json(desk_.moment(desk_.find(asked.name), number_in(asked.request, "at", 1, 0)));
}

HttpResponse Api::graph(const Asked& asked) const {
  const journal::RunRecord run = desk_.find(asked.name);
  const std::string machine = text_in(asked.request, "machine");
  const int depth = depth_in(asked.request);
  return svg(pictures_.svg(
      fmt::format("run {} {} {} {}", run.id, world_.journal->newest(run.id), depth, machine),
      [&] { return desk_.picture(run, machine, depth); }, desk_.redactor()));
}

HttpResponse Api::run_events(const Asked& asked) const {
  const journal::RunRecord run = desk_.find(asked.name);
  const std::string last = last_id(asked.request);
  const auto after = last.empty() ? EventId() : event_id_of(last);
  if (!after) throw Unusable("'" + printable(last) + "' is no id of an event", "such as 12.1");
  return streamed(asked, events_of_run(*world_.journal, world_.folder, desk_.redactor(), run.id,
                                       *after, replays_));
}

HttpResponse Api::all_events(const Asked& asked) const {
  const std::string last = last_id(asked.request);
  const auto after = last.empty() ? std::optional(world_.journal->newest_change())
                                  : parse_number<std::int64_t>(last);
  if (!after || *after < 0) {
    throw Unusable("'" + printable(last) + "' is no id of an event", "such as 12");
  }
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
  return once("workflows", [&] {
    return json({{"workflows", desk_.redactor().json(workflows_.list())}});
  });
}

HttpResponse Api::workflow(const Asked& asked) const {
  return json(desk_.redactor().json(workflows_.shown(asked.name)));
}

HttpResponse Api::workflow_graph(const Asked& asked) const {
  const std::string covered = text_in(asked.request, "covered");
  if (!covered.empty() && covered != "true" && covered != "false") {
    throw Unusable("'covered' is true or false, not '" + printable(covered) + "'");
  }
  return svg(
      workflows_.svg(asked.name, depth_in(asked.request), covered == "true", desk_.redactor()));
}

HttpResponse Api::workflow_coverage(const Asked& asked) const {
  return json(desk_.redactor().json(workflows_.coverage(asked.name)));
}

HttpResponse Api::schedules(const Asked&) const {
  return once("schedules", [&] {
    const run::Config config = run::current_config(world_.folder, world_.resources);
    const std::string home = run::home_of(world_.folder).string();
    const auto wrong = run::wrong_schedules(config, world_.folder, world_.resources, Disk());
    const Json all = described(config.schedules, wrong, world_.journal.get(), home, clock_.now());
    return json({{"schedules", desk_.redactor().json(all)}});
  });
}

HttpResponse Api::workers(const Asked&) const {
  return once("workers", [&] { return json(desk_.workers()); });
}

// How many runs there may be at work. Null where the configuration cannot be read: then nobody
// takes up runs. Files are read for that, and pages ask again and again.
Json Api::places() const {
  return Json::parse(lists_.answer("places", [&] {
    try {
      const run::Concurrency most =
          run::current_config(world_.folder, world_.resources).concurrency;
      const Json told = {{"runs", most.runs},
                         {"workflows", most.bounds.workflows},
                         {"providers", most.bounds.providers}};
      return to_text(told);
    } catch (const Error&) {
      return std::string("null");
    }
  }));
}

HttpResponse Api::server(const Asked& asked) const {
  Json counts = Json::object();
  for (const char* status : {"queued", "running", "parked", "suspended"}) {
    counts[status] = world_.journal->count(status);
  }
  Json body = {{"version", world_.version},
               {"folder", run::home_of(world_.folder).filename().string()},
               {"token", {{"name", asked.bearer.name}, {"scope", name_of(asked.bearer.scope)}}},
               {"runs", std::move(counts)}};
  if (Json most = places(); !most.is_null()) body["places"] = std::move(most);
  return json(body);
}

}  // namespace agneto::serve
