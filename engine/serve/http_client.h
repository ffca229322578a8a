// Requests to servers, by libcurl. Nobody is followed elsewhere, and certificates are checked.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace agneto::serve {

// There is no answer. `what` does not name the address.
class Unanswered : public Error {
 public:
  Unanswered(const std::string& what, std::string details, bool was_sent)
      : Error(what), details_(std::move(details)), was_sent_(was_sent) {}
  // The same with the address.
  const std::string& details() const { return details_; }
  // May the request have come to the server all the same?
  bool was_sent() const { return was_sent_; }

 private:
  std::string details_;
  bool was_sent_;
};

// Keeps its connection for the next request. One request at a time.
class HttpClient {
 public:
  struct Request {
    std::string url;
    std::vector<std::string> headers = {};
    std::optional<std::string> body = {};  // of a POST; nothing: a GET
    std::chrono::seconds to_connect;
    std::chrono::seconds in_all;
    std::optional<std::size_t> most_bytes = {};  // of an answer; nothing: it is not kept
    std::stop_token stop = {};
  };
  struct Reply {
    long status = 0;
    std::string body;
  };

  HttpClient();
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Throws Unanswered.
  Reply ask(const Request& request);

 private:
  std::string words_;  // libcurl's, of what went wrong
  void* handle_;
};

}  // namespace agneto::serve
