// A reply without a usable verdict is asked again, in the same session, with what was wrong.
#include "agents/support.h"

namespace agneto::agents {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Unparsed : public CallTest {
 protected:
  // The message that answers a first reply, then a good one.
  std::string asked_after(const std::string& line) {
    runner.prints({"session s1", line});
    runner.prints({"session s2", result_line("STUCK")});
    EXPECT_EQ(call().event, "STUCK");
    EXPECT_EQ(recorder.prompts.size(), 2u);
    return recorder.prompts.back().text;
  }
  std::string again(const std::string& problem) {
    return "Your last reply could not be used: " + problem +
           ". What you have done stands; do not do it again. Give your answer anew, whole, with "
           "one of these verdicts: APPLIED, STUCK.\n\n" +
           format() + "\n";
  }
};

TEST_F(Unparsed, NoVerdict) {
  EXPECT_EQ(asked_after("result I am not replying APPLIED yet."),
            again("no verdict was found in the reply"));
}

TEST_F(Unparsed, AnEmptyReply) {
  EXPECT_EQ(asked_after("result  \\n "), again("the reply is empty"));
  EXPECT_EQ(runner.specs.at(1).argv[2], "s1");
  EXPECT_THAT(recorder.log, ::testing::Contains("keep 2"));
}

TEST_F(Unparsed, AnEmptyReplyWhereNoVerdictIsExpected) {
  request.verdicts.clear();
  for (int i = 0; i < 2; ++i) runner.prints({"session s1", "result  \\n "});
  runner.prints({"session s1", "result here it is"});
  const Result result = call();
  EXPECT_EQ(result.event, "done");
  EXPECT_EQ(result.data, Json({{"reply", "here it is"}}));
  EXPECT_EQ(recorder.prompts.at(1).text,
            "Your last reply could not be used: the reply is empty. What you have done stands; do "
            "not do it again. Give your answer anew, whole.\n");
  EXPECT_EQ(recorder.prompts.at(1).session, "s1");
  EXPECT_THAT(recorder.log, ::testing::Contains("keep 2"));
}

TEST_F(Unparsed, AfterThreeEmptyRepliesItIsAnError) {
  request.verdicts.clear();
  for (int i = 0; i < 3; ++i) runner.prints({"result"});
  const Result result = call();
  EXPECT_EQ(result.event, "error.unparsed");
  EXPECT_EQ(result.data["message"],
            "agent 'coder' (fake) gave no usable reply in 3 replies; of the last: the reply is "
            "empty");
}

TEST_F(Unparsed, FilesThatCannotBeCommittedAreToBePutRight) {
  recorder.obstacles = {".GIT cannot be committed: git takes no file of that name"};
  EXPECT_EQ(asked_after(result_line("STUCK")),
            again(".GIT cannot be committed: git takes no file of that name"));
}

TEST_F(Unparsed, AnAgentThatDoesNotPutThemRightHasTheLastWord) {
  recorder.obstacles = {"a", "a", "a"};
  for (int i = 0; i < 3; ++i) runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_EQ(recorder.prompts.size(), 3u);
}

TEST_F(Unparsed, BrokenJson) {
  EXPECT_EQ(asked_after("result ```json\\n{\"verdict\": STUCK}\\n```"),
            again("the JSON in the reply cannot be decoded"));
}

TEST_F(Unparsed, AVerdictThatIsNotDeclared) {
  EXPECT_EQ(asked_after("result VERDICT: FINE"),
            again("the verdict 'FINE' is not one of those declared"));
}

TEST_F(Unparsed, AMissingField) {
  EXPECT_EQ(asked_after(result_line("APPLIED")),
            again("the field 'summary' of APPLIED (string) is missing"));
}

TEST_F(Unparsed, FieldsOfTheWrongType) {
  request.verdicts[0].fields.push_back(field("files", model::Type::Kind::list));
  EXPECT_EQ(asked_after(result_line("APPLIED", {{"summary", 3}, {"files", "a.txt"}})),
            again("the field 'summary' of APPLIED: expected string, found integer 3; the field "
                  "'files' of APPLIED: expected list, found string \"a.txt\""));
}

TEST_F(Unparsed, IsAskedAgainInTheSameSessionAndTheWorkStands) {
  runner.prints({"session s1", "result hm"});
  runner.prints({"session s2", result_line("APPLIED", {{"summary", "x"}})});
  const Result result = call();
  EXPECT_EQ(result.event, "APPLIED");
  EXPECT_EQ(runner.specs.at(1).argv[2], "s1");
  EXPECT_EQ(runner.specs.at(1).input, recorder.prompts.at(1).text);
  EXPECT_EQ(result.conversation.session, "s2");
  EXPECT_EQ(recorder.prompts.at(1).checkpoint, "kept 2");
  EXPECT_THAT(recorder.log, ElementsAre("prepare 1", "prompt 1", "process 4711", "reply 1",
                                        "keep 2", "prompt 2", "process 4711", "reply 2"));
  EXPECT_THAT(recorder.progressed, ElementsAre("reask: no verdict was found in the reply"));
  EXPECT_THAT(clock.slept, IsEmpty());
}

TEST_F(Unparsed, WithoutSessionsTheExchangeIsToldAgain) {
  request.provider = "plain";
  runner.prints({"hm"});
  runner.prints({"VERDICT: STUCK"});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_EQ(runner.specs.at(1).input,
            "This is the conversation so far.\n\n<message>\n" + recorder.prompts.at(0).text +
                "\n</message>\n\n<your-reply>\nhm\n\n</your-reply>\n\n"
                "It goes on with this message, which is for you to answer "
                "now.\n\n" +
                recorder.prompts.at(1).text);
}

TEST_F(Unparsed, AfterTwoMoreRepliesItIsAnError) {
  runner.prints({"result one"});
  runner.prints({"result two"});
  runner.prints({"result VERDICT: FINE"});
  const Result result = call();
  EXPECT_EQ(result.event, "error.unparsed");
  EXPECT_EQ(result.data,
            Json({{"message",
                   "agent 'coder' (fake) gave no usable verdict in 3 replies; of the "
                   "last: the verdict 'FINE' is not one of those declared; expected one "
                   "of APPLIED, STUCK"},
                  {"attempts", 3},
                  {"reply", "VERDICT: FINE"}}));
}

TEST_F(Unparsed, AFailureInBetweenIsTriedAgainWithTheSameMessage) {
  runner.prints({"session s1", "result one"});
  runner.ends(Exit::Kind::exited, 1, "boom");
  runner.prints({"session s2", result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_EQ(recorder.prompts.at(2).text, recorder.prompts.at(1).text);
  EXPECT_EQ(runner.specs.at(2).argv[2], "s1");
  EXPECT_THAT(recorder.log, ::testing::Contains("prepare 3"));
}

TEST_F(Unparsed, TheReAsksAreNoTries) {
  request.retry.tries = 2;
  runner.ends(Exit::Kind::exited, 1);
  runner.prints({"result one"});
  runner.prints({"result two"});
  runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
}

// Where the retry says so, the work itself is asked for once more, in a conversation of its own.
TEST_F(Unparsed, AfterTheReAsksTheWorkIsTriedAgain) {
  request.retry.on = {"error.unparsed"};
  request.retry.tries = 2;
  for (int i = 0; i < 3; ++i) runner.prints({"session s1", "result nothing"});
  runner.prints({"session s2", result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_EQ(recorder.prompts.at(3).session, "");
  EXPECT_THAT(recorder.prompts.at(3).text, HasSubstr("no verdict was found in the reply"));
  EXPECT_EQ(clock.slept, std::vector<Millis>{Millis(1000)});

  for (int i = 0; i < 6; ++i) runner.prints({"result nothing"});
  const Result failed = call();
  EXPECT_EQ(failed.event, "error.unparsed");
  EXPECT_THAT(std::string(failed.data["message"]), HasSubstr("no usable verdict in 6 replies"));
  EXPECT_EQ(recorder.prompts.size(), 10u);
}

TEST_F(Unparsed, AStopBetweenKeepsTheWork) {
  runner.prints({"result one"});
  recorder.on_reply = [&] { stop.request_stop(); };
  EXPECT_TRUE(call().cancelled);
  EXPECT_THAT(recorder.log,
              ElementsAre("prepare 1", "prompt 1", "process 4711", "reply 1", "keep 2"));
}

}  // namespace
}  // namespace agneto::agents
