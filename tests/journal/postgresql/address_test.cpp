// Where a database is, and that no password is said with it.
#include "journal/postgresql/address.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace agneto::journal {
namespace {

using testing::error_of;

TEST(AddressTest, IsNamedByWhatItSays) {
  EXPECT_EQ(Address("postgresql://ada@db.example:5433/runs?sslmode=require").name(),
            "postgresql://ada@db.example:5433/runs");
  EXPECT_EQ(Address("postgres:///runs?host=/run/postgresql").name(),
            "postgresql:///run/postgresql/runs");
  EXPECT_EQ(Address("postgresql:///?service=fleet").name(), "postgresql:///?service=fleet");
}

TEST(AddressTest, IsToldFromThePathOfAFile) {
  EXPECT_TRUE(is_postgresql("postgresql://db/runs"));
  EXPECT_TRUE(is_postgresql("postgres://db/runs"));
  EXPECT_FALSE(is_postgresql("/home/ada/postgresql:/runs.db"));
}

TEST(AddressTest, WithAPasswordIsRefusedWithoutSayingIt) {
  for (const char* uri : {"postgresql://ada:secret@db/runs", "postgresql://db/runs?password=secret",
                          "postgresql://db/runs?sslpassword=secret"}) {
    EXPECT_EQ(error_of([&] { Address address(uri); }),
              "the address of the journal has a password in it, which others could read\n"
              "leave it out, and give it by ~/.pgpass, by a service in ~/.pg_service.conf or by "
              "PGPASSWORD");
  }
}

TEST(AddressTest, ThatCannotBeReadIsNotSaidEither) {
  EXPECT_EQ(error_of([] { Address address("postgresql://ada:secret@db:port:x/runs?y"); }),
            "the address of the journal is no URI of PostgreSQL\n"
            "write it as postgresql://USER@HOST:PORT/DATABASE");
}

}  // namespace
}  // namespace agneto::journal
