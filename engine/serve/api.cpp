#include "serve/api.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "base/log.h"
#include "base/text.h"
#include "serve/address.h"
#include "serve/body.h"
#include "serve/mcp.h"
#include "serve/reply.h"
#include "workspace/git.h"

namespace agneto::serve {

namespace {

constexpr std::string_view prefix = "/api/v1/";

// More than programs and pages of one person ask, and less than what keeps others from it.
constexpr Rates::Rate of_token{.at_once = 2000, .per_second = 200};
constexpr Rates::Rate of_address{.at_once = 8000, .per_second = 1000};
constexpr Rates::Rate of_failures{.at_once = 20, .per_second = 0.5};
constexpr std::size_t longest_name = 100;

std::string header(const HttpRequest& request, const std::string& name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? "" : found->second;
}

bool is_of_mcp(const HttpRequest& request) {
  return request.path == "/mcp";
}

// Else it is for a page.
bool needs_token(const HttpRequest& request) {
  return request.path.starts_with("/api/") || is_of_mcp(request);
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

// From nobody known.
HttpResponse unknown(const HttpRequest& request) {
  HttpResponse response =
      header(request, "authorization").empty()
          ? problem(401, "a token is needed",
                    "send 'Authorization: Bearer TOKEN'; 'agneto token make NAME' makes one")
          : problem(401, "this token is nobody's here",
                    "it is mistyped or revoked, or of another repository; 'agneto token make NAME' "
                    "makes one");
  response.headers["WWW-Authenticate"] = "Bearer";
  return response;
}

HttpResponse too_often(Millis wait) {
  const auto seconds = (wait.count() + 999) / 1000;
  HttpResponse response =
      problem(429, "that was asked too often", fmt::format("ask again in {} s", seconds));
  response.headers["Retry-After"] = std::to_string(seconds);
  return response;
}

// "10.1.2.3:8420", "[::1]:8420" or "localhost" without the port.
std::string without_port(const std::string& host) {
  if (host.empty()) return host;
  const auto colon = host.rfind(':');
  const bool is_port = colon != std::string::npos && host.find(']', colon) == std::string::npos &&
                       (host.front() == '[' || host.find(':') == colon);
  return is_port ? host.substr(0, colon) : host;
}

// Of "https://localhost:8420", which a browser says of the page that asks.
std::string host_of(const std::string& origin) {
  const auto behind = origin.find("//");
  return behind == std::string::npos ? origin : origin.substr(behind + 2);
}

}  // namespace

Api::Api(World world)
    : world_(std::move(world)),
      requests_(of_token, clock_),
      comers_(of_address, clock_),
      failures_(of_failures, clock_),
      desk_({world_.folder, world_.resources, world_.journal}),
      pictures_(world_.resources.guard),
      scenarios_(world_.program, world_.resources.guard, world_.folder),
      workflows_(world_.folder, world_.resources, pictures_, scenarios_, world_.linter),
      pages_(world_.pages) {}

template <auto deed, int status>
HttpResponse Api::steered(const Asked& asked) const {
  Body body(asked.request.body);
  const journal::RunRecord run = desk_.find(asked.name);
  if constexpr (std::is_invocable_v<decltype(deed), const Desk&, const journal::RunRecord&, Body&,
                                    const std::string&>) {
    return json((desk_.*deed)(run, body, asked.bearer.name), status);
  } else {
    return json((desk_.*deed)(run, body), status);
  }
}

const std::vector<Api::Route>& Api::routes() {
  using enum Scope;
  static const std::vector<Route> all = {
      {"GET", {"runs"}, read, {"status", "workflow", "text", "before", "limit"}, &Api::list},
      {"POST", {"runs"}, Scope::submit, {}, &Api::submit},
      {"GET", {"runs", "*"}, read, {}, &Api::show},
      {"GET", {"runs", "*", "log"}, read, {"after", "limit"}, &Api::log},
      {"GET", {"runs", "*", "record"}, read, {"with"}, &Api::record},
      {"GET", {"totals"}, read, {"runs"}, &Api::totals},
      {"GET", {"runs", "*", "diff"}, read, {"commit"}, &Api::diff},
      {"GET", {"runs", "*", "commits"}, read, {}, &Api::commits},
      {"GET", {"runs", "*", "files"}, read, {}, &Api::files},
      {"GET", {"runs", "*", "data"}, read, {"at"}, &Api::data},
      {"GET", {"runs", "*", "graph"}, read, {"machine", "depth"}, &Api::graph},
      {"GET", {"runs", "*", "events"}, read, {"after"}, &Api::run_events},
      {"POST", {"runs", "*", "answer"}, Scope::answer, {}, &Api::steered<&Desk::answer>},
      {"POST", {"runs", "*", "event"}, Scope::answer, {}, &Api::steered<&Desk::send>},
      {"POST", {"runs", "*", "suspend"}, admin, {}, &Api::steered<&Desk::suspend>},
      {"POST", {"runs", "*", "resume"}, admin, {}, &Api::steered<&Desk::resume>},
      {"POST", {"runs", "*", "abort"}, admin, {}, &Api::steered<&Desk::abort>},
      {"POST", {"runs", "*", "rewind"}, admin, {}, &Api::steered<&Desk::rewind>},
      {"POST", {"runs", "*", "fork"}, admin, {}, &Api::steered<&Desk::fork, 201>},
      {"GET", {"questions"}, read, {}, &Api::questions},
      {"GET", {"events"}, read, {"after"}, &Api::all_events},
      {"GET", {"workflows"}, read, {}, &Api::workflows},
      {"GET", {"workflows", "*"}, read, {}, &Api::workflow},
      {"GET", {"workflows", "*", "graph"}, read, {"depth", "covered"}, &Api::workflow_graph},
      {"GET", {"workflows", "*", "coverage"}, read, {}, &Api::workflow_coverage},
      {"GET", {"schedules"}, read, {}, &Api::schedules},
      {"GET", {"workers"}, read, {}, &Api::workers},
      {"GET", {"server"}, read, {}, &Api::server},
  };
  return all;
}

HttpResponse Api::handle(const HttpRequest& request) const {
  const auto refused = [this](int status, const Error& error) {
    const Redactor redactor = desk_.redactor();
    return problem(status, redactor.text(error.what()), redactor.text(error.help()),
                   error.status());
  };
  if (!needs_token(request)) return pages_.answer(request);
  try {
    return routed(request);
  } catch (const Unusable& error) {
    return refused(422, error);
  } catch (const Ambiguous& error) {
    return refused(400, error);
  } catch (const NotFound& error) {
    return refused(404, error);
  } catch (const run::NotYet& error) {
    return refused(503, error);
  } catch (const Error& error) {
    return refused(409, error);
  }
}

std::optional<Bearer> Api::bearer_in(const HttpRequest& request) const {
  constexpr std::string_view scheme = "bearer ";
  const std::string sent = header(request, "authorization");
  if (!lower(sent).starts_with(scheme)) return std::nullopt;
  return bearer_of(*world_.journal,
                   std::string(trim(std::string_view(sent).substr(scheme.size()))));
}

std::optional<HttpResponse> Api::refusal(const HttpRequest& request) const {
  // A page of somebody else's, whose name leads here, must not get at what a browser here may see.
  // An address is no such name.
  const std::string host = header(request, "host");
  if (!is_own_host(host) && !plain_address(host)) {
    return problem(421, "this server is not called '" + printable(host) + "'",
                   "reach it by its address, or start it with --host and that name");
  }
  const std::string page = header(request, "origin");
  if (is_of_mcp(request) && !page.empty() && !is_own_host(host_of(page))) {
    return problem(403, "this is for programs, and for no page of another server");
  }
  const std::string address = network_of(address_of(request));
  if (const auto wait = comers_.take(address)) return too_often(*wait);
  if (!needs_token(request)) return std::nullopt;
  if (const auto known = bearer_in(request)) {
    const auto wait = requests_.take(known->name);
    return wait ? std::optional(too_often(*wait)) : std::nullopt;
  }
  if (const auto wait = failures_.take(address)) {
    log::warning("tokens that are not good, too often", {{"from", address}});
    return too_often(*wait);
  }
  return unknown(request);
}

std::string Api::name_of_person(const HttpRequest& request, const Bearer& bearer) const {
  if (world_.user_header.empty() || !is_proxy(request.peer)) return bearer.name;
  const std::string user = printable(trim(header(request, lower(world_.user_header))));
  return user.empty() ? bearer.name : shortened(user, longest_name) + " (" + bearer.name + ")";
}

bool Api::is_proxy(const std::string& address) const {
  return std::ranges::find(world_.proxies, address) != world_.proxies.end();
}

// A proxy appends whom it had it from, so the last one that is no proxy itself is to be believed.
// What is no address was written by somebody else, and the proxy that passed it on stands for them.
std::string Api::address_of(const HttpRequest& request) const {
  if (!is_proxy(request.peer)) return request.peer;
  std::string address = request.peer;
  auto told = workspace::split(header(request, "x-forwarded-for"), ',');
  while (!told.empty()) {
    const auto each = plain_address(trim(told.back()));
    told.pop_back();
    if (!each) break;
    address = *each;
    if (!is_proxy(address)) break;
  }
  return address;
}

HttpResponse Api::routed(const HttpRequest& request) const {
  auto known = bearer_in(request);
  if (!known) return unknown(request);  // it was revoked just now
  known->name = name_of_person(request, *known);
  if (is_of_mcp(request)) {
    return answer_over_http(
        {world_.folder, world_.resources, world_.version, &desk_, std::move(*known)}, request);
  }
  const auto parts = parts_of(request.path);
  std::string allowed;
  for (const Route& route : routes()) {
    if (!matches(route.path, parts)) continue;
    if (route.method != request.method) {
      allowed += (allowed.empty() ? "" : ", ") + route.method;
      continue;
    }
    if (known->scope < route.scope) {
      return problem(403, too_little(*known, route.scope));
    }
    for (const auto& [name, value] : request.query) {
      if (std::ranges::find(route.query, name) != route.query.end()) continue;
      throw Unusable("unknown '" + printable(name) + "' in the query",
                     suggestion(name, route.query, "names"));
    }
    if (request.repeated) {
      throw Ambiguous("the query says '" + printable(*request.repeated) + "' twice", "say it once");
    }
    return (this->*route.answer)(
        {request, parts.size() > 1 ? decoded(parts[1], false) : "", *known});
  }
  if (!allowed.empty()) {
    HttpResponse response = problem(405, "this is not done by " + printable(request.method));
    response.headers["Allow"] = allowed;
    return response;
  }
  return problem(404, "there is nothing at this address");
}

bool Api::is_own_host(const std::string& told) const {
  const std::string host = lower(without_port(told));
  if (is_loopback(host)) return true;
  return std::ranges::any_of(
      world_.hosts, [&](const std::string& name) { return lower(without_port(name)) == host; });
}

}  // namespace agneto::serve
