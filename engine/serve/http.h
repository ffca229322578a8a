// HTTP as the API needs it, by libmicrohttpd: requests are answered on a few threads, and thousands
// of streams wait without one of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace agneto::serve {

struct HttpRequest {
  std::string method;  // "GET", "POST", …
  std::string path;    // as it was sent: not decoded
  std::map<std::string, std::string> query;
  std::optional<std::string> repeated = {};    // a name that the query has more than once
  std::map<std::string, std::string> headers;  // by names in lower case
  std::string body;                            // at most `longest_body` bytes
  std::string peer = {};                       // the plain address (address.h) that it came from
};

// What a client is sent bit by bit. Called on the server's threads, by one at a time.
class Stream {
 public:
  virtual ~Stream() = default;
  // What is to be sent next; empty: nothing yet; nothing: that was all.
  virtual std::optional<std::string> next() = 0;
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::map<std::string, std::string> headers = {};
  std::unique_ptr<Stream> stream = {};  // instead of the body, without an end
};

class HttpServer {
 public:
  struct Options {
    std::string address = "127.0.0.1";  // of IPv4 or IPv6
    std::uint16_t port = 0;             // 0: one that is free
    int descriptor =
        -1;  // a socket that listens there already, which becomes this server's; -1: none
    std::size_t longest_body = 1 << 20;
    unsigned most_connections = 12'000;
    unsigned patience = 30;                 // seconds that a client may take for its next byte
    std::vector<std::string> proxies = {};  // that are trusted: plain addresses (address.h)
  };
  struct Handler {
    // Why the request is not answered, before its body is read; nothing: it is. Must not wait.
    std::function<std::optional<HttpResponse>(const HttpRequest&)> refusal;
    // Called on several threads at the same time, and may wait: other clients do not.
    std::function<HttpResponse(const HttpRequest&)> answer;
  };

  // What a handler throws is answered with 500. Throws Error where nothing can be served there.
  HttpServer(Options options, Handler handler);
  // Ends all connections.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  // From any thread: waits until a client is sent a stream. False: it was stopped.
  bool await_stream(const std::stop_token& stop);
  // From any thread: streams may have something to send.
  void wake_streams();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace agneto::serve
