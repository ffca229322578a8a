// What a service manager, such as systemd, and a server say to each other.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "serve/http.h"

namespace agneto::cli {

// Where the socket listens that the manager has handed over to this process, which no program that
// this starts gets; nothing: there is none. Throws Error where it is none for HTTP.
std::optional<serve::HttpServer::Options> socket_handed_over();

// All do nothing where no manager listens.
void say_ready();
void say_stopping();
// That the server is not stuck: to be called again and again, however often.
class Watchdog {
 public:
  Watchdog();
  void is_alive();

 private:
  SystemClock clock_;
  std::optional<Millis> interval_;
  Millis said_{0};
};

}  // namespace agneto::cli
