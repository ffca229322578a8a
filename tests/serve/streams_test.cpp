// What a client is told as it happens, over a journal of its own.
#include "serve/streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/entry.h"
#include "support/temporary_folder.h"

namespace agneto::serve {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string next(Stream& stream) {
  return stream.next().value_or("it has ended");
}

class StreamsTest : public ::testing::Test {
 protected:
  StreamsTest() {
    journal::RunRecord run;
    run.id = "r";
    run.workflow = "flow";
    run.task = "say hello";
    run.file = "/w/flow.yaml";
    run.status = "running";
    journal_->create(run, {{"/w/flow.yaml", "agneto: 1"}},
                     record::encode({{0, time(1), "", record::Queued{"lea"}},
                                     {0, time(2), "", record::Noted{"one"}}}),
                     Json());
  }
  static Time time(int millis) { return Time(Millis(millis)); }
  void note(const std::string& text) {
    journal_->append("r", {record::encode(record::Entry{0, time(3), "", record::Noted{text}})},
                     Json());
  }
  std::unique_ptr<Stream> events(EventId after = {}) {
    return events_of_run(*journal_, folder_.path(), Redactor(), "r", after, replays_);
  }

  Replays replays_{5};
  testing::TemporaryFolder folder_;
  std::unique_ptr<journal::Journal> journal_ = journal::open_journal(folder_ / "runs.db");
};

TEST_F(StreamsTest, TellsARunFromItsBeginningAndGoesOn) {
  const auto stream = events();
  EXPECT_EQ(next(*stream), ": welcome\n\n");
  const std::string first = next(*stream);
  EXPECT_THAT(first, HasSubstr("id: 1.0\nevent: run.queued\ndata: {"));
  EXPECT_THAT(first, HasSubstr("id: 2.0\nevent: note\ndata: {"));
  EXPECT_EQ(next(*stream), "");
  note("two\nlines");
  const std::string more = next(*stream);
  EXPECT_THAT(more, HasSubstr("id: 3.0\nevent: note\n"));
  EXPECT_THAT(more, HasSubstr(R"("text":"two\nlines")"))
      << "no line of a text is one of the stream's";
  EXPECT_EQ(next(*stream), "");
}

TEST_F(StreamsTest, GoesOnBehindWhatTheClientKnows) {
  const auto stream = events({1, 0});
  EXPECT_EQ(next(*stream), ": welcome\n\n");
  const std::string first = next(*stream);
  EXPECT_THAT(first, Not(HasSubstr("run.queued")));
  EXPECT_THAT(first, HasSubstr("id: 2.0\n"));
  const auto all_known = events({2, 0});
  EXPECT_EQ(next(*all_known), ": welcome\n\n");
  EXPECT_EQ(next(*all_known), "");
  note("more");
  EXPECT_THAT(next(*all_known), HasSubstr("id: 3.0\n"));
}

TEST_F(StreamsTest, LetsOthersHaveTheirTurnsWhileItPassesOverWhatTheClientKnows) {
  std::vector<journal::Entry> many;
  for (int i = 0; i < 2500; ++i) {
    many.push_back(record::encode(record::Entry{0, time(3), "", record::Noted{"one of many"}}));
  }
  journal_->append("r", many, Json());
  const auto to_the_end = [](Stream& stream) {
    std::vector<std::string> told;
    for (std::string text; !(text = next(stream)).empty();) told.push_back(std::move(text));
    return told;
  };
  const std::string last = "id: 2502.0\nevent: note\n";
  using ::testing::ElementsAre;
  using ::testing::StartsWith;
  const auto first = events({2501, 0});
  EXPECT_THAT(to_the_end(*first),
              ElementsAre(": welcome\n\n", ": reading\n\n", ": reading\n\n", StartsWith(last)));
  const auto second = events({2501, 0});
  EXPECT_THAT(to_the_end(*second), ElementsAre(": welcome\n\n", StartsWith(last)))
      << "what the first one passed over is not read again";
  const auto behind = events({2400, 0});
  EXPECT_THAT(to_the_end(*behind), ElementsAre(": welcome\n\n", ": reading\n\n", ": reading\n\n",
                                               AllOf(StartsWith("id: 2401.0\n"), HasSubstr(last))))
      << "one that knows less than others do";
  note("news");
  for (Stream* each : {first.get(), second.get(), behind.get()}) {
    EXPECT_THAT(next(*each), StartsWith("id: 2503.0\nevent: note\n"));
  }
}

TEST_F(StreamsTest, TellsOfEachChangeOfARunTheLast) {
  const auto describe = [](const journal::RunRecord& run) { return Json{{"status", run.status}}; };
  const auto stream = changes_of_runs(*journal_, describe, journal_->newest_change());
  EXPECT_EQ(next(*stream), ": welcome\n\n");
  for (const char* status : {"parked", "running", "complete"}) {
    journal::RunRecord run = *journal_->find("r");
    run.status = status;
    journal_->append("r", {record::encode(record::Entry{0, time(4), "", record::Noted{"x"}})},
                     Json(), &run);
  }
  EXPECT_THAT(next(*stream), HasSubstr("event: run\ndata: {\"status\":\"complete\"}\n\n"));
  EXPECT_EQ(next(*stream), "");
}

TEST(EventIdTest, IsAnEntryAndWhichOfItsEvents) {
  EXPECT_EQ(event_id_of("12.3"), (EventId{12, 3}));
  EXPECT_GT(*event_id_of("12"), (EventId{12, 1000}));
  for (const char* none : {"", "x", "-1", "1.x", "1.-1", "1.2.3"}) {
    EXPECT_EQ(event_id_of(none), std::nullopt) << none;
  }
}

}  // namespace
}  // namespace agneto::serve
