#include "base/redact.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/text.h"

namespace agneto {
namespace {

using Known = std::map<std::string, std::string>;

// Put together here, so that nobody who looks for keys in this repository finds one.
std::string key(const std::string& prefix, std::size_t size) {
  static const std::string letters = "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z";
  std::string text = prefix;
  for (std::size_t i = 0; i < size; ++i) text += letters[(i * 7) % letters.size()];
  return text;
}
std::string big_key(const std::string& prefix, std::size_t size) {
  std::string text = key("", size);
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return prefix + text;
}

std::string shown(const std::string& text) {
  return Redactor().text(text);
}

std::string last4(const std::string& text) {
  return text.substr(text.size() - 4);
}

TEST(Redact, KeysByTheirShape) {
  struct Case {
    std::string secret, prefix;
  };
  const Case cases[] = {
      {key("sk-", 48), "sk-"},
      {key("sk-ant-api03-", 40) + "-" + key("", 40) + "_A-" + key("", 8), "sk-"},
      {key("sk-proj-", 80), "sk-"},
      {key("ghp_", 36), "ghp_"},
      {key("gho_", 36), "gho_"},
      {key("github_pat_", 22) + "_" + key("", 59), "github_pat_"},
      {key("glpat-", 20), "glpat-"},
      {big_key("AKIA", 16), "AKIA"},
      {big_key("ASIA", 16), "ASIA"},
      {key("AIza", 35), "AIza"},
      {"xoxb-123456789012-123456789012-" + key("", 24), "xoxb-"},
      {key("xoxp-", 40), "xoxp-"},
      {key("hf_", 34), "hf_"},
      {key("npm_", 36), "npm_"},
      {key("sk_live_", 24), "sk_live_"},
      {key("eyJ", 20) + "." + key("eyJ", 60) + "." + key("", 43), "eyJ"},
  };
  for (const auto& [secret, prefix] : cases) {
    const std::string instead = "[redacted: " + prefix + "…" + last4(secret) + "]";
    EXPECT_EQ(shown(secret), instead);
    EXPECT_EQ(shown("KEY=" + secret + "\n"), "KEY=" + instead + "\n");
    EXPECT_EQ(shown("{\"key\": \"" + secret + "\"}"), "{\"key\": \"" + instead + "\"}");
    EXPECT_EQ(shown("two: " + secret + ", " + secret + "."),
              "two: " + instead + ", " + instead + ".");
    // In JSON's text, in an address, after a terminal's colour.
    EXPECT_EQ(shown("line\\n" + secret), "line\\n" + instead);
    EXPECT_EQ(shown("?a%3D" + secret), "?a%3D" + instead);
    EXPECT_EQ(shown("\x1b[01;31m" + secret + "\x1b[0m"), "\x1b[01;31m" + instead + "\x1b[0m");
  }
}

TEST(Redact, PrivateKeys) {
  const std::string line = key("MIIE", 60);
  const auto pem = [&](const std::string& kind, const std::string& end) {
    return "-----BEGIN " + kind + "-----" + end + line + end + line + end + key("", 21) +
           "==" + end + "-----END " + kind + "-----";
  };
  for (const char* kind : {"PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY",
                           "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"}) {
    for (const char* end : {"\n", "\r\n", "\\n"}) {
      EXPECT_EQ(shown("a " + pem(kind, end) + " b"), "a [redacted: private key] b");
    }
  }
  // Cut off.
  EXPECT_EQ(shown("-----BEGIN PRIVATE KEY-----\n" + line + "\n" + line + "\nand so on"),
            "[redacted: private key]\nand so on");
  const std::string no_secret = pem("CERTIFICATE", "\n") + pem("PUBLIC KEY", "\n") +
                                "\nA key begins with -----BEGIN PRIVATE KEY----- and a line end.";
  EXPECT_EQ(shown(no_secret), no_secret);
}

TEST(Redact, HeadersThatAuthorize) {
  EXPECT_EQ(shown("curl -H 'Authorization: Bearer abcdef123456' x"),
            "curl -H 'Authorization: Bearer [redacted]' x");
  EXPECT_EQ(shown("{\"authorization\": \"Basic dXNlcjpwYXNzd29yZDEyMw==\"}"),
            "{\"authorization\": \"Basic [redacted: …Mw==]\"}");
  EXPECT_EQ(shown("{\\\"Authorization\\\": \\\"token abcdef123456\\\"}"),
            "{\\\"Authorization\\\": \\\"token [redacted]\\\"}");
  EXPECT_EQ(shown("x-api-key: 0123456789abcdef"), "x-api-key: [redacted]");
  EXPECT_EQ(shown("bearer " + key("", 30)), "bearer [redacted: …" + last4(key("", 30)) + "]");
  EXPECT_EQ(shown("Authorization: Bearer " + key("sk-", 40)),
            "Authorization: Bearer [redacted: sk-…" + last4(key("sk-", 40)) + "]");
  const std::string words =
      "Authorization: Bearer $TOKEN, Authorization: Bearer <token>, the bearer of authorization, "
      "Bearer authentication is used; authorization is by x-api-key; Bearer token 1234567890123456";
  EXPECT_EQ(shown(words), words);
}

TEST(Redact, AddressesWithAPassword) {
  EXPECT_EQ(shown("postgres://bob:hunter2@db:5432/x"), "postgres://bob:[redacted]@db:5432/x");
  EXPECT_EQ(shown("redis://:a@b:c@host"), "redis://:[redacted]@host");
  EXPECT_EQ(shown("https://" + key("", 40) + "@github.com/a.git"),
            "https://[redacted: …" + last4(key("", 40)) + "]@github.com/a.git");
  EXPECT_EQ(shown("https://" + key("ghp_", 36) + ":x-oauth@github.com"),
            "https://[redacted: ghp_…auth]@github.com");
  const std::string none =
      "http://127.0.0.1:8080/@scope/x?a=b@c ssh://git@github.com:22/a.git https://a.b/c:d@e "
      "https://jane.doe@example.com mailto:a@b.c std::string a://@";
  EXPECT_EQ(shown(none), none);
}

TEST(Redact, WhatIsKnown) {
  const Redactor redactor(Known{{"correct horse", "PASSWORD"},
                                {"correct horse battery", "LONGER"},
                                {"q\"uote\\d p/w", "QUOTED"},
                                {"short", "SHORT"}});
  EXPECT_EQ(redactor.text("it is 'correct horse', xcorrect horse battery, not short"),
            "it is '[redacted: PASSWORD]', x[redacted: LONGER], not short");
  EXPECT_EQ(redactor.text(R"(q"uote\d p/w {"a":"q\"uote\\d p/w"} ?q%22uote%5Cd%20p%2Fw)"),
            "[redacted: QUOTED] {\"a\":\"[redacted: QUOTED]\"} ?[redacted: QUOTED]");
}

TEST(Redact, JsonThroughout) {
  const Redactor redactor(Known{{"hunter22", "PASSWORD"}});
  const Json json = {{"list", {1, "say hunter22", nullptr, {{"hunter22", true}}}}, {"n", 2.5}};
  EXPECT_EQ(
      redactor.json(json),
      Json({{"list", {1, "say [redacted: PASSWORD]", nullptr, {{"[redacted: PASSWORD]", true}}}},
            {"n", 2.5}}));
}

TEST(Redact, TwiceIsOnce) {
  const Redactor redactor(Known{{"hunter22", "a known one"}});
  const std::string once = redactor.text("hunter22 " + key("sk-", 40) +
                                         " Authorization: Bearer abcdef123456 "
                                         "a://b:c@d -----BEGIN PRIVATE KEY-----\n" +
                                         key("", 64) + "\n-----END PRIVATE KEY-----");
  EXPECT_EQ(redactor.text(once), once);
}

TEST(Redact, LeavesAloneWhatIsNoSecret) {
  std::string base64;
  for (int i = 0; i < 4000; ++i) base64 += key("", 61) + (i % 3 == 0 ? "+" : i % 3 == 1 ? "/" : "");
  for (const std::string& text : {
           std::string("3f786850e387550fdab836ed7e6dc881de23001b"),
           std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
           std::string("123e4567-e89b-12d3-a456-426614174000"),
           std::string("refs/agneto/a-task-3f2a/checkpoints/TASK_EXECUTING.1@3f786850e387"),
           std::string(
               "sk-circle-fade-animation-container-12-delay sk-learn task-based-123456789012"),
           std::string("ghp_ and github_pat_ are prefixes; so are AKIA, ASIA, xoxb-, sk- and eyJ"),
           std::string(
               "disk-0123456789abcdef0123456789 the_ghp_0123456789012345678901234567890123"),
           std::string("AKIAOFASTATE AKIA_0123456789ABCDEF eyJhbGciOiJub25lIn0 eyJ.eyJ.x"),
           std::string("a.b.c https://example.com:443/x --- +++ ----- a ----> b"),
           std::string("integrity sha512-" + key("", 86) + "=="),
           "data:image/png;base64,iVBORw0KGgo" + base64,
           std::string("Die Bärin heißt »Authorization«. 授权：持有者"),
       }) {
    EXPECT_EQ(shown(text), text);
  }
}

TEST(Redact, AnyBytesAndCutOffOnes) {
  std::string text = "Authorization: Bearer " + key("sk-", 30) +
                     " ://a:b@c -----BEGIN PRIVATE KEY-----\n" + key("", 30) + "\\n" +
                     key("eyJ", 12) + "." + key("", 12) + "." + key("", 12);
  for (std::size_t i = 0; i <= text.size(); ++i) {
    for (std::size_t j = i; j <= text.size(); ++j) shown(text.substr(i, j - i));
  }
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(shown(bytes), bytes);
}

// What could take time that grows with the square of a text's size takes none.
TEST(Redact, LongTextsOfBeginnings) {
  for (const char* part : {"-----BEGIN PRIVATE KEY-----\n", "sk-", "eyJ", "://a:", "eyJa.",
                           "authorization: ", "Bearer "}) {
    std::string text;
    while (text.size() < 50'000) text += part;
    EXPECT_TRUE(shown(text) == text) << part;
  }
}

TEST(Redact, NamesOfSecrets) {
  for (const char* name : {"ANTHROPIC_API_KEY", "apiKey", "GITHUB_TOKEN", "--auth-token",
                           "password", "client.secret", "DB_PASSWD", "passphrase", "apikey"}) {
    EXPECT_TRUE(names_a_secret(name)) << name;
  }
  for (const char* name :
       {"KEYBOARD", "monkey", "MAX_TOKENS", "SSH_KEY_FILE", "CODEX_HOME", "", "tokenizer"}) {
    EXPECT_FALSE(names_a_secret(name)) << name;
  }
}

}  // namespace
}  // namespace agneto
