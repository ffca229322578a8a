// Asks a server's API, as another program than it does.
#pragma once

#include <string>

#include "base/json.h"
#include "serve/http_client.h"

namespace agneto::serve {

class Client {
 public:
  // `url`: where the server is, such as "https://agneto.example.com". Throws Error where that is no
  // address of one, or the token would go there without being encrypted, over a network.
  Client(const std::string& url, std::string token);

  // What is answered, of the path and query below /api/v1/. Each throws Error: what the server says
  // is wrong, with the exit status that it would have there; or why it cannot be asked.
  Json get(const std::string& path);
  std::string text(const std::string& path);
  // `key`: where there is one, what is asked for is done once however often it is said with that
  // key, so that it is said again where no answer comes.
  Json post(const std::string& path, const Json& body, const std::string& key = {});

  // Throws Error: what was answered is nothing that a server of agneto answers.
  [[noreturn]] void disbelieve() const;

 private:
  // What is sent by POST.
  struct Sent {
    std::string body;
    std::string key;
  };
  HttpClient::Reply answer_to(const HttpClient::Request& request, bool may_repeat);
  std::string ask(const std::string& path, const Sent* sent);
  Json json(const std::string& path, const Sent* sent);

  const std::string url_;
  const std::string token_;
  HttpClient http_;
  bool was_there_ = false;  // it was sent something at least once
};

// A name as a part of a path, or a value in a query.
std::string encoded(const std::string& text);

}  // namespace agneto::serve
