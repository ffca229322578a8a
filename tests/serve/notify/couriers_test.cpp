#include "serve/notify/couriers.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/text.h"
#include "support/errors.h"

namespace agneto::serve {
namespace {

using testing::error_of;

// What would have been started.
class FakeRunner : public process::Runner {
 public:
  process::Exit run(const process::Spec& spec, process::Listener&, std::stop_token) override {
    last = spec;
    return exit;
  }
  process::Spec last;
  process::Exit exit;
};

const Json told = {{"id", "a gate GATE#1 0"},
                   {"event", "gate"},
                   {"task", "<b>say</b>"},
                   {"text", "a asks: Größer?\r\nBcc: eve@example.com"},
                   {"url", "https://agneto.example.com/runs/a"}};

TEST(CouriersTest, StartsProgramsWithoutAShell) {
  FakeRunner runner;
  Couriers couriers(runner, "/repo");
  couriers.bring({.kind = run::Way::Kind::command, .command = {"sh", "notify.sh"}}, told, {});
  EXPECT_EQ(runner.last.argv, (std::vector<std::string>{"sh", "notify.sh"}));
  EXPECT_EQ(runner.last.input, to_text(told) + "\n");
  EXPECT_EQ(runner.last.cwd, "/repo");
  couriers.bring({.kind = run::Way::Kind::desktop}, told, {});
  EXPECT_EQ(runner.last.argv, (std::vector<std::string>{
                                  "notify-send", "--app-name=agneto", "--", told["text"],
                                  "&lt;b&gt;say&lt;/b&gt;\nhttps://agneto.example.com/runs/a"}));
}

TEST(CouriersTest, SayWhyAProgramFailed) {
  FakeRunner runner;
  runner.exit.status = 3;
  runner.exit.error = "no display\n";
  Couriers couriers(runner, "/repo");
  EXPECT_EQ(error_of([&] { couriers.bring({.kind = run::Way::Kind::desktop}, told, {}); }),
            "notify-send: exit status 3: no display");
}

TEST(CouriersTest, NameNoSecretThatIsMissing) {
  FakeRunner runner;
  Couriers couriers(runner, "/repo");
  EXPECT_EQ(error_of([&] {
              couriers.bring(
                  {.kind = run::Way::Kind::webhook, .target = "$AGNETO_NO_SUCH_VARIABLE"}, told,
                  {});
            }),
            "there is no environment variable AGNETO_NO_SUCH_VARIABLE\n"
            "set it where agneto serve is started");
}

TEST(MailTest, NoTextBecomesAHeader) {
  const std::string mail = mail_of("ada@example.com", told);
  const std::string headers = mail.substr(0, mail.find("\n\n"));
  std::vector<std::string> names;
  for (const std::string_view line : split_lines(headers)) {
    EXPECT_LE(line.size(), 120U);
    for (const char each : line) EXPECT_TRUE(each >= ' ' && each < '\x7f') << line;
    if (!line.starts_with(' ')) names.emplace_back(line.substr(0, line.find(':')));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"To", "Subject", "Message-ID", "Auto-Submitted",
                                             "MIME-Version", "Content-Type",
                                             "Content-Transfer-Encoding"}));
  EXPECT_TRUE(mail.starts_with("To: ada@example.com\nSubject: =?UTF-8?B?"));
  EXPECT_EQ(mail.find("eve@"), std::string::npos);
}

TEST(MailTest, ALongSubjectIsCutBetweenCharacters) {
  Json long_told = told;
  std::string text;
  for (int i = 0; i < 40; ++i) text += "ß";
  long_told["text"] = text;
  const std::string mail = mail_of("a@b.c", long_told);
  EXPECT_NE(
      mail.find(
          "Subject: =?UTF-8?B?w5/Dn8Ofw5/Dn8Ofw5/Dn8Ofw5/Dn8Ofw5/Dn8Ofw5/Dn8Ofw5/Dn8Ofw58=?=\n"
          " =?UTF-8?B?w5/Dn8Ofw5/Dn8Ofw5/Dn8Ofw5/Dn8Ofw5/Dn8Ofw5/Dn8Of?=\n"),
      std::string::npos)
      << mail;
}

// RFC 4231, test case 2.
TEST(WebhookTest, SignsABody) {
  EXPECT_EQ(signature_of("Jefe", "what do ya want for nothing?"),
            "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

}  // namespace
}  // namespace agneto::serve
