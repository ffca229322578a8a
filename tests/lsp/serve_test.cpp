#include "lsp/serve.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "lsp/framing.h"

namespace agneto::lsp {
namespace {

struct Channel {
  Channel() { EXPECT_EQ(::pipe(fds.data()), 0); }
  ~Channel() {
    end();
    ::close(fds[0]);
  }
  void end() {
    if (fds[1] >= 0) ::close(fds[1]);
    fds[1] = -1;
  }
  std::array<int, 2> fds{};
};

std::string message(const char* json) {
  return framed(Json::parse(json));
}

// What the server says to these bytes, a line each, and its exit status.
std::string talk(const std::string& bytes, int& status) {
  Channel in;
  Channel out;
  std::string said;
  MemoryFiles files;
  Server server(files, [](const fs::path&) { return std::vector<fs::path>(); }, {},
                {"1", "/lib", "/rules"});
  std::thread reader([&] {
    Decoder decoder;
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; (n = ::read(out.fds[0], buffer.data(), buffer.size())) > 0;) {
      decoder.feed({buffer.data(), static_cast<std::size_t>(n)});
      while (const auto frame = decoder.next()) {
        said += frame->content + "\n";
        // The end is asked for when all has been said, so that nothing depends on who is faster.
        if (frame->content.find("publishDiagnostics") == std::string::npos) continue;
        const std::string end = message(R"({"jsonrpc":"2.0","id":9,"method":"shutdown"})") +
                                message(R"({"jsonrpc":"2.0","method":"exit"})");
        EXPECT_EQ(::write(in.fds[1], end.data(), end.size()), static_cast<ssize_t>(end.size()));
      }
    }
  });
  EXPECT_EQ(::write(in.fds[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  if (bytes.find("didOpen") == std::string::npos) in.end();
  status = serve(server, in.fds[0], out.fds[1]);
  out.end();
  reader.join();
  return said;
}

const std::string begin =
    message(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}})");

TEST(Serve, AnswersAndAnalyses) {
  int status = -1;
  const std::string said = talk(
      begin + message(R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":
        {"uri":"file:///team/flow.yaml","version":1,"languageId":"yaml",
         "text":"agneto: 1\nname: f\ninitial: A\nstates: {B: {final: true}}\n"}}})"),
      status);
  EXPECT_THAT(said, testing::HasSubstr("there is no state 'A'"));
  EXPECT_THAT(said, testing::EndsWith(R"({"id":9,"jsonrpc":"2.0","result":null})"
                                      "\n"));
  EXPECT_EQ(status, 0);
}

TEST(Serve, EndsWithItsClient) {
  int status = -1;
  EXPECT_EQ(talk("", status), "");
  EXPECT_EQ(status, 1);
  EXPECT_THAT(talk(begin, status), testing::HasSubstr("serverInfo"));
  EXPECT_EQ(status, 1);
}

TEST(Serve, GoesOnAfterWhatIsNoMessage) {
  int status = -1;
  const std::string said =
      talk("Content-Length: x\r\n\r\n" + message("7") + "Content-Length: 1\r\n\r\n{" +
               message(R"({"jsonrpc":"2.0","method":"exit"})"),
           status);
  EXPECT_THAT(said, testing::HasSubstr("the Content-Length is no number of bytes: 'x'"));
  EXPECT_THAT(said, testing::HasSubstr("a message is an object with a 'method'"));
  EXPECT_THAT(said, testing::HasSubstr("the message is not JSON"));
  EXPECT_EQ(status, 1);
}

}  // namespace
}  // namespace agneto::lsp
