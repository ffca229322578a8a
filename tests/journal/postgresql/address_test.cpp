// Where a database is, and that no password is said with it.
#include "journal/postgresql/address.h"

#include <gtest/gtest.h>

#include <string>

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

std::string parameter(const Address& address, const std::string& wanted) {
  for (const auto& [keyword, value] : address.parameters()) {
    if (keyword == wanted) return value;
  }
  return "";
}

TEST(AddressTest, OfSeveralServersNamesEachAndIsOfTheOneThatIsWritten) {
  const auto wanted = [](const Address& address) {
    return parameter(address, "target_session_attrs");
  };
  const Address several("postgresql://ada@one:5433,two,three:5435/runs");
  EXPECT_EQ(several.name(), "postgresql://ada@one:5433,two,three:5435/runs");
  EXPECT_EQ(wanted(several), "read-write");
  const Address any("postgresql://one,two/runs?port=5433&target_session_attrs=any");
  EXPECT_EQ(any.name(), "postgresql://one,two:5433/runs");
  EXPECT_EQ(wanted(any), "any");
  EXPECT_EQ(wanted(Address("postgresql://one/runs")), "");
}

// Where one hangs, it is not waited for once it is known that another one has its place.
TEST(AddressTest, OfSeveralServersTheOneThatIsWrittenIsAskedFirst) {
  const Address several("postgresql://one:5433,two:5434,three:5435/runs");
  const Address copy = several;
  const auto order = [&] { return parameter(copy, "host") + " " + parameter(copy, "port"); };
  EXPECT_EQ(several.written(), std::nullopt);
  several.none_is_written();
  EXPECT_EQ(order(), "one,two,three 5433,5434,5435");
  several.is_written({"two", "5434"});
  EXPECT_EQ(copy.written(), (Server{"two", "5434"}));
  EXPECT_EQ(order(), "two,three,one 5434,5435,5433");
  several.none_is_written();
  EXPECT_EQ(order(), "three,one,two 5435,5433,5434");
  several.is_written({"three", "5435"});
  EXPECT_EQ(order(), "three,one,two 5435,5433,5434");
  several.none_is_written();
  EXPECT_EQ(order(), "one,two,three 5433,5434,5435");
}

TEST(AddressTest, TheOneThatIsWrittenIsKnownByWhateverTheAddressSaysOfIt) {
  const Address folders("postgresql:///runs?host=/run/one,/run/two&port=5433");
  folders.is_written({"/run/two", "5433"});
  EXPECT_EQ(parameter(folders, "host"), "/run/two,/run/one");
  EXPECT_EQ(parameter(folders, "port"), "5433");
  const Address numbers("postgresql:///runs?host=,two&hostaddr=10.0.0.1,10.0.0.2");
  numbers.is_written({"two", "5432"});
  EXPECT_EQ(parameter(numbers, "host"), "two,");
  EXPECT_EQ(parameter(numbers, "hostaddr"), "10.0.0.2,10.0.0.1");
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
