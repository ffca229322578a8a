#include "serve/client.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <thread>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "serve/address.h"

namespace agneto::serve {

namespace {

constexpr std::size_t most_bytes = 64 << 20;
constexpr std::chrono::seconds until_connected{10};
// Before it answers, a server may wait until whoever works on the run has read the word.
constexpr std::chrono::seconds until_answered{60};
// A server that is started anew is back by then.
constexpr Millis until_it_is_back{60'000};
constexpr Millis between_tries{200};

using Url = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

std::string part_of(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return "";
  std::string copy = text;
  curl_free(text);
  return copy;
}

// Without what follows its last name.
std::string checked(const std::string& text) {
  const Url url(curl_url(), curl_url_cleanup);
  const bool is_url = curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) == CURLUE_OK;
  const std::string scheme = part_of(url.get(), CURLUPART_SCHEME);
  const std::string host = part_of(url.get(), CURLUPART_HOST);
  if (!is_url || (scheme != "http" && scheme != "https") || host.empty() ||
      !part_of(url.get(), CURLUPART_USER).empty() || !part_of(url.get(), CURLUPART_QUERY).empty() ||
      !part_of(url.get(), CURLUPART_FRAGMENT).empty()) {
    throw Error("--server '" + printable(text) + "' is no address of a server",
                "write such as https://agneto.example.com or http://127.0.0.1:8420");
  }
  if (scheme == "http" && !is_loopback(host)) {
    throw Error("your token would go to " + printable(host) + " without being encrypted",
                "reach it by https, or by a tunnel: ssh -L 8420:127.0.0.1:8420 " + printable(host));
  }
  constexpr std::string_view of_api = "/api/v1";
  std::string base = text;
  while (base.ends_with('/')) base.pop_back();
  if (base.ends_with(of_api)) base.resize(base.size() - of_api.size());  // as the server prints it
  return base;
}

std::string printable_text(const Json& json, const char* key) {
  const Json& value = member(json, key);
  return value.is_string() ? printable(value.get<std::string>()) : std::string();
}

[[noreturn]] void not_of_agneto(const std::string& url, long status) {
  throw Error(fmt::format("{} answers with {}, and not as a server of agneto does", url, status),
              "is that where 'agneto serve --listen' says that it is?", ExitStatus::failed);
}

// What the server says is wrong.
[[noreturn]] void fail(const std::string& url, long status, const std::string& body) {
  const Json problem = Json::parse(body, nullptr, false);
  const std::string title = problem.is_object() ? printable_text(problem, "title") : "";
  if (title.empty()) not_of_agneto(url, status);
  const std::string help = printable_text(problem, "detail");
  // What is of runs is said as if it had been met here; what is not, such as a token that is not
  // good, is the server's own word.
  constexpr std::array about_runs = {404L, 409L, 422L, 503L};
  if (std::ranges::find(about_runs, status) == about_runs.end()) {
    throw Error(url + ": " + title, help, ExitStatus::failed);
  }
  const Json& exit = member(problem, "exit");
  if (!exit.is_number_integer()) throw Error(title, help);
  const auto number = exit.get<std::int64_t>();
  const bool is_known = number >= 1 && number <= 4;
  throw Error(title, help, is_known ? static_cast<ExitStatus>(number) : ExitStatus::failed);
}

}  // namespace

Client::Client(const std::string& url, std::string token)
    : url_(checked(url)), token_(std::move(token)) {
  const auto is_control = [](unsigned char c) { return std::iscntrl(c) != 0 || c == ' '; };
  if (std::ranges::any_of(token_, is_control)) {
    throw Error("that is no token", "'agneto token make NAME' prints one, on the server");
  }
}

// A server that has been there before is started anew.
HttpClient::Reply Client::answer_to(const HttpClient::Request& request, bool may_repeat) {
  const SystemClock clock;
  for (const Millis until = clock.elapsed() + until_it_is_back;;) {
    try {
      HttpClient::Reply reply = http_.ask(request);
      was_there_ = true;
      return reply;
    } catch (const Unanswered& error) {
      was_there_ = was_there_ || error.was_sent();
      if (!may_repeat || !was_there_ || clock.elapsed() >= until) throw;
    }
    std::this_thread::sleep_for(between_tries);
  }
}

std::string Client::ask(const std::string& path, const Sent* sent) {
  HttpClient::Request request{
      .url = url_ + "/api/v1/" + path,
      .headers = {"Authorization: Bearer " + token_, "Content-Type: application/json", "Expect:"},
      .to_connect = until_connected,
      .in_all = until_answered,
      .most_bytes = most_bytes};
  if (sent) request.body = sent->body;
  if (sent && !sent->key.empty()) request.headers.push_back("Idempotency-Key: " + sent->key);
  HttpClient::Reply reply;
  try {
    reply = answer_to(request, !sent || !sent->key.empty());
  } catch (const Unanswered& error) {
    throw Error("cannot ask " + url_ + ": " + printable(error.details()),
                sent && error.was_sent()
                    ? "it may have been done all the same: look at 'agneto runs' first"
                : url_.starts_with("https:")
                    ? "is a server there, and a proxy in front of it that speaks TLS? Without one "
                      "its address begins with http:"
                    : "is a server there? It is started by 'agneto serve --listen ADDRESS:PORT'",
                ExitStatus::failed);
  }
  const long status = reply.status;
  if (status >= 300 && status < 400) {
    throw Error(fmt::format("{} leads to another address ({}), to which your token is not sent",
                            url_, status),
                "give the address of the server itself", ExitStatus::failed);
  }
  if (status < 200 || status >= 300) fail(url_, status, reply.body);
  return reply.body;
}

Json Client::json(const std::string& path, const Sent* sent) {
  const std::string answer = ask(path, sent);
  Json parsed = Json::parse(answer, nullptr, false);
  if (!parsed.is_object()) fail(url_, 200, answer);
  return parsed;
}

Json Client::get(const std::string& path) {
  return json(path, nullptr);
}

std::string Client::text(const std::string& path) {
  return ask(path, nullptr);
}

Json Client::post(const std::string& path, const Json& body, const std::string& key) {
  const Sent sent{to_text(body), key};
  return json(path, &sent);
}

void Client::disbelieve() const {
  not_of_agneto(url_, 200);
}

std::string encoded(const std::string& text) {
  std::string result;
  for (const unsigned char c : text) {
    if (std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '~') {
      result += static_cast<char>(c);
    } else {
      result += fmt::format("%{:02X}", c);
    }
  }
  return result;
}

}  // namespace agneto::serve
