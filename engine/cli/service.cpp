#include "cli/service.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>

#include <array>

#include "base/error.h"

namespace agneto::cli {

std::optional<serve::HttpServer::Options> socket_handed_over() {
  const int count = sd_listen_fds(1);
  if (count <= 0) return std::nullopt;
  const int descriptor = SD_LISTEN_FDS_START;
  if (count > 1 || sd_is_socket(descriptor, AF_UNSPEC, SOCK_STREAM, 1) <= 0) {
    throw Error("the service manager has handed over something else than one socket that listens",
                "a server takes one: ListenStream= in its .socket unit, once");
  }
  serve::HttpServer::Options options;
  options.descriptor = descriptor;
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&storage), &size);
  std::array<char, INET6_ADDRSTRLEN> text{};
  const auto* four = reinterpret_cast<const sockaddr_in*>(&storage);
  const auto* six = reinterpret_cast<const sockaddr_in6*>(&storage);
  if (storage.ss_family == AF_INET) {
    options.address = ::inet_ntop(AF_INET, &four->sin_addr, text.data(), text.size());
    options.port = ntohs(four->sin_port);
  } else if (storage.ss_family == AF_INET6) {
    options.address = ::inet_ntop(AF_INET6, &six->sin6_addr, text.data(), text.size());
    options.port = ntohs(six->sin6_port);
  } else {
    throw Error("the service manager has handed over a socket that is none of IP",
                "write ListenStream=127.0.0.1:8420 in its .socket unit");
  }
  return options;
}

void say_ready() {
  sd_notify(0, "READY=1");
}

void say_stopping() {
  sd_notify(0, "STOPPING=1");
}

Watchdog::Watchdog() {
  std::uint64_t micros = 0;
  if (sd_watchdog_enabled(0, &micros) > 0) interval_ = Millis(micros / 1000 / 2);
}

void Watchdog::is_alive() {
  const Millis now = clock_.elapsed();
  if (!interval_ || now - said_ < *interval_ / 2) return;
  said_ = now;
  sd_notify(0, "WATCHDOG=1");
}

}  // namespace agneto::cli
