// What people are still to be told is in the journal's file, whoever opens it next.
#include "journal/notices.h"

#include <gmock/gmock.h>

#include "journal_fixture.h"

namespace agneto::journal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class NoticesTest : public JournalTest {
 protected:
  std::vector<std::string> due(Time now) {
    std::vector<std::string> all;
    for (const std::string& way : notices_->ways_due(now)) {
      for (const Notice& each : notices_->due(way, now)) {
        all.push_back(each.key + " by " + each.way + ": " + each.body);
      }
    }
    return all;
  }
  void reopen() { notices_ = open_notices(where_); }

  std::unique_ptr<Notices> notices_ = open_notices(where_);
};

TEST_P(NoticesTest, AreDueUntilTheyAreSettled) {
  EXPECT_EQ(notices_->noticed(), std::nullopt);
  notices_->notice(7, {{"a end 3", "mail", "a", "{}"}, {"a end 3", "desktop", "a", "{}"}}, at(5));
  reopen();
  EXPECT_EQ(notices_->noticed(), 7);
  EXPECT_THAT(due(at(4)), IsEmpty());
  EXPECT_THAT(due(at(5)), UnorderedElementsAre("a end 3 by mail: {}", "a end 3 by desktop: {}"));
  notices_->settle({"a end 3", "mail", "a", ""});
  reopen();
  EXPECT_THAT(due(at(5)), ElementsAre("a end 3 by desktop: {}"));
}

TEST_P(NoticesTest, AreKnownForGood) {
  const Notice notice{"a end 3", "mail", "a", "{}"};
  notices_->notice(7, {notice}, at(5));
  notices_->settle(notice);
  notices_->notice(8, {notice}, at(6));
  EXPECT_EQ(notices_->noticed(), 8);
  EXPECT_THAT(due(at(100)), IsEmpty());
}

TEST_P(NoticesTest, AreDueAgainWithWhatWasTried) {
  const Notice notice{"a end 3", "mail", "a", "{}"};
  notices_->notice(7, {notice}, at(5));
  notices_->put_off(notice, at(50), 2);
  reopen();
  EXPECT_THAT(due(at(49)), IsEmpty());
  ASSERT_EQ(notices_->due("mail", at(50)).size(), 1U);
  EXPECT_EQ(notices_->due("mail", at(50))[0].tries, 2);
}

TEST_P(NoticesTest, AreDroppedWhereNobodyIsTold) {
  const Notice notice{"a end 3", "mail", "a", "{}"};
  notices_->notice(7, {notice}, at(5));
  notices_->forget();
  EXPECT_EQ(notices_->noticed(), std::nullopt);
  EXPECT_THAT(due(at(100)), IsEmpty());
  notices_->notice(9, {notice}, at(6));
  EXPECT_THAT(due(at(100)), IsEmpty()) << "it was dropped for good";
}

TRY_EACH_STORE(NoticesTest);

}  // namespace
}  // namespace agneto::journal
