#include "serve/client.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace agneto::serve {
namespace {

// "message | help" of what is wrong with such a server; "" where nothing is.
std::string wrong(const std::string& url, const std::string& token = "t") {
  try {
    const Client client(url, token);
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.help();
  }
  return "";
}

TEST(Client, GoesWhereATokenMayGo) {
  for (const char* url : {"https://agneto.example.com", "https://example.com/agneto/",
                          "http://127.0.0.1:8420", "http://localhost:1", "http://[::1]:8420/"}) {
    EXPECT_EQ(wrong(url), "");
  }
  for (const char* url :
       {"http://10.0.0.1", "http://localhost.example.com", "http://127.evil.com"}) {
    EXPECT_TRUE(wrong(url).starts_with("your token would go to ")) << wrong(url);
  }
  for (const char* url : {"", "file:///etc/passwd", "https://", "https://me:pw@example.com",
                          "https://example.com/?a=b"}) {
    EXPECT_EQ(wrong(url), "--server '" + std::string(url) +
                              "' is no address of a server | write such as "
                              "https://agneto.example.com or http://127.0.0.1:8420");
  }
  EXPECT_EQ(wrong("https://example.com", "a\nb"),
            "that is no token | 'agneto token make NAME' prints one, on the server");
}

TEST(Client, WritesNamesSoThatTheyAreOnePart) {
  EXPECT_EQ(encoded("a-b_c.d~1"), "a-b_c.d~1");
  EXPECT_EQ(encoded("a/b?c=d&e f\r\n"), "a%2Fb%3Fc%3Dd%26e%20f%0D%0A");
}

}  // namespace
}  // namespace agneto::serve
