#include "serve/api.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"
#include "base/text.h"
#include "run/reader.h"
#include "run/rewind.h"
#include "run/secrets.h"
#include "run/steer.h"
#include "serve/body.h"
#include "serve/streams.h"
#include "workspace/git.h"
#include "workspace/inspect.h"

namespace agneto::serve {

namespace {

constexpr std::string_view prefix = "/api/v1/";
constexpr std::int64_t page = 50;  // runs, unless said
constexpr std::int64_t longest_page = 500;
constexpr std::size_t looked_at = 500;  // runs at a time, for those with a text

class Quiet : public record::Observer {
  void event(const record::RunEvent&) override {}
};

HttpResponse json(const Json& body, int status = 200) {
  HttpResponse response;
  response.status = status;
  response.body = to_text(body) + "\n";
  response.headers["Cache-Control"] = "no-store";
  return response;
}

// As RFC 9457 has it.
HttpResponse problem(int status, const std::string& title, const std::string& help = {}) {
  Json body = {{"title", title}, {"status", status}};
  if (!help.empty()) body["detail"] = help;
  HttpResponse response = json(body, status);
  response.type = "application/problem+json";
  return response;
}

HttpResponse streamed(std::unique_ptr<Stream> stream) {
  HttpResponse response;
  response.type = "text/event-stream";
  response.headers["Cache-Control"] = "no-store";
  response.headers["X-Accel-Buffering"] = "no";  // proxies are to pass it on as it comes
  response.stream = std::move(stream);
  return response;
}

std::string header(const HttpRequest& request, const std::string& name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? "" : found->second;
}

// The names and words of a path; its first is behind the prefix.
std::vector<std::string> parts_of(const std::string& path) {
  if (!path.starts_with(prefix)) return {};
  return workspace::split(path.substr(prefix.size()), '/');
}

bool matches(const std::vector<std::string>& pattern, const std::vector<std::string>& parts) {
  return std::ranges::equal(pattern, parts, [](const std::string& wanted, const std::string& part) {
    return wanted == part || (wanted == "*" && !part.empty());
  });
}

// "10.1.2.3:8420", "[::1]:8420" or "localhost" without the port.
std::string without_port(const std::string& host) {
  const auto colon = host.rfind(':');
  const bool is_port = colon != std::string::npos && host.find(']', colon) == std::string::npos &&
                       (host.front() == '[' || host.find(':') == colon);
  return is_port ? host.substr(0, colon) : host;
}

// The id that a client has seen last: in its header, or, at first, in the query.
std::string last_id(const HttpRequest& request) {
  const std::string sent = header(request, "last-event-id");
  return sent.empty() ? text_in(request, "after") : sent;
}

}  // namespace

Api::Api(World world)
    : world_(std::move(world)),
      home_(run::home_of(world_.folder) / ".agneto"),
      redactor_(run::redactor_for(world_.folder)) {}

const std::vector<Api::Route>& Api::routes() {
  using enum Scope;
  static const std::vector<Route> all = {
      {"GET", {"runs"}, read, &Api::list},
      {"POST", {"runs"}, Scope::submit, &Api::submit},
      {"GET", {"runs", "*"}, read, &Api::show},
      {"GET", {"runs", "*", "log"}, read, &Api::log},
      {"GET", {"runs", "*", "diff"}, read, &Api::diff},
      {"GET", {"runs", "*", "events"}, read, &Api::run_events},
      {"POST", {"runs", "*", "answer"}, Scope::answer, &Api::answer},
      {"POST", {"runs", "*", "event"}, Scope::answer, &Api::send},
      {"POST", {"runs", "*", "suspend"}, admin, &Api::suspend},
      {"POST", {"runs", "*", "resume"}, admin, &Api::resume},
      {"POST", {"runs", "*", "abort"}, admin, &Api::abort},
      {"POST", {"runs", "*", "rewind"}, admin, &Api::rewind},
      {"POST", {"runs", "*", "fork"}, admin, &Api::fork},
      {"GET", {"questions"}, read, &Api::questions},
      {"GET", {"events"}, read, &Api::all_events},
      {"GET", {"workflows"}, read, &Api::workflows},
      {"GET", {"server"}, read, &Api::server},
  };
  return all;
}

HttpResponse Api::handle(const HttpRequest& request) const {
  try {
    return routed(request);
  } catch (const Unusable& error) {
    return problem(422, error.what(), error.help());
  } catch (const NotFound& error) {
    return problem(404, error.what(), error.help());
  } catch (const Error& error) {
    const bool is_ours = error.status() == ExitStatus::failed;
    return problem(is_ours ? 503 : 409, redactor_.text(error.what()), redactor_.text(error.help()));
  }
}

HttpResponse Api::routed(const HttpRequest& request) const {
  if (!is_own_host(request)) {
    return problem(421, "this server is not called '" + printable(header(request, "host")) + "'",
                   "reach it by an address of its own");
  }
  const std::string bearer = header(request, "authorization");
  constexpr std::string_view scheme = "Bearer ";
  const auto known = bearer.starts_with(scheme)
                         ? bearer_of(*world_.journal, std::string(trim(bearer.substr(scheme.size()))))
                         : std::nullopt;
  if (!known) {
    HttpResponse response = problem(401, "a token is needed",
                                    "send 'Authorization: Bearer TOKEN'; 'agneto token make NAME' makes one");
    response.headers["WWW-Authenticate"] = "Bearer";
    return response;
  }
  const auto parts = parts_of(request.path);
  const Route* elsewhere = nullptr;
  for (const Route& route : routes()) {
    if (!matches(route.path, parts)) continue;
    if (route.method != request.method) {
      elsewhere = &route;
      continue;
    }
    if (known->scope < route.scope) {
      return problem(403, fmt::format("the token '{}' is for '{}', and this needs '{}'", known->name,
                                      name_of(known->scope), name_of(route.scope)));
    }
    return (this->*route.answer)({request, parts.size() > 1 ? decoded(parts[1], false) : "", *known});
  }
  if (elsewhere) {
    HttpResponse response = problem(405, "this is not done by " + printable(request.method));
    response.headers["Allow"] = elsewhere->method;
    return response;
  }
  return problem(404, "there is nothing at this address");
}

// A page of somebody else's, whose name leads here, must not get at what a browser here may see.
bool Api::is_own_host(const HttpRequest& request) const {
  const std::string host = without_port(header(request, "host"));
  const auto is_local = [&](const char* name) { return host == name; };
  return std::ranges::any_of(std::initializer_list<const char*>{"127.0.0.1", "localhost", "[::1]"},
                             is_local) ||
         std::ranges::find(world_.hosts, host) != world_.hosts.end();
}

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
      const bool is_wanted = std::ranges::find(statuses, json["status"].get<std::string>()) != statuses.end() ||
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

HttpResponse Api::submit(const Asked& asked) const {
  Body body(asked.request.body);
  run::Request request;
  request.folder = world_.folder;
  request.workflow = body.text("workflow").value_or("agneto");
  request.task = body.text("task");
  request.inputs = body.texts("inputs");
  request.provider = body.text("agent").value_or("");
  request.model = body.text("model").value_or("");
  request.base = body.text("base").value_or("");
  request.auto_merge = body.flag("auto_merge", false);
  request.interactive = body.flag("interactive", true);
  const auto priority = body.number("priority").value_or(0);
  body.end();
  // A path would lead anywhere on this machine.
  if (request.workflow.find("..") != std::string::npos || request.workflow.starts_with('/')) {
    throw Unusable("'workflow' is a name, such as 'agneto' or 'kit/review'");
  }
  if (priority < -100 || priority > 100) throw Unusable("'priority' is from -100 to 100");
  try {
    const run::Queued queued = run::Assembly::enqueue(
        request, world_.resources, static_cast<int>(priority), asked.bearer.name);
    Json made = described(*world_.journal->find(queued.run));
    made["remarks"] = queued.remarks;
    HttpResponse response = json(made, 201);
    response.headers["Location"] = std::string(prefix) + "runs/" + queued.run;
    return response;
  } catch (const Unusable&) {
    throw;
  } catch (const Error& error) {
    if (error.status() == ExitStatus::failed) throw;
    throw Unusable(redactor_.text(error.what()), redactor_.text(error.help()));
  }
}

HttpResponse Api::show(const Asked& asked) const {
  const journal::RunRecord run = run_of(asked);
  const journal::RunRecord shown = run::shown(run, world_.folder, redactor_);
  Json body = described(run);
  body["newest"] = world_.journal->newest(run.id);
  body["totals"] =
      record::to_json(run::totals_of(*world_.journal, shown, SystemClock().now()));
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
    const auto loaded =
        model::load(file, Disk(), diagnostics, world_.resources.library());
    Json json = {{"workflow", file.stem().string()}, {"runs", loaded.system != nullptr}};
    if (loaded.system) {
      const model::Machine& machine = loaded.system->main();
      json["description"] = machine.description;
      json["inputs"] = Json::array();
      for (const auto& input : machine.inputs) {
        json["inputs"].push_back({{"name", input.name},
                                  {"main", input.main},
                                  {"description", input.description}});
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

HttpResponse Api::steered(const Asked& asked,
                          const std::function<void(const journal::RunRecord&)>& act) const {
  const journal::RunRecord run = run_of(asked);
  const log::Scope scope(run.id);
  act(run);
  return json(described(*world_.journal->find(run.id)));
}

HttpResponse Api::answer(const Asked& asked) const {
  Body body(asked.request.body);
  run::Answer given;
  given.option = body.text("option").value_or("");
  given.feedback = body.text("feedback").value_or("");
  given.edited = body.text("edited");
  const std::string question = body.text("question").value_or("");
  body.end();
  Quiet quiet;
  return steered(asked, [&](const journal::RunRecord& run) {
    run::answer({world_.folder, world_.resources, world_.journal, asked.bearer.name, quiet}, run,
                question, given);
  });
}

HttpResponse Api::send(const Asked& asked) const {
  Body body(asked.request.body);
  const std::string name = body.text("name").value_or("");
  const Json data = body.value("data");
  body.end();
  Quiet quiet;
  return steered(asked, [&](const journal::RunRecord& run) {
    run::send({world_.folder, world_.resources, world_.journal, asked.bearer.name, quiet}, run, name,
              data);
  });
}

HttpResponse Api::suspend(const Asked& asked) const {
  Body body(asked.request.body);
  const bool after_call = body.flag("after_call", false);
  body.end();
  Quiet quiet;
  return steered(asked, [&](const journal::RunRecord& run) {
    run::suspend({world_.folder, world_.resources, world_.journal, asked.bearer.name, quiet}, run,
                 after_call);
  });
}

HttpResponse Api::resume(const Asked& asked) const {
  Body(asked.request.body).end();
  return steered(asked, [&](const journal::RunRecord& run) {
    run::enqueue_again(*world_.journal, home_, run.id, asked.bearer.name);
  });
}

HttpResponse Api::abort(const Asked& asked) const {
  Body(asked.request.body).end();
  Quiet quiet;
  return steered(asked, [&](const journal::RunRecord& run) {
    run::abort({world_.folder, world_.resources, world_.journal, asked.bearer.name, quiet}, run);
  });
}

HttpResponse Api::rewind(const Asked& asked) const {
  Body body(asked.request.body);
  const auto to = body.number("to");
  body.end();
  if (!to) throw Unusable("'to' is missing", "the number of the entry to go back to");
  return steered(asked, [&](const journal::RunRecord& run) {
    run::rewind({world_.folder, run.id, *to}, world_.resources);
  });
}

HttpResponse Api::fork(const Asked& asked) const {
  Body body(asked.request.body);
  const auto at = body.number("at");
  body.end();
  if (!at) throw Unusable("'at' is missing", "the number of the entry to go on from");
  const journal::RunRecord run = run_of(asked);
  const run::Restored forked = run::fork({world_.folder, run.id, *at}, world_.resources);
  return json(described(*world_.journal->find(forked.run)), 201);
}

}  // namespace agneto::serve
