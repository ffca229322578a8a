#include "serve/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace agneto::serve {

namespace {

std::string written(int family, const void* bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const char* address = ::inet_ntop(family, bytes, text.data(), text.size());
  return address ? address : "";
}

// The last four bytes of one that is in IPv6 what it is in IPv4.
std::string written(const in6_addr& six) {
  constexpr std::size_t before_four = 12;
  if (IN6_IS_ADDR_V4MAPPED(&six)) return written(AF_INET, six.s6_addr + before_four);
  return written(AF_INET6, &six);
}

// Without brackets and a port.
std::string_view bare(std::string_view text) {
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    const std::string_view port = end == std::string_view::npos ? "?" : text.substr(end + 1);
    return port.empty() || port.front() == ':' ? text.substr(1, end - 1) : "";
  }
  return std::ranges::count(text, ':') == 1 ? text.substr(0, text.find(':')) : text;
}

}  // namespace

std::optional<std::string> plain_address(std::string_view text) {
  const std::string address(bare(text));
  in_addr four{};
  in6_addr six{};
  if (::inet_pton(AF_INET6, address.c_str(), &six) == 1) return written(six);
  if (text.starts_with('[')) return std::nullopt;
  if (::inet_pton(AF_INET, address.c_str(), &four) == 1) return written(AF_INET, &four);
  return std::nullopt;
}

std::string plain_address(const sockaddr* socket) {
  if (socket && socket->sa_family == AF_INET) {
    return written(AF_INET, &reinterpret_cast<const sockaddr_in*>(socket)->sin_addr);
  }
  if (socket && socket->sa_family == AF_INET6) {
    return written(reinterpret_cast<const sockaddr_in6*>(socket)->sin6_addr);
  }
  return "";
}

std::string network_of(const std::string& address) {
  constexpr std::size_t bytes_of_network = 8;
  in6_addr six{};
  if (::inet_pton(AF_INET6, address.c_str(), &six) != 1) return address;
  std::memset(six.s6_addr + bytes_of_network, 0, sizeof six - bytes_of_network);
  return written(AF_INET6, &six) + "/64";
}

bool is_loopback(const std::string& host) {
  in_addr four{};
  const bool is_four = ::inet_pton(AF_INET, host.c_str(), &four) == 1;
  return host == "localhost" || host == "::1" || host == "[::1]" ||
         (is_four && ntohl(four.s_addr) >> 24 == IN_LOOPBACKNET);
}

}  // namespace agneto::serve
