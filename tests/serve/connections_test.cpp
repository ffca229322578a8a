#include "serve/connections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/fakes.h"

namespace agneto::serve {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ConnectionsTest : public ::testing::Test {
 protected:
  bool come(int descriptor, const std::string& address) {
    if (!connections_.may_come(address)) return false;
    connections_.came(descriptor, address);
    return true;
  }
  std::vector<int> overdue() {
    std::vector<int> all;
    connections_.end_overdue([&](int descriptor) { all.push_back(descriptor); });
    return all;
  }

  run::TestClock clock_;
  Connections connections_{{.of_one = 2, .of_trusted = 3, .head = seconds(30), .body = seconds(60)},
                           {"192.0.2.9"},
                           clock_};
};

TEST_F(ConnectionsTest, AreSoManyOfOneAddress) {
  EXPECT_TRUE(come(1, "192.0.2.1"));
  EXPECT_TRUE(come(2, "192.0.2.1"));
  EXPECT_FALSE(come(3, "192.0.2.1"));
  EXPECT_TRUE(come(3, "192.0.2.2")) << "another one's";
  connections_.left(1);
  EXPECT_TRUE(come(1, "192.0.2.1"));
  EXPECT_FALSE(come(4, "192.0.2.1"));
}

TEST_F(ConnectionsTest, AreCountedByNetwork) {
  EXPECT_TRUE(come(1, "2001:db8::1"));
  EXPECT_TRUE(come(2, "2001:db8::2"));
  EXPECT_FALSE(come(3, "2001:db8::3"));
  EXPECT_TRUE(come(3, "2001:db8:0:1::3"));
}

TEST_F(ConnectionsTest, AreMoreOfThisMachineAndOfProxies) {
  int descriptor = 0;
  for (const char* address : {"127.0.0.1", "::1", "192.0.2.9"}) {
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(come(++descriptor, address)) << address;
    EXPECT_FALSE(come(99, address)) << address;
  }
}

TEST_F(ConnectionsTest, EndWhereAHeadTakesTooLong) {
  come(1, "192.0.2.1");
  clock_.advance(seconds(20));
  come(2, "192.0.2.1");
  EXPECT_THAT(overdue(), IsEmpty());
  clock_.advance(seconds(10));
  EXPECT_THAT(overdue(), ElementsAre(1));
  EXPECT_THAT(overdue(), IsEmpty()) << "once is enough";
  connections_.left(1);
  clock_.advance(seconds(20));
  EXPECT_THAT(overdue(), ElementsAre(2));
}

TEST_F(ConnectionsTest, HaveTheirTimeForEachRequest) {
  come(1, "192.0.2.1");
  clock_.advance(seconds(29));
  connections_.awaits_body(1);
  clock_.advance(seconds(59));
  EXPECT_THAT(overdue(), IsEmpty());
  connections_.awaits_nothing(1);
  clock_.advance(seconds(3600));
  EXPECT_THAT(overdue(), IsEmpty()) << "it listens to what it was answered";
  connections_.awaits_head(1);
  clock_.advance(seconds(29));
  EXPECT_THAT(overdue(), IsEmpty());
  clock_.advance(seconds(1));
  EXPECT_THAT(overdue(), ElementsAre(1));
  connections_.awaits_body(1);
  clock_.advance(seconds(60));
  EXPECT_THAT(overdue(), ElementsAre(1));
}

}  // namespace
}  // namespace agneto::serve
