#include "serve/address.h"

#include <gtest/gtest.h>

namespace agneto::serve {
namespace {

TEST(AddressTest, IsWrittenInOneWay) {
  EXPECT_EQ(plain_address("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(plain_address("192.0.2.1:567"), "192.0.2.1");
  EXPECT_EQ(plain_address("2001:DB8:0::1"), "2001:db8::1");
  EXPECT_EQ(plain_address("[2001:db8::1]"), "2001:db8::1");
  EXPECT_EQ(plain_address("[2001:db8::1]:80"), "2001:db8::1");
  EXPECT_EQ(plain_address("::ffff:192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(plain_address("[::ffff:192.0.2.1]:80"), "192.0.2.1");
}

TEST(AddressTest, IsNothingElse) {
  for (const char* text : {"", "unknown", "192.0.2", "192.0.2.1.5", "192.0.2.300", "[192.0.2.1]",
                           "[2001:db8::1", "[2001:db8::1]80", "2001:db8::1]:80", "example.com:80",
                           "192.0.2.1 ", "_hidden", "[]", "["}) {
    EXPECT_EQ(plain_address(text), std::nullopt) << text;
  }
}

TEST(AddressTest, BelongsToANetwork) {
  EXPECT_EQ(network_of("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(network_of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(network_of("2001:db8:1:2::9"), "2001:db8:1:2::/64");
  EXPECT_NE(network_of("2001:db8:1:3::9"), "2001:db8:1:2::/64");
}

TEST(AddressTest, MayBeThisMachine) {
  for (const char* host : {"localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"}) {
    EXPECT_TRUE(is_loopback(host)) << host;
  }
  for (const char* host : {"example.com", "128.0.0.1", "[::2]", "127.evil.example", ""}) {
    EXPECT_FALSE(is_loopback(host)) << host;
  }
}

}  // namespace
}  // namespace agneto::serve
