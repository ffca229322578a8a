// A run whose state after entry n is known, and what is left of its files after a fault.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "journal/journal_fixture.h"
#include "journal/sqlite/faulty_disk.h"
#include "journal/sqlite/sqlite_tool.h"
#include "support/errors.h"

namespace agneto::journal {

namespace fs = std::filesystem;

inline constexpr std::size_t kTextSize = 600;

inline Json state_of(int n) {
  return {{"n", n}, {"text", std::string(kTextSize, static_cast<char>('a' + n % 26))}};
}

class FaultsTest : public ::testing::Test {
 protected:
  // Entries 1 to `last`, state n after entry n.
  void write(Journal& journal, int last) {
    journal.create(a_run("r1"), {{"a.yaml", "text"}}, {an_entry(1, "started")}, state_of(1));
    for (int n = 2; n <= last; ++n) append(journal, n);
  }
  static Seq append(Journal& journal, int n) {
    return journal.append("r1", {an_entry(n, "macrostep", "A#1", std::string(kTextSize, 'b'))},
                          state_of(n));
  }

  std::string damaged(const std::string& what) const {
    return fmt::format(
        "the journal '{}' is damaged: {}\nsee what can be saved with 'agneto doctor r1'", file_,
        what);
  }
  std::string cannot_write(const std::string& why) const {
    return fmt::format("cannot write the journal '{}': {}", file_, why);
  }

  std::size_t page_size() const { return std::stoul(Tool(file_).query("PRAGMA page_size").at(0)); }

  // What a machine that is started anew finds: the files as they are, without the shared memory.
  std::string copied() {
    const std::string copy = folder_ / fmt::format("copy-{}.db", ++copies_);
    fs::copy_file(file_, copy);
    if (fs::exists(file_ + "-wal")) fs::copy_file(file_ + "-wal", copy + "-wal");
    return copy;
  }
  static std::string read(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void write_file(const std::string& file, const std::string& text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
  }
  // The last n that the journal has, once it is found to be whole.
  static int last_of(const std::string& file) {
    const auto journal = open_journal(file);
    EXPECT_EQ(testing::error_of([&] { journal->check("r1"); }), "");
    const Json state = journal->state("r1");
    const int n = state.at("n");
    EXPECT_EQ(state, state_of(n));
    EXPECT_EQ(journal->entries("r1").size(), static_cast<std::size_t>(n));
    journal->own("r1", "me");
    return n;
  }

  FaultyDisk disk_;  // not waited for
  testing::TemporaryFolder folder_;
  std::string file_ = folder_ / "runs.db";
  int copies_ = 0;
};

}  // namespace agneto::journal
