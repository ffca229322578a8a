// What docs/journal.md says, done as it says it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "base/text.h"
#include "journal/change.h"
#include "journal/journal_fixture.h"
#include "journal/sqlite/sqlite_tool.h"
#include "support/paths.h"

namespace agneto::journal {
namespace {

std::string page() {
  std::ifstream stream(AGNETO_SOURCE_DIR "/docs/journal.md");
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The first text between the two.
std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t start = text.find(before) + before.size();
  return text.substr(start, text.find(after, start) - start);
}

TEST(JournalPage, ItsCommandsVerifyTheChain) {
  testing::TemporaryFolder folder;
  const std::string file = folder / "runs.db";
  {
    const auto journal = open_journal(file);
    journal->create(a_run("r1"), {}, {an_entry(1, "started", "", {{"b", 1}, {"a", "ü\n"}})},
                    {{"n", 1}});
    journal->append("r1", {an_entry(2, "reply", "A#1", "\"quoted\""), an_entry(3, "macrostep")},
                    {{"n", 2}});
    journal->append("r1", {an_entry(4, "macrostep")}, {{"n", 3}});
  }
  std::ofstream(folder / "verify.sh") << between(page(), "```sh\n", "```");
  const auto said = [&] {
    std::string output;
    FILE* pipe = ::popen(
        fmt::format("cd {} && RUN=r1 sh -eu verify.sh 2>&1", folder.path().string()).c_str(), "r");
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
    EXPECT_EQ(::pclose(pipe), 0);
    return output;
  };
  EXPECT_EQ(said(), "");
  Tool(file).query("UPDATE entries SET body = '{}' WHERE seq = 2");
  Tool(file).query("UPDATE entries SET change = '{}' WHERE seq = 4");
  EXPECT_EQ(said(), "2\n4\n");
}

TEST(JournalPage, ItsChangeLeadsWhereItSays) {
  const std::string example = between(page(), "\nFrom `", "`.");
  const Json from = Json::parse(example.substr(0, example.find('`')));
  const std::string change = between(example, "the change `", "`");
  const Json to = Json::parse(between(example + "`", "leads\nto `", "`"));
  EXPECT_EQ(change_between(from, to), change);
  Json value = from;
  apply_change(Json::parse(change), value);
  EXPECT_EQ(value, to);
}

TEST(JournalPage, ItsSumIsThatOfARunsLine) {
  testing::TemporaryFolder folder;
  const std::string file = folder / "runs.db";
  const auto journal = open_journal(file);
  auto run = a_run("r1");
  run.task = "größer \"als\"";
  journal->create(run, {{"b.yaml", "two"}, {"a.yaml", "one"}}, {an_entry(1, "started")},
                  {{"n", 1}});
  journal->own("r1", "me");
  const std::string columns = between(page(), "in the order `", ", each as text");
  std::string list = "'[' ";
  std::size_t count = 0;
  for (std::size_t at = 0; at < columns.size(); ++count) {
    const std::size_t end = columns.find("`, `", at);
    std::string column = columns.substr(at, end - at);
    if (column.ends_with('`')) column.pop_back();
    list += fmt::format("{} || json_quote(CAST({} AS TEXT))", count == 0 ? "" : "|| ','", column);
    at = end == std::string::npos ? columns.size() : end + 4;
  }
  EXPECT_EQ(count, 15U);
  const auto row = Tool(file).query(
      "SELECT " + list +
      " || ',' || json_quote((SELECT json_group_array(json_array(path, hash)) || '' FROM "
      "(SELECT path, hash FROM sources ORDER BY path))) || ']', sum FROM runs");
  EXPECT_EQ(sha256(row.at(0)), row.at(1));
}

}  // namespace
}  // namespace agneto::journal
