#include "cli/log_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "support/child.h"
#include "support/temporary_folder.h"

namespace agneto::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// The lines of a log, with TIME and PROCESS for what differs each time.
std::vector<std::string> lines_of(const fs::path& file) {
  std::string text = read(file);
  text = std::regex_replace(text, std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"), "TIME");
  text =
      std::regex_replace(text, std::regex("\\b" + std::to_string(::getpid()) + "\\b"), "PROCESS");
  std::vector<std::string> lines;
  for (const auto line : split_lines(text)) lines.emplace_back(line);
  return lines;
}

class LogFileTest : public ::testing::Test {
 protected:
  LogFileTest() { fs::create_directory(folder_.path() / ".agneto"); }
  ~LogFileTest() override { log::install(nullptr); }

  LogOptions options() const {
    LogOptions options;
    options.file = file_;
    options.process = {{"command", "run"}};
    return options;
  }
  static void keep(LogOptions options) { log::install(log_file(std::move(options))); }

  testing::TemporaryFolder folder_;
  fs::path file_ = folder_.path() / ".agneto" / "log" / "agneto.log";
};

TEST_F(LogFileTest, ALineHasItsRunAndPathAndFields) {
  keep(options());
  log::info("journal made", {{"from", 0}});
  {
    const log::Scope scope("fix-it-3f2a", "CODING#1");
    log::warning("agent called again", {{"why", "exit status 1"}});
    log::debug("not kept");
  }
  log::error("done");
  EXPECT_THAT(lines_of(file_),
              ElementsAre("TIME info [PROCESS] agneto started command=run",
                          "TIME info [PROCESS] journal made from=0",
                          "TIME warning [PROCESS] agent called again run=fix-it-3f2a "
                          "path=CODING#1 why=\"exit status 1\"",
                          "TIME error [PROCESS] done"));
}

TEST_F(LogFileTest, AsJsonEachLineIsAnObject) {
  LogOptions all = options();
  all.settings.json = true;
  keep(std::move(all));
  const log::Scope scope("r");
  log::info("run ended", {{"ms", 12}, {"reason", "a \"b\"\n"}});
  EXPECT_THAT(
      lines_of(file_),
      ElementsAre(
          R"({"time":"TIME","level":"info","process":PROCESS,"message":"agneto started","command":"run"})",
          R"({"time":"TIME","level":"info","process":PROCESS,"message":"run ended","run":"r","ms":12,"reason":"a \"b\"\n"})"));
}

TEST_F(LogFileTest, NothingIsMadeBeforeThereIsALineToKeep) {
  LogOptions all = options();
  all.settings.level = log::Level::warning;
  keep(std::move(all));
  log::info("journal made");
  EXPECT_FALSE(fs::exists(file_.parent_path()));
  log::warning("journal was busy");
  EXPECT_THAT(lines_of(file_), ElementsAre("TIME warning [PROCESS] journal was busy"));
}

TEST_F(LogFileTest, OffKeepsNothing) {
  LogOptions all = options();
  all.settings.level.reset();
  keep(std::move(all));
  log::error("agneto failed");
  EXPECT_FALSE(fs::exists(file_.parent_path()));
}

TEST_F(LogFileTest, WithoutAnAgnetoFolderNothingIsKeptUntilThereIsOne) {
  fs::remove(folder_.path() / ".agneto");
  keep(options());
  log::info("too early");
  EXPECT_FALSE(fs::exists(folder_.path() / ".agneto"));
  fs::create_directory(folder_.path() / ".agneto");
  log::info("journal made");
  EXPECT_THAT(lines_of(file_), ElementsAre("TIME info [PROCESS] agneto started command=run",
                                           "TIME info [PROCESS] journal made"));
}

TEST_F(LogFileTest, OnlyItsOwnerMayRead) {
  keep(options());
  log::info("journal made");
  EXPECT_EQ(fs::status(file_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(file_.parent_path()).permissions(), fs::perms::owner_all);
}

TEST_F(LogFileTest, SecretsAndTerminalSequencesAreTakenOut) {
  LogOptions all = options();
  all.secrets = [] {
    return Redactor(std::map<std::string, std::string>{{"hunter-22", "PASSWORD"}});
  };
  keep(std::move(all));
  log::warning("git failed", {{"error", "\x1b[31mhunter-22\x1b[0m\nTIME info [1] forged"}});
  EXPECT_EQ(lines_of(file_).back(),
            "TIME warning [PROCESS] git failed error=\"[redacted: PASSWORD]\\nTIME info [1] "
            "forged\"");
}

TEST_F(LogFileTest, AFullFileMakesPlaceForANewOne) {
  LogOptions all = options();
  all.limit = 200;
  all.kept = 2;
  keep(std::move(all));
  for (int i = 0; i < 40; ++i) log::info("line", {{"number", i}});
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(file_.parent_path())) {
    names.push_back(entry.path().filename());
    EXPECT_LT(entry.file_size(), 300u);
  }
  EXPECT_THAT(names, ::testing::IsSubsetOf({"agneto.log", "agneto.1.log", "agneto.2.log"}));
  EXPECT_THAT(read(file_) + read(file_.parent_path() / "agneto.1.log"), HasSubstr("number=39\n"));
}

// All lines of several processes come whole, and none is lost while they make place.
TEST_F(LogFileTest, SeveralProcessesWriteToTheSameFile) {
  constexpr int processes = 4, each = 100;
  std::vector<pid_t> children;
  for (int process = 0; process < processes; ++process) {
    children.push_back(testing::start_child([&] {
      LogOptions all = options();
      all.limit = 4000;
      all.kept = 50;
      const auto file = log_file(std::move(all));
      const log::Fields fields = {{"from", process}, {"text", std::string(20, 'x')}};
      for (int i = 0; i < each; ++i) file->write({log::Level::info, "line", {}, {}, fields});
    }));
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  int whole = 0;
  const std::regex form(R"(TIME info \[\d+\] line from=\d text=x{20})");
  for (const auto& entry : fs::directory_iterator(file_.parent_path())) {
    for (const auto& line : lines_of(entry.path())) whole += std::regex_match(line, form) ? 1 : 0;
  }
  EXPECT_EQ(whole, processes * each);
}

TEST_F(LogFileTest, ALinkIsNotFollowed) {
  const fs::path target = folder_.path() / "precious";
  std::ofstream(target) << "mine\n";
  fs::create_directory(file_.parent_path());
  fs::create_symlink(target, file_);
  keep(options());
  log::info("journal made");
  EXPECT_EQ(read(target), "mine\n");
}

TEST_F(LogFileTest, WhereNoneCanBeKeptThatIsSaidOnceToThoseWhoAskedForIt) {
  std::ofstream(file_.parent_path()) << "not a folder";
  ::testing::internal::CaptureStderr();
  keep(options());
  log::info("journal made");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  LogOptions all = options();
  all.settings.asked_for = true;
  ::testing::internal::CaptureStderr();
  keep(std::move(all));
  log::info("journal made");
  log::info("run started");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "agneto: no log is kept: cannot open '" +
                                                          file_.parent_path().string() +
                                                          "': Not a directory\n");
}

TEST(LogSettingsTest, TheVariableSaysTheLevelAndTheForm) {
  EXPECT_EQ(log_settings("", ""), (LogSettings{log::Level::info, false, false}));
  EXPECT_EQ(log_settings("", "debug"), (LogSettings{log::Level::debug, false, true}));
  EXPECT_EQ(log_settings("", "json"), (LogSettings{log::Level::info, true, true}));
  EXPECT_EQ(log_settings("", "warning, json"), (LogSettings{log::Level::warning, true, true}));
  EXPECT_EQ(log_settings("", "off"), (LogSettings{std::nullopt, false, true}));
}

TEST(LogSettingsTest, TheOptionGoesBeforeIt) {
  EXPECT_EQ(log_settings("error", "debug,json"), (LogSettings{log::Level::error, true, true}));
}

TEST(LogSettingsTest, WhatIsNeitherIsRefused) {
  try {
    log_settings("", "verbose");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "AGNETO_LOG: 'verbose' is no level and no form of a log");
    EXPECT_EQ(error.help(),
              "write debug, info, warning, error or off; and text or json after a comma: "
              "AGNETO_LOG=debug,json");
  }
}

}  // namespace
}  // namespace agneto::cli
