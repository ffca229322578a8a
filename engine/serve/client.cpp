#include "serve/client.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <thread>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"

namespace agneto::serve {

namespace {

constexpr std::size_t most_bytes = 64 << 20;
constexpr long until_connected_s = 10;
// An answer may take as long as whoever works on a run takes to come to it.
constexpr long until_answered_s = 60;
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

bool is_loopback(const std::string& host) {
  in_addr four{};
  const bool is_four = ::inet_pton(AF_INET, host.c_str(), &four) == 1;
  return host == "localhost" || host == "[::1]" ||
         (is_four && ntohl(four.s_addr) >> 24 == IN_LOOPBACKNET);
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

std::size_t take(char* data, std::size_t size, std::size_t count, void* into) {
  auto& body = *static_cast<std::string*>(into);
  if (body.size() + size * count > most_bytes) return 0;  // ends it
  body.append(data, size * count);
  return size * count;
}

std::string text_of(const Json& json, const char* key) {
  const Json& value = member(json, key);
  return value.is_string() ? printable(value.get<std::string>()) : std::string();
}

// What the server says is wrong.
[[noreturn]] void fail(const std::string& url, long status, const std::string& body) {
  const Json problem = Json::parse(body, nullptr, false);
  const std::string title = problem.is_object() ? text_of(problem, "title") : "";
  if (title.empty()) {
    throw Error(fmt::format("{} answers with {}, and not as a server of agneto does", url, status),
                "is that where 'agneto serve --listen' says that it is?", ExitStatus::failed);
  }
  const std::string help = text_of(problem, "detail");
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

struct Client::Connection {
  Connection() : handle(curl_easy_init()) {
    if (!handle) throw Error("libcurl cannot be used", "", ExitStatus::failed);
  }
  ~Connection() {
    curl_slist_free_all(headers);
    curl_easy_cleanup(handle);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  CURL* handle;
  curl_slist* headers = nullptr;
  std::array<char, CURL_ERROR_SIZE> error{};
  bool answered = false;  // it has, at least once
};

Client::Client(const std::string& url, std::string token)
    : url_(checked(url)), token_(std::move(token)), connection_(std::make_unique<Connection>()) {
  const auto is_control = [](unsigned char c) { return std::iscntrl(c) != 0 || c == ' '; };
  if (std::ranges::any_of(token_, is_control)) {
    throw Error("that is no token", "'agneto token make NAME' prints one, on the server");
  }
  CURL* handle = connection_->handle;
  curl_slist*& headers = connection_->headers;
  headers = curl_slist_append(headers, ("Authorization: Bearer " + token_).c_str());
  headers = curl_slist_append(headers, "Content-Type: application/json");
  headers = curl_slist_append(headers, "Expect:");
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, connection_->error.data());
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, until_connected_s);
  curl_easy_setopt(handle, CURLOPT_TIMEOUT, until_answered_s);
}

Client::~Client() = default;

std::string Client::ask(const std::string& path, const std::string* body) {
  CURL* handle = connection_->handle;
  const std::string url = url_ + "/api/v1/" + path;
  std::string answer;
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &answer);
  if (body) {
    curl_easy_setopt(handle, CURLOPT_POST, 1L);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body->size()));
    curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, body->c_str());
  } else {
    curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L);
  }
  connection_->error[0] = '\0';
  CURLcode code = curl_easy_perform(handle);
  // A server that has answered before is started anew; what is only read can be asked for again.
  const SystemClock clock;
  for (const Millis until = clock.elapsed() + until_it_is_back;
       code != CURLE_OK && !body && connection_->answered && clock.elapsed() < until;) {
    std::this_thread::sleep_for(between_tries);
    answer.clear();
    code = curl_easy_perform(handle);
  }
  if (code != CURLE_OK) {
    const char* said =
        connection_->error[0] != '\0' ? connection_->error.data() : curl_easy_strerror(code);
    const bool may_be_done =
        body && code != CURLE_COULDNT_CONNECT && code != CURLE_COULDNT_RESOLVE_HOST;
    throw Error("cannot ask " + url_ + ": " + printable(said),
                may_be_done ? "it may have been done all the same: look at 'agneto runs' first"
                            : "is a server there? It is started by 'agneto serve --listen "
                              "ADDRESS:PORT'",
                ExitStatus::failed);
  }
  connection_->answered = true;
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  if (status >= 300 && status < 400) {
    throw Error(fmt::format("{} leads to another address ({}), to which your token is not sent",
                            url_, status),
                "give the address of the server itself", ExitStatus::failed);
  }
  if (status < 200 || status >= 300) fail(url_, status, answer);
  return answer;
}

Json Client::json(const std::string& path, const std::string* body) {
  const std::string answer = ask(path, body);
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

Json Client::post(const std::string& path, const Json& body) {
  const std::string text = to_text(body);
  return json(path, &text);
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
