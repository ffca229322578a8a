#include <gmock/gmock.h>

#include "lsp/client.h"

namespace agneto::lsp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Bare {
  MemoryFiles files;
  Server server{files, [](const fs::path&) { return std::vector<fs::path>(); }, {}, {}};

  // What is answered, a line each.
  std::string tell(const std::vector<std::string>& messages) {
    for (const std::string& message : messages) server.receive(message);
    while (server.is_waiting()) server.step();
    std::string text;
    for (const Json& message : server.take_outgoing()) text += message.dump() + "\n";
    return text;
  }
};

const std::string begin =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}})";

TEST(Server, SaysWhatItCan) {
  const Json said = Client({}).initialized;
  EXPECT_EQ(said["serverInfo"], Json::parse(R"({"name": "agneto", "version": "1.2.3"})"));
  EXPECT_EQ(said["capabilities"]["positionEncoding"], "utf-16");
  EXPECT_EQ(said["capabilities"]["textDocumentSync"],
            Json::parse(R"({"openClose": true, "change": 2})"));
}

TEST(Server, TakesBytesWhereTheClientOffersThem) {
  const auto encoding = [](const char* general) {
    return Client({}, Json::parse(general)).initialized["capabilities"]["positionEncoding"];
  };
  EXPECT_EQ(encoding(R"({"general": {"positionEncodings": ["utf-16", "utf-8"]}})"), "utf-8");
  EXPECT_EQ(encoding(R"({"general": {"positionEncodings": ["utf-32"]}})"), "utf-16");
  EXPECT_EQ(encoding(R"({"general": {"positionEncodings": 7}})"), "utf-16");
}

TEST(Server, WantsInitializeFirstAndOnce) {
  Bare bare;
  EXPECT_EQ(
      bare.tell({R"({"jsonrpc":"2.0","id":"a","method":"shutdown"})",
                 R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":7})"}),
      R"({"error":{"code":-32002,"message":"'initialize' comes first"},"id":"a","jsonrpc":"2.0"})"
      "\n");
  EXPECT_TRUE(bare.tell({begin}).find(R"("id":0,"jsonrpc":"2.0","result")") != std::string::npos);
  EXPECT_EQ(
      bare.tell({begin}),
      R"({"error":{"code":-32600,"message":"'initialize' comes only once"},"id":0,"jsonrpc":"2.0"})"
      "\n");
}

TEST(Server, EndsAsTheProtocolSays) {
  Bare polite;
  polite.tell({begin});
  EXPECT_EQ(polite.tell({R"({"jsonrpc":"2.0","id":1,"method":"shutdown"})"}),
            R"({"id":1,"jsonrpc":"2.0","result":null})"
            "\n");
  EXPECT_EQ(
      polite.tell({R"({"jsonrpc":"2.0","id":2,"method":"textDocument/hover"})"}),
      R"({"error":{"code":-32600,"message":"after 'shutdown' only 'exit' can come"},"id":2,"jsonrpc":"2.0"})"
      "\n");
  EXPECT_EQ(polite.server.exit_status(), std::nullopt);
  EXPECT_EQ(polite.tell({R"({"jsonrpc":"2.0","method":"exit"})"}), "");
  EXPECT_EQ(polite.server.exit_status(), 0);

  Bare sudden;
  sudden.tell({begin, R"({"jsonrpc":"2.0","method":"exit"})"});
  EXPECT_EQ(sudden.server.exit_status(), 1);
  Bare unused;
  unused.tell({R"({"jsonrpc":"2.0","method":"exit"})"});
  EXPECT_EQ(unused.server.exit_status(), 1);
}

TEST(Server, AnswersWhatItDoesNotUnderstand) {
  Bare bare;
  bare.tell({begin});
  const std::string no_message =
      R"({"error":{"code":-32600,"message":"a message is an object with a 'method', and an 'id' where it is a request"},"id":null,"jsonrpc":"2.0"})"
      "\n";
  for (const char* message :
       {"7", "[]", "{}", "null", R"({"id":{},"method":"shutdown"})", R"({"method":7})"}) {
    EXPECT_EQ(bare.tell({message}), no_message) << message;
  }
  for (const char* message : {"", "{", "{\"method\": \"\xFF\"}"}) {
    EXPECT_EQ(
        bare.tell({message}),
        R"({"error":{"code":-32700,"message":"the message is not JSON"},"id":null,"jsonrpc":"2.0"})"
        "\n");
  }
  EXPECT_EQ(
      bare.tell({R"({"jsonrpc":"2.0","id":3,"method":"$/magic"})"}),
      R"({"error":{"code":-32601,"message":"there is no method '$/magic'"},"id":3,"jsonrpc":"2.0"})"
      "\n");
  EXPECT_EQ(bare.tell({R"({"jsonrpc":"2.0","method":"$/magic"})",
                       R"({"jsonrpc":"2.0","id":"x","result":null})"}),
            "");
}

TEST(Server, TakesNoWrongParameters) {
  Bare bare;
  bare.tell({begin});
  EXPECT_EQ(
      bare.tell({R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}})"}),
      R"({"jsonrpc":"2.0","method":"window/logMessage","params":{"message":"textDocument/didOpen: 'uri' must be text","type":1}})"
      "\n");
  EXPECT_EQ(
      bare.tell(
          {R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a"},"contentChanges":[]}})"}),
      R"({"jsonrpc":"2.0","method":"window/logMessage","params":{"message":"textDocument/didChange: the document is not open","type":1}})"
      "\n");
}

TEST(Server, DropsARequestThatIsCancelledInTime) {
  Bare bare;
  bare.tell({begin});
  EXPECT_EQ(
      bare.tell({R"({"jsonrpc":"2.0","id":4,"method":"shutdown"})",
                 R"({"jsonrpc":"2.0","id":5,"method":"shutdown"})",
                 R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":4}})",
                 R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}})"}),
      R"({"error":{"code":-32800,"message":"the request was cancelled"},"id":4,"jsonrpc":"2.0"})"
      "\n"
      R"({"id":5,"jsonrpc":"2.0","result":null})"
      "\n");
}

TEST(Server, AsksToBeToldOfFiles) {
  const char* watches =
      R"({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}})";
  const Client client({}, Json::parse(watches));
  ASSERT_EQ(client.others.size(), 1U);
  EXPECT_EQ(client.others[0]["method"], "client/registerCapability");
  EXPECT_EQ(
      client.others[0]["params"]["registrations"][0]["registerOptions"]["watchers"].dump(),
      R"([{"globPattern":"**/*.yaml"},{"globPattern":"**/*.yml"},{"globPattern":"**/*.lua"},{"globPattern":"**/*.md"}])");
  EXPECT_THAT(Client({}).others, IsEmpty());
}

}  // namespace
}  // namespace agneto::lsp
