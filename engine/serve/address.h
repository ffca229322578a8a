// Addresses of IP, as requests come from them, people write them and proxies pass them on.
#pragma once

#include <sys/socket.h>

#include <optional>
#include <string>
#include <string_view>

namespace agneto::serve {

// The address that a text is, with a port ("192.0.2.1:80", "[2001:db8::1]:80") or without, in the
// one way in which it is written here: without the port, and one of IPv4 within IPv6
// ("::ffff:192.0.2.1") as one of IPv4. Nothing: it is no address.
std::optional<std::string> plain_address(std::string_view text);
// The same of a socket's; "" where it is none of IP.
std::string plain_address(const sockaddr* socket);

// Whoever has that address, which is a plain one, has all of these, too: with IPv6 those that begin
// with the same 64 bits, "2001:db8::/64".
std::string network_of(const std::string& address);

// Is it this machine itself: an address, or as a URL or a `Host` names it without the port?
bool is_loopback(const std::string& host);

}  // namespace agneto::serve
