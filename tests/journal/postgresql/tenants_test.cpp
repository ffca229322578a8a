// Several tenants in one database: none sees, changes or hinders what is another one's.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "journal/journal_fixture.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Time later = at(10'000);

class TenantsTest : public ::testing::Test {
 protected:
  std::unique_ptr<Journal> open(const std::string& role) {
    return open_postgresql_journal(database_.uri(role), {.patience = Millis(0)});
  }
  static RunRecord a_queued_run(const std::string& id) {
    RunRecord run = a_run(id);
    run.status = "queued";
    return run;
  }
  // What PostgreSQL says to somebody who is one tenant and knows its tables.
  std::string said_to(const std::string& role, const std::string& sql) {
    testing::Psql psql(database_.uri(role));
    psql.query("SET search_path = agneto");
    try {
      const auto values = psql.query(sql);
      return values.empty() ? "nothing" : values.front();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }
  static std::string against_policy(const std::string& table) {
    return fmt::format("ERROR:  new row violates row-level security policy for table \"{}\"\n",
                       table);
  }

  TestDatabase database_{{"acme", "bolt"}};
  const std::unique_ptr<Journal> acme_ = open("acme"), bolt_ = open("bolt");
};

TEST_F(TenantsTest, ARunIsThereForItsTenantOnly) {
  acme_->create(a_queued_run("r1"), {{"a.yaml", "text"}}, {an_entry(1, "started")}, {{"n", 1}});
  acme_->post("r1", {"event", {{"name", "go"}}, at(2)});
  EXPECT_EQ(acme_->due({}, later, 10).runs.size(), 1U);
  EXPECT_EQ(bolt_->find("r1"), std::nullopt);
  EXPECT_THAT(bolt_->list(), IsEmpty());
  EXPECT_THAT(bolt_->due({}, later, 10).runs, IsEmpty());
  EXPECT_THAT(bolt_->changes(0, 10), IsEmpty());
  EXPECT_EQ(bolt_->count("queued"), 0);
  const std::string none = "there is no run 'r1'";
  EXPECT_EQ(error_of([&] { bolt_->entries("r1"); }), none);
  EXPECT_EQ(error_of([&] { bolt_->state("r1"); }), none);
  EXPECT_EQ(error_of([&] { bolt_->sources("r1"); }), none);
  EXPECT_EQ(error_of([&] { bolt_->inbox("r1"); }), none);
  EXPECT_EQ(error_of([&] { bolt_->own("r1", "me"); }), none);
  EXPECT_EQ(error_of([&] { bolt_->post("r1", {"event", {}, at(3)}); }), none);
}

TEST_F(TenantsTest, NamesAreFreeWhateverOthersHaveTaken) {
  RunRecord run = a_run("r1");
  run.origin = "schedule/nightly/1";
  for (const auto& [journal, text] : {std::pair(&acme_, "of acme"), std::pair(&bolt_, "of bolt")}) {
    (*journal)->create(run, {{"a.yaml", "shared"}, {"b.yaml", text}}, {an_entry(1, "started")},
                       {{"whose", text}});
    (*journal)->grant({"phone", "read", std::string("hash ") + text, at(1)});
    (*journal)->present({"w1", {{"of", text}}});
  }
  for (const auto& [journal, text] : {std::pair(&acme_, "of acme"), std::pair(&bolt_, "of bolt")}) {
    EXPECT_EQ((*journal)->sources("r1").at("a.yaml"), "shared");
    EXPECT_EQ((*journal)->sources("r1").at("b.yaml"), text);
    EXPECT_EQ((*journal)->state("r1").at("whose"), text);
    EXPECT_EQ((*journal)->newest_of("schedule/nightly/")->id, "r1");
    ASSERT_EQ((*journal)->grants().size(), 1U);
    EXPECT_EQ((*journal)->grants().front().hash, std::string("hash ") + text);
    ASSERT_EQ((*journal)->workers().size(), 1U);
    EXPECT_EQ((*journal)->workers().front().body.at("of"), text);
  }
  bolt_->revoke("phone");
  bolt_->leave("w1");
  EXPECT_EQ(acme_->grants().size(), 1U);
  EXPECT_EQ(acme_->workers().size(), 1U);
}

TEST_F(TenantsTest, LeasesAndLimitsAreATenantsOwn) {
  for (const auto* journal : {&acme_, &bolt_}) {
    (*journal)->create(a_queued_run("r1"), {}, {an_entry(1, "started")}, {});
    (*journal)->create(a_queued_run("r2"), {}, {an_entry(1, "started")}, {});
  }
  const Bounds one{.workflows = {{"agneto", 1}}};
  const auto first = acme_->hold("r1", one);
  EXPECT_EQ(error_of([&] { acme_->hold("r2", one); }),
            "as many runs with workflow agneto are worked on as may be at a time (1, by "
            "serve.workflows)");
  EXPECT_FALSE(bolt_->is_held("r1"));
  EXPECT_EQ(bolt_->due({.bounds = one}, later, 10).runs.size(), 2U);
  const auto second = bolt_->hold("r1", one);
  EXPECT_EQ(acme_->worked_on().size(), 1U);
}

TEST_F(TenantsTest, PeopleAreToldOfTheirTenantsRuns) {
  const auto acme = open_postgresql_notices(database_.uri("acme"));
  const auto bolt = open_postgresql_notices(database_.uri("bolt"));
  acme->notice(7, {{"question r1", "phone", "r1", "asks"}}, at(1));
  EXPECT_EQ(bolt->noticed(), std::nullopt);
  EXPECT_THAT(bolt->ways_due(later), IsEmpty());
  bolt->notice(9, {{"question r1", "phone", "r1", "asks, too"}}, at(1));
  EXPECT_EQ(acme->noticed(), 7);
  EXPECT_EQ(acme->due("phone", later).at(0).body, "asks");
  bolt->forget();
  EXPECT_EQ(acme->due("phone", later).size(), 1U);
}

// Somebody has a tenant's password, and no Agneto.
TEST_F(TenantsTest, TheDatabaseHoldsItWhateverATenantSends) {
  acme_->create(a_run("r1"), {{"a.yaml", "text"}}, {an_entry(1, "started")}, {{"n", 1}});
  const std::string number = database_.query("SELECT number FROM runs").at(0);
  for (const auto& table : {"runs", "texts", "sources", "entries", "leases", "inbox"}) {
    EXPECT_EQ(said_to("bolt", fmt::format("SELECT count(*) FROM {}", table)), "0") << table;
  }
  EXPECT_THAT(said_to("bolt", "SELECT * FROM members"), HasSubstr("permission denied"));
  EXPECT_THAT(said_to("bolt", "SELECT admit('bolt', 'acme')"), HasSubstr("permission denied"));
  EXPECT_EQ(
      said_to("bolt", "INSERT INTO entries (run, seq, time, kind, path, body, hash) VALUES (" +
                          number + ", 2, 0, 'x', '', '', '')"),
      against_policy("entries"));
  EXPECT_EQ(said_to("bolt", "INSERT INTO inbox (run, time, kind, body) VALUES (" + number +
                                ", 0, 'event', '{}')"),
            against_policy("inbox"));
  EXPECT_EQ(said_to("bolt",
                    "INSERT INTO leases (run, holder, owner, process, until, tenant) "
                    "VALUES ('r1', 'x', 'x', 'x', 'infinity', 'acme')"),
            against_policy("leases"));
  bolt_->create(a_run("r2"), {}, {an_entry(1, "started")}, {});
  EXPECT_EQ(said_to("bolt", "UPDATE runs SET tenant = 'acme'"), against_policy("runs"));
  EXPECT_EQ(said_to("bolt", "DELETE FROM entries; SELECT count(*) FROM entries"), "0");
  EXPECT_EQ(acme_->append("r1", {an_entry(2, "x")}, {{"n", 2}}), 2);
}

// What a role says of itself changes nothing: whom one logged in as counts.
TEST_F(TenantsTest, WhoIsInNoTenantSeesWhatIsNobodys) {
  acme_->create(a_run("r1"), {}, {an_entry(1, "started")}, {});
  database_.query(
      "DO $$ BEGIN CREATE ROLE stray LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
  database_.query("GRANT acme TO stray");
  const auto stray = open("stray");
  EXPECT_THAT(stray->list(), IsEmpty());
  EXPECT_EQ(said_to("stray", "SET ROLE acme; SELECT count(*) FROM agneto.runs"), "0");
  stray->create(a_run("r2"), {}, {an_entry(1, "started")}, {});
  EXPECT_EQ(stray->list().size(), 1U);
  EXPECT_EQ(acme_->list().size(), 1U);
}

TEST_F(TenantsTest, WhoWouldSeeAllTenantsIsRefused) {
  EXPECT_EQ(
      error_of([&] { open("agneto"); }),
      fmt::format("the journal '{}' belongs to several tenants, and the role agneto would see "
                  "what is everybody's\n"
                  "connect as a role that is neither a superuser nor has BYPASSRLS",
                  database_.name("agneto")));
}

// It was one tenant's before, and is another one's from now on.
TEST_F(TenantsTest, ARoleMovesToTheTenantThatItIsAdmittedToLast) {
  acme_->create(a_run("r1"), {}, {an_entry(1, "started")}, {});
  database_.query("SELECT admit('bolt', 'acme')");
  EXPECT_THAT(bolt_->list(), ElementsAre(::testing::Field(&RunRecord::id, "r1")));
  database_.query("SELECT admit('bolt', 'bolt')");
  EXPECT_THAT(bolt_->list(), IsEmpty());
}

}  // namespace
}  // namespace agneto::journal
