#include "serve/api.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "run/secrets.h"
#include "serve/body.h"
#include "serve/reply.h"
#include "workspace/git.h"

namespace agneto::serve {

namespace {

constexpr std::string_view prefix = "/api/v1/";

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
  const auto known =
      bearer.starts_with(scheme)
          ? bearer_of(*world_.journal, std::string(trim(bearer.substr(scheme.size()))))
          : std::nullopt;
  if (!known) {
    HttpResponse response =
        problem(401, "a token is needed",
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
      return problem(403, fmt::format("the token '{}' is for '{}', and this needs '{}'",
                                      known->name, name_of(known->scope), name_of(route.scope)));
    }
    return (this->*route.answer)(
        {request, parts.size() > 1 ? decoded(parts[1], false) : "", *known});
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

}  // namespace agneto::serve
