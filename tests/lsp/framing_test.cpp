#include "lsp/framing.h"

#include <gmock/gmock.h>

namespace agneto::lsp {
namespace {

using testing::ElementsAre;
using Strings = std::vector<std::string>;

// Contents, and what is wrong with a "!" in front, of bytes that come so many at a time.
Strings decoded(const std::string& bytes, std::size_t at_a_time) {
  Decoder decoder;
  Strings result;
  for (std::size_t i = 0; i < bytes.size(); i += at_a_time) {
    decoder.feed(std::string_view(bytes).substr(i, at_a_time));
    while (const auto frame = decoder.next()) {
      result.push_back(frame->wrong.empty() ? frame->content : "!" + frame->wrong);
    }
  }
  return result;
}

TEST(Framing, MessagesComeInAnyPieces) {
  const std::string bytes =
      "Content-Length: 2\r\n\r\n{}"
      "content-type: application/vscode-jsonrpc; "
      "charset=utf-8\r\nCONTENT-LENGTH:7\r\n\r\n[\"\xC3\xA4\",1"
      "Content-Length: 0\r\n\r\n"
      "Content-Length: 4\r\n\r\nnull";
  for (const std::size_t at_a_time : {1U, 2U, 3U, 7U, 20U, 1000U}) {
    EXPECT_EQ(decoded(bytes, at_a_time), (Strings{"{}", "[\"\xC3\xA4\",1", "", "null"}));
  }
}

TEST(Framing, ABadHeaderTakesNoOthersWithIt) {
  const std::string good = "Content-Length: 2\r\n\r\n{}";
  EXPECT_EQ(decoded("Content-Length: two\r\n\r\n{}" + good, 1000),
            (Strings{"!the Content-Length is no number of bytes: 'two'", "{}"}));
  EXPECT_EQ(decoded("Content-Length: -2\r\n\r\n{}" + good, 1000),
            (Strings{"!the Content-Length is no number of bytes: '-2'", "{}"}));
  EXPECT_EQ(decoded("Content-Type: x\r\n\r\n{}" + good, 1000),
            (Strings{"!the header has no Content-Length", "{}"}));
  EXPECT_EQ(decoded("hello\r\n" + good, 1000),
            (Strings{"!the header has a line without a colon: 'hello'", "{}"}));
  EXPECT_EQ(decoded("\r\n\r\n" + good + "?" + good, 1000),
            (Strings{"!the header has no Content-Length", "{}", "!the header has no Content-Length",
                     "{}"}));
}

TEST(Framing, NothingIsKeptThatHasNoEnd) {
  const std::string good = "Content-Length: 2\r\n\r\n{}";
  EXPECT_EQ(decoded(std::string(100'000, 'x') + good, 4096),
            (Strings{"!there is no end of a header in 8192 bytes", "{}"}));
  EXPECT_EQ(
      decoded("Content-Length: 67108865\r\n\r\n" + std::string(67108865, ' ') + good, 1 << 20),
      (Strings{"!a message of 67108865 bytes is longer than 67108864", "{}"}));
  EXPECT_EQ(decoded("Content-Length: 99999999999999999999\r\n\r\n" + good, 1000),
            (Strings{"!the Content-Length is no number of bytes: '99999999999999999999'", "{}"}));
}

TEST(Framing, CountsBytes) {
  EXPECT_EQ(framed({{"a", "\xC3\xA4"}}), "Content-Length: 10\r\n\r\n{\"a\":\"\xC3\xA4\"}");
}

}  // namespace
}  // namespace agneto::lsp
