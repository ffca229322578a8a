// Connections to one of several servers, whose place another one takes.
#include "journal/postgresql/connection.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <future>

#include "flaky_way.h"
#include "journal/postgresql/server_fixture.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

using testing::error_of;
using testing::FlakyWay;

// Two ways to the same server are as good as two servers of which each is written.
class ConnectionTest : public ::testing::Test {
 protected:
  Address address() const {
    return Address("postgresql://agneto@/postgres?port=5432&host=" + one_.folder() + "," +
                   two_.folder());
  }
  Server two() const { return {two_.folder(), "5432"}; }

  FlakyWay one_{test_server().folder()}, two_{test_server().folder()};
  const Sql ask_{"SELECT 1"};
};

TEST_F(ConnectionTest, TellsTheOthersOfItsAddressWhichServerIsWritten) {
  const Address address = this->address();
  address.is_written(two());
  const Connection connection(address);
  address.none_is_written();
  const Connection next(address);
  EXPECT_EQ(address.written(), (Server{one_.folder(), "5432"}));
  EXPECT_EQ(Address(this->address()).written(), std::nullopt);
}

// It would wait for five seconds before it asks who is written now.
TEST_F(ConnectionTest, WaitsNoLongerForAServerThatHangsOnceOthersHaveFoundTheNextOne) {
  const Address address = this->address();
  Connection connection(address);
  std::promise<void> asked, over;
  one_.cut(FlakyWay::Cut::answer, 0, [&] {
    asked.set_value();
    over.get_future().wait();
  });
  auto ended =
      std::async(std::launch::async, [&] { return error_of([&] { connection.run(ask_); }); });
  asked.get_future().wait();
  address.is_written(two());
  const bool soon = ended.wait_for(Millis(4000)) == std::future_status::ready;
  over.set_value();
  EXPECT_TRUE(soon);
  EXPECT_EQ(ended.get(), fmt::format("the connection to the journal '{}' was lost: it does not "
                                     "answer any more",
                                     address.name()));
}

TEST_F(ConnectionTest, IsNotUsedAgainWhereAnotherServerIsWrittenByNow) {
  const Address address = this->address();
  Connection connection(address);
  EXPECT_TRUE(connection.seems_alive());
  address.is_written(two());
  EXPECT_FALSE(connection.seems_alive());
}

// Somebody else may need one second for it, or a minute.
TEST_F(ConnectionTest, WaitsForAnAnswerThatTakesLong) {
  const Address address = this->address();
  Connection connection(address);
  const Sql slow("SELECT 2 FROM pg_sleep(0.6)");
  EXPECT_EQ(connection.run(slow).text(0, 0), "2");
}

}  // namespace
}  // namespace agneto::journal
