// What a journal in PostgreSQL promises beyond what every journal does: connections that are lost,
// servers that go, several that make or write it at once.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "flaky_way.h"
#include "journal/journal_fixture.h"
#include "journal/postgresql/pool.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::FlakyWay;
using ::testing::IsEmpty;

class PostgresqlJournalTest : public ::testing::Test {
 protected:
  // A server that is gone is not waited for.
  std::unique_ptr<Journal> open() { return open_at(database_.uri()); }
  static std::unique_ptr<Journal> open_at(const std::string& uri) {
    return open_postgresql_journal(uri, {.patience = Millis(0)});
  }
  void write_run(Journal& journal, const std::string& id = "r1") {
    journal.create(a_run(id), {{"a.yaml", "text"}}, {an_entry(1, "started")}, {{"n", 1}});
  }
  static void append(Journal& journal, int n, const std::string& id = "r1") {
    journal.append(id, {an_entry(n, "macrostep")}, {{"n", n}});
  }
  // Of all connections to the database but this one.
  void end_connections() {
    database_.query(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()");
  }

  TestDatabase database_;
};

TEST_F(PostgresqlJournalTest, RefusesANewerFormat) {
  database_.query("UPDATE format SET number = number + 1");
  EXPECT_EQ(error_of([this] { open(); }),
            fmt::format("the journal '{}' was written by a newer agneto (format 4, this one knows "
                        "3)\nupdate agneto",
                        database_.name()));
  database_.query("UPDATE format SET number = number - 1");
}

TEST_F(PostgresqlJournalTest, RefusesADatabaseThatForgetsWhatItAcknowledges) {
  database_.query("ALTER ROLE agneto SET synchronous_commit = off");
  const std::string error = error_of([this] { open(); });
  database_.query("ALTER ROLE agneto RESET synchronous_commit");
  EXPECT_EQ(error, fmt::format("the journal '{}' would forget what it has acknowledged: "
                               "synchronous_commit is off there\n"
                               "switch it on for this user: ALTER ROLE agneto SET "
                               "synchronous_commit = on",
                               database_.name()));
}

TEST_F(PostgresqlJournalTest, IsMadeOnceBySeveralAtTheSameTime) {
  database_.query("DROP SCHEMA agneto CASCADE");
  std::vector<std::string> errors(6);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    threads.emplace_back(
        [&, i] { errors[i] = error_of([&] { write_run(*open(), fmt::format("r{}", i)); }); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(errors, std::vector<std::string>(6));
  EXPECT_EQ(open()->list().size(), 6U);
}

TEST_F(PostgresqlJournalTest, SaysWhoMayNotMakeIt) {
  database_.query("DROP SCHEMA agneto CASCADE; DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN");
  std::string uri = database_.uri();
  uri.replace(uri.find("agneto@"), 6, "guest");
  std::string name = database_.name();
  name.replace(name.find("agneto@"), 6, "guest");
  const std::string database = name.substr(name.rfind('/') + 1);
  EXPECT_EQ(error_of([&] { open_at(uri); }),
            fmt::format("cannot use the journal '{}': permission denied for database {}\n"
                        "let somebody who may grant that to this user; see docs/fleet.md",
                        name, database));
  open();
}

TEST_F(PostgresqlJournalTest, AConnectionThatWasEndedIsReplacedAndNothingIsDoubled) {
  const auto journal = open();
  write_run(*journal);
  for (int n = 2; n < 7; ++n) {
    end_connections();
    append(*journal, n);
    end_connections();
    EXPECT_EQ(journal->state("r1"), Json({{"n", n}}));
    end_connections();
    journal->post("r1", {"event", n});
  }
  EXPECT_EQ(journal->entries("r1").size(), 6U);
  EXPECT_EQ(journal->inbox("r1").size(), 5U);
  journal->check("r1");
}

class FlakyWayTest : public PostgresqlJournalTest {
 protected:
  FlakyWayTest() {
    const std::string uri = database_.uri();
    const std::size_t folder = uri.find("host=") + 5;
    journal_ = open_at(uri.substr(0, folder) + way_.folder());
    write_run(*journal_);
  }

  FlakyWay way_{test_server().folder()};
  std::unique_ptr<Journal> journal_;
};

TEST_F(FlakyWayTest, AnAppendWhoseAnswerIsLostIsNotDoubled) {
  for (int n = 2; n < 6; ++n) {
    way_.cut(FlakyWay::Cut::answer);
    append(*journal_, n);
    ASSERT_TRUE(way_.has_cut());
  }
  EXPECT_EQ(journal_->entries("r1").size(), 5U);
  EXPECT_EQ(journal_->state("r1"), Json({{"n", 5}}));
  journal_->check("r1");
  EXPECT_EQ(database_.query("SELECT epoch FROM runs"), std::vector<std::string>{"5"})
      << "each time it was made sure that it is not written later";
}

TEST_F(FlakyWayTest, AnAppendThatDidNotComeToTheServerIsSentAgain) {
  RunRecord line = a_run("r1");
  line.status = "parked";
  const MessageId message = journal_->post("r1", {"event", nullptr});
  way_.cut(FlakyWay::Cut::question);
  EXPECT_EQ(journal_->append("r1", {an_entry(2, "parked")}, {{"n", 2}}, &line, {message}), 2);
  ASSERT_TRUE(way_.has_cut());
  EXPECT_EQ(journal_->find("r1")->status, "parked");
  EXPECT_THAT(journal_->inbox("r1"), IsEmpty());
  journal_->check("r1");
}

TEST_F(FlakyWayTest, ARunIsCutOffWhereTheServerDoesNotLetItFindOutWhatCameOfAnAppend) {
  way_.cut(FlakyWay::Cut::answer, 0,
           [&] { database_.query("ALTER TABLE runs ADD CONSTRAINT so_far CHECK (epoch < 2)"); });
  EXPECT_THAT(error_of([&] { append(*journal_, 2); }),
              ::testing::HasSubstr("violates check constraint"));
  database_.query("ALTER TABLE runs DROP CONSTRAINT so_far");
  EXPECT_THROW(append(*journal_, 3), CutOff);
  EXPECT_EQ(journal_->entries("r1").size(), 2U);
}

TEST_F(FlakyWayTest, ALineWhoseAnswerIsLostIsWhatItWasWrittenAs) {
  RunRecord line = a_run("r1");
  line.status = "complete";
  way_.cut(FlakyWay::Cut::answer);
  journal_->append("r1", {an_entry(2, "finished")}, {{"n", 2}}, &line);
  way_.cut(FlakyWay::Cut::answer);
  journal_->append("r1", {}, nullptr, &line);
  ASSERT_TRUE(way_.has_cut());
  journal_->check("r1");
  EXPECT_EQ(journal_->entries("r1").size(), 2U);
}

TEST_F(FlakyWayTest, ARunIsMadeAndAMessagePostedOnceWhereTheAnswerIsLost) {
  way_.cut(FlakyWay::Cut::answer);
  write_run(*journal_, "r2");
  ASSERT_TRUE(way_.has_cut());
  append(*journal_, 2, "r2");
  journal_->check("r2");
  for (int answer = 0; answer < 4; ++answer) {  // each of those that it takes
    way_.cut(FlakyWay::Cut::answer);
    journal_->post("r2", {"event", answer});
    ASSERT_TRUE(way_.has_cut());
  }
  EXPECT_EQ(journal_->inbox("r2").size(), 4U);
  EXPECT_EQ(database_.query("SELECT count(*) FROM leases"), std::vector<std::string>{"0"})
      << "by what it was found again is removed";
}

TEST_F(FlakyWayTest, AConnectionThatIsLostIsNotTakenForDamage) {
  for (int before = 0; before < 3; ++before) {
    way_.cut(FlakyWay::Cut::answer, before);
    journal_->check("r1");
    ASSERT_TRUE(way_.has_cut());
  }
}

TEST_F(FlakyWayTest, ARunIsTakenOverOnceWhereTheAnswerIsLost) {
  for (int answer = 0; answer < 2; ++answer) {  // to what is read, and to what is written
    way_.cut(FlakyWay::Cut::answer, answer);
    journal_->own("r1", "me");
    ASSERT_TRUE(way_.has_cut());
    append(*journal_, answer + 2);
  }
  journal_->check("r1");
  EXPECT_EQ(database_.query("SELECT epoch FROM runs"), std::vector<std::string>{"3"});
}

TEST_F(FlakyWayTest, WhoLostTheRunMeanwhileWritesNothing) {
  const auto other = open();
  other->own("r1", "process 12 on host tiger since noon");
  way_.cut(FlakyWay::Cut::question);
  EXPECT_EQ(error_of([&] { append(*journal_, 2); }),
            "run r1 has another owner by now: process 12 on host tiger since noon\n"
            "nothing more is written here; look at it with 'agneto show r1'");
  EXPECT_EQ(other->entries("r1").size(), 1U);
}

TEST_F(PostgresqlJournalTest, SaysThatTheServerCannotBeReached) {
  const testing::TemporaryFolder empty;
  const std::string folder = empty.path();
  EXPECT_EQ(
      error_of([&] { open_at("postgresql://ada@/runs?host=" + folder); }),
      fmt::format("cannot reach the journal 'postgresql://ada@{0}/runs': connection to server on "
                  "socket \"{0}/.s.PGSQL.5432\" failed: No such file or directory Is the server "
                  "running locally and accepting connections on that socket?\n"
                  "see that PostgreSQL runs there and lets this user in; a password comes from "
                  "~/.pgpass, from a service in ~/.pg_service.conf or from PGPASSWORD",
                  folder));
}

// The server is this test's own, since the others want theirs.
TEST(PostgresqlServerTest, WhatIsAcknowledgedOutlivesTheServer) {
  testing::PostgresqlServer server;
  const auto journal = open_postgresql_journal(server.uri("postgres"), {.patience = Millis(0)});
  journal->create(a_run("r1"), {}, {an_entry(1, "started")}, {{"n", 1}});
  journal->append("r1", {an_entry(2, "macrostep")}, {{"n", 2}});
  server.stop();
  const std::string gone = error_of([&] { journal->append("r1", {an_entry(3, "a")}, nullptr); });
  EXPECT_EQ(gone.substr(0, gone.find(": ")),
            fmt::format("cannot reach the journal '{}'", server.name("postgres")));
  server.start();
  EXPECT_EQ(journal->state("r1"), Json({{"n", 2}}));
  EXPECT_EQ(journal->entries("r1").size(), 2U);
  journal->append("r1", {an_entry(3, "macrostep")}, {{"n", 3}});
  server.stop();
  server.start();
  journal->append("r1", {an_entry(4, "macrostep")}, {{"n", 4}});
  EXPECT_EQ(journal->entries("r1").size(), 4U);
  journal->check("r1");
}

constexpr std::chrono::minutes long_enough{2};  // that nothing hangs where something fails

TEST(PostgresqlServerTest, ARunIsCutOffWhereNobodyKnowsWhatCameOfAnAppend) {
  testing::PostgresqlServer server;
  FlakyWay way(server.folder());
  const auto journal = open_postgresql_journal("postgresql://agneto@/postgres?host=" + way.folder(),
                                               {.patience = Millis(0)});
  journal->create(a_run("r1"), {}, {an_entry(1, "started")}, {{"n", 1}});
  std::promise<void> stopped;
  way.cut(FlakyWay::Cut::answer, 0, [&] {
    server.stop();
    stopped.set_value();
  });
  EXPECT_THROW(journal->append("r1", {an_entry(2, "macrostep")}, {{"n", 2}}), ConnectionLost);
  EXPECT_EQ(stopped.get_future().wait_for(long_enough), std::future_status::ready);
  server.start();
  try {
    journal->append("r1", {an_entry(3, "macrostep")}, {{"n", 3}});
    FAIL() << "it may have been written already";
  } catch (const CutOff& error) {
    EXPECT_EQ(
        error.what(),
        fmt::format("the connection to the journal 'postgresql://agneto@{}/postgres' was lost "
                    "while run r1 was written, and what came of that is not known",
                    way.folder()));
    EXPECT_EQ(error.help(), "go on with 'agneto resume r1'");
  }
  journal->own("r1", "me");
  EXPECT_EQ(journal->append("r1", {an_entry(3, "macrostep")}, {{"n", 3}}), 3);
  journal->check("r1");
}

// How often a transaction was done whose commit was cut off so, by a server that others write to,
// once it is there again.
int times_done(FlakyWay::Cut cut_off) {
  testing::PostgresqlServer server;
  open_postgresql_journal(server.uri("postgres"));
  FlakyWay way(server.folder());
  Pool pool(Address("postgresql://agneto@/postgres?host=" + way.folder()), 1, Millis(60'000));
  const Sql write("INSERT INTO agneto.texts (hash, text) VALUES (gen_random_uuid()::text, '')");
  int times = 0;
  std::promise<void> cut, restarted;
  auto written = std::async(std::launch::async, [&] {
    pool.transact([&](Connection& connection) {
      connection.run(write);
      if (++times > 1) return;
      way.cut(cut_off, 0, [&] {
        cut.set_value();
        restarted.get_future().wait_for(long_enough);
      });
    });
  });
  EXPECT_EQ(cut.get_future().wait_for(long_enough), std::future_status::ready);
  server.stop();
  server.start();
  for (int i = 0; i < 5; ++i) {
    testing::Psql(server.uri("postgres")).query(fmt::format("CREATE TABLE other_{} ()", i));
  }
  restarted.set_value();
  written.get();
  testing::Psql psql(server.uri("postgres"));
  EXPECT_EQ(psql.query("SELECT count(*) FROM agneto.texts"), std::vector<std::string>{"1"});
  EXPECT_EQ(psql.query("SELECT count(*) FROM agneto.leases"), std::vector<std::string>{"0"});
  return times;
}

// Its number may be that of somebody else's by then, as where the next primary had not got it.
TEST(PostgresqlServerTest, ACommitThatAServerHasNotGotIsDoneAgain) {
  EXPECT_EQ(times_done(FlakyWay::Cut::question), 2);
}

TEST(PostgresqlServerTest, ACommitThatWasNotAnsweredIsFoundWhereTheServerIsAnotherOne) {
  EXPECT_EQ(times_done(FlakyWay::Cut::answer), 1);
}

TEST_F(PostgresqlJournalTest, AServerThatOnlyFollowsIsWaitedForAndSaysWhichOneToName) {
  database_.query(fmt::format("ALTER DATABASE {} SET default_transaction_read_only = on",
                              database_.query("SELECT current_database()").at(0)));
  const auto journal = open();
  EXPECT_EQ(error_of([&] { write_run(*journal); }),
            fmt::format("cannot use the journal '{}': cannot execute INSERT in a read-only "
                        "transaction\nname the server that is written, not one that follows it",
                        database_.name()));
  testing::Psql other(database_.uri());
  other.query("SET default_transaction_read_only = off");
  other.query(fmt::format("ALTER DATABASE {} RESET default_transaction_read_only",
                          other.query("SELECT current_database()").at(0)));
  write_run(*journal);
}

TEST_F(PostgresqlJournalTest, ManyThreadsWriteTheirRunsAtOnce) {
  const auto journal = open();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const std::string id = fmt::format("r{}", t);
      write_run(*journal, id);
      for (int n = 2; n <= 20; ++n) {
        append(*journal, n, id);
        if (n % 5 == 0) journal->post(id, {"event", n});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < 8; ++t) {
    const std::string id = fmt::format("r{}", t);
    EXPECT_EQ(journal->state(id), Json({{"n", 20}}));
    EXPECT_EQ(journal->inbox(id).size(), 4U);
    journal->check(id);
  }
}

// The next owner reads the run, and then takes it over.
TEST_F(PostgresqlJournalTest, WhoTakesARunOverMissesNothingThatWasWrittenMeanwhile) {
  const auto journal = open();
  write_run(*journal);
  for (int owner = 0; owner < 20; ++owner) {
    const auto before = open(), after = open();
    before->own("r1", "before");
    std::atomic<int> written = 0;
    std::string error;
    std::thread writing([&] {
      error = error_of([&] {
        for (int n = 2;; ++n) {
          append(*before, n);
          written = n;
          written.notify_all();
        }
      });
      if (written.exchange(-1) == 0) written.notify_all();
    });
    written.wait(0);
    after->own("r1", "after");
    const journal::Seq last = after->newest("r1");
    EXPECT_EQ(after->append("r1", {an_entry(2, "resumed")}, {{"n", 0}}), last + 1);
    writing.join();
    EXPECT_THAT(error, ::testing::StartsWith("run r1 has another owner by now: after"));
  }
  journal->check("r1");
}

// Else whoever has read the greater number would never see the smaller one.
TEST_F(PostgresqlJournalTest, ShowsNoChangeBeforeThoseWithSmallerNumbersAreThere) {
  const auto journal = open();
  write_run(*journal, "seen");
  const std::int64_t before = journal->newest_change();
  testing::Psql other(database_.uri());
  other.query("BEGIN; SELECT agneto.next_change()");
  write_run(*journal, "later");
  EXPECT_THAT(journal->changes(before, 10), IsEmpty());
  EXPECT_EQ(journal->newest_change(), before);
  other.query("COMMIT");
  ASSERT_EQ(journal->changes(before, 10).size(), 1U);
  EXPECT_EQ(journal->changes(before, 10).at(0).run.id, "later");
}

TEST_F(PostgresqlJournalTest, KeepsTextThatPostgresqlCannotKeep) {
  const auto journal = open();
  RunRecord run = a_run("r1");
  run.task = std::string("a\0b\xff", 4);
  journal->create(run, {}, {an_entry(1, "said", "", std::string("c\0d", 3))}, {{"n", 1}});
  EXPECT_EQ(journal->find("r1")->task, "a\uFFFDb\uFFFD");
  EXPECT_EQ(journal->entries("r1").at(0).body, std::string("c\0d", 3));
  journal->check("r1");
}

TEST_F(PostgresqlJournalTest, StoresAnAppendOfThousandsOfEntriesAtOnce) {
  const auto journal = open();
  write_run(*journal);
  std::vector<Entry> entries(3000, an_entry(2, "said", "A#1", std::string(200, 'x')));
  EXPECT_EQ(journal->append("r1", std::move(entries), {{"n", 2}}), 3001);
  journal->fork("r1", 3001, a_run("r2"), an_entry(3, "forked"));
  EXPECT_EQ(journal->newest("r2"), 3002);
  journal->check("r2");
}

// As behind what gives each transaction another connection of the server's.
TEST_F(PostgresqlJournalTest, GoesOnWithoutWhatItHasPreparedWhereThatIsGone) {
  Pool pool(Address(database_.uri()), 1, Millis(0));
  const Sql sql("SELECT 42");
  const auto answer = pool.run([&](Connection& connection) {
    connection.run(sql);
    connection.script("DEALLOCATE ALL");
    return connection.run(sql).number(0, 0);
  });
  EXPECT_EQ(answer, 42);
}

}  // namespace
}  // namespace agneto::journal
