// A call that goes well: what is asked, how the provider is started, what is recorded.
#include "agents/support.h"

namespace agneto::agents {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class Call : public CallTest {};

TEST_F(Call, GivesTheVerdictAndItsFields) {
  runner.prints({"session s1", result_line("APPLIED", {{"summary", "Add it"}})});
  const Result result = call();
  EXPECT_EQ(result.event, "APPLIED");
  EXPECT_EQ(result.data, Json({{"summary", "Add it"}}));
  EXPECT_FALSE(result.cancelled);
}

TEST_F(Call, RecordsEachStepBeforeTheNext) {
  runner.prints({result_line("STUCK")});
  call();
  EXPECT_THAT(recorder.log, ElementsAre("prepare 1", "prompt 1", "process 4711", "reply 1"));
}

TEST_F(Call, RecordsThePromptAndTheReply) {
  request.model = "large";
  runner.scripts.push_back([&](const Spec&, Listener& listener) {
    clock.pass(Millis(250));
    for (const std::string line : {"session s1", "cost 0.25 100 20", "cost 0.5 200 40"}) {
      EXPECT_TRUE(listener.line(line));
    }
    EXPECT_FALSE(listener.line(result_line("STUCK")));
    Exit exit;
    exit.kind = Exit::Kind::ended;
    return exit;
  });
  const Result result = call();

  ASSERT_EQ(recorder.prompts.size(), 1u);
  const PromptRecord& prompt = recorder.prompts.at(0);
  EXPECT_EQ(prompt.attempt, 1);
  EXPECT_EQ(prompt.provider, "fake");
  EXPECT_EQ(prompt.model, "large");
  EXPECT_EQ(prompt.session, "");
  EXPECT_EQ(prompt.checkpoint, "checkpoint 1");
  EXPECT_EQ(prompt.text, "Do the work (attempt 1).\n\n" + format() + "\n");

  ASSERT_EQ(recorder.replies.size(), 1u);
  const ReplyRecord& reply = recorder.replies.at(0);
  EXPECT_EQ(reply.attempt, 1);
  EXPECT_EQ(reply.text, reply_of("STUCK"));
  EXPECT_EQ(reply.error, "");
  EXPECT_EQ(reply.session, "s1");
  EXPECT_EQ(reply.usage.cost, 0.5);
  EXPECT_EQ(reply.usage.input_tokens, 200);
  EXPECT_EQ(reply.usage.output_tokens, 40);
  EXPECT_EQ(reply.duration, Millis(250));

  EXPECT_EQ(result.conversation.provider, "fake");
  EXPECT_EQ(result.conversation.session, "s1");
}

TEST_F(Call, AppendsConfiguredAndPersonalInstructions) {
  request.extra_instructions = "Use tabs.\n";
  request.instructions = {"Hurry.", "Leave the tests."};
  runner.prints({result_line("STUCK")});
  call();
  EXPECT_EQ(recorder.prompts.at(0).text,
            "Do the work (attempt 1).\n\n"
            "## Instructions for this project\n\nUse tabs.\n\n"
            "## Instructions from the person you work for\n\nHurry.\n\nLeave the tests.\n\n" +
                format() + "\n");
}

TEST_F(Call, APatternThatNamesNoFileIsNotedOnce) {
  request.files = {"docs/*.md"};
  runner.ends(process::Exit::Kind::exited, 1, "broken");
  runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_EQ(recorder.prompts.size(), 2u);
  EXPECT_THAT(recorder.notes, ElementsAre("agent 'coder' (fake): no file matches 'docs/*.md'"));
}

TEST_F(Call, AProviderThatIsGivenTheSchemaIsAskedInItsOwnWay) {
  files.add("/providers/fake.lua",
            replaced(fake_driver, "sessions = true,", "sessions = true, verdict = 'By lamp.',"));
  runner.prints({"session s1", "result hm"});
  runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(format("By lamp."), ::testing::HasSubstr("\n\nBy lamp.\n\nThe verdict is one of:"));
  EXPECT_EQ(recorder.prompts.at(0).text,
            "Do the work (attempt 1).\n\n" + format("By lamp.") + "\n");
  EXPECT_THAT(recorder.prompts.at(1).text, ::testing::EndsWith("\n\n" + format("By lamp.") + "\n"));
}

TEST_F(Call, WhereTheSchemaCannotBeEnforcedABlockIsAskedFor) {
  files.add("/providers/fake.lua",
            replaced(fake_driver, "sessions = true,", "sessions = true, verdict = 'By lamp.',"));
  request.verdicts[0].fields.push_back(field("more", model::Type::Kind::map));
  runner.prints({result_line("STUCK")});
  call();
  EXPECT_EQ(recorder.prompts.at(0).text, "Do the work (attempt 1).\n\n" + format() + "\n");
}

TEST_F(Call, TheHookSeesTheVerdicts) {
  files.add("/flow/scripts/coder.lua", R"lua(return {prompt = function(m)
    return m.verdicts[1].name .. " " .. m.verdicts[1].fields[1].name .. " " ..
      tostring(m.last_error == nil) .. " " .. m.inputs.task
  end})lua");
  runner.prints({result_line("STUCK")});
  call();
  EXPECT_THAT(recorder.prompts.at(0).text,
              ::testing::StartsWith("APPLIED summary true the work\n"));
}

TEST_F(Call, StartsTheProgramAsTheDriverSays) {
  request.timeout = Millis(60'000);
  request.idle = Millis(5'000);
  request.model = "large";
  request.nth = 3;
  runner.prints({result_line("STUCK")});
  call();
  ASSERT_EQ(runner.specs.size(), 1u);
  const Spec& spec = runner.specs.at(0);
  EXPECT_THAT(spec.argv, ElementsAre("fake", "--session", "", "--new", "uuid-1"));
  EXPECT_EQ(spec.input, recorder.prompts.at(0).text);
  EXPECT_EQ(spec.cwd, folder.path());
  EXPECT_EQ(spec.timeout, Millis(60'000));
  EXPECT_EQ(spec.idle, Millis(5'000));
  EXPECT_THAT(spec.env, ::testing::UnorderedElementsAre(Pair("ACCESS", "edit"),
                                                        Pair("MODEL", "large"), Pair("NTH", "3"),
                                                        Pair("AGNETO_EFFECT_ID", "r1/CODING#1")));
}

TEST_F(Call, AccessIsPassedOn) {
  for (const auto access : {model::Access::read_only, model::Access::full}) {
    request.access = access;
    runner.prints({result_line("STUCK")});
    call();
  }
  EXPECT_THAT(runner.specs.at(0).env, Contains(Pair("ACCESS", "read-only")));
  EXPECT_THAT(runner.specs.at(1).env, Contains(Pair("ACCESS", "full")));
}

TEST_F(Call, TheResultEndsTheProgram) {
  bool asked_to_end = false;
  runner.scripts.push_back([&](const Spec&, Listener& listener) {
    asked_to_end = !listener.line(result_line("STUCK"));
    Exit exit;
    exit.kind = Exit::Kind::ended;
    return exit;
  });
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_TRUE(asked_to_end);
}

TEST_F(Call, SilenceIsAllowedWhileAnyToolRuns) {
  runner.scripts.push_back([&](const Spec&, Listener& listener) {
    EXPECT_FALSE(listener.tool_in_flight());
    listener.line("tool one");
    listener.line("tool two");
    listener.line("tool-end");
    EXPECT_TRUE(listener.tool_in_flight());
    listener.line("tool-end");
    EXPECT_FALSE(listener.tool_in_flight());
    listener.line("tool-end");
    listener.line("tool three");
    EXPECT_TRUE(listener.tool_in_flight());
    listener.line(result_line("STUCK"));
    return Exit{};
  });
  EXPECT_EQ(call().event, "STUCK");
}

TEST_F(Call, ShowsWhatTheAgentDoes) {
  runner.prints({"say Reading", "tool Bash: make", "tool-end", "noise", result_line("STUCK")});
  call();
  EXPECT_THAT(recorder.progressed, ElementsAre("text: Reading", "tool: Bash: make", "tool_end"));
}

// What is said at once is not lost where the engine is killed in the silence after it.
TEST_F(Call, WhatIsSaidFirstIsRecordedOnceTheFirstMomentsAreOver) {
  runner.scripts.push_back([this](const Spec&, Listener& listener) {
    EXPECT_EQ(listener.wakes_in(), std::nullopt) << "nothing is said yet";
    clock.pass(Millis(400));
    listener.line("say Reading.");
    EXPECT_EQ(listener.wakes_in(), Millis(600));
    clock.pass(Millis(700));
    EXPECT_EQ(listener.wakes_in(), Millis(0));
    listener.woken();
    EXPECT_THAT(recorder.told, ElementsAre("1: 400ms text Reading."));
    EXPECT_EQ(listener.wakes_in(), std::nullopt);
    listener.line(result_line("STUCK"));
    Exit exit;
    exit.kind = Exit::Kind::ended;
    return exit;
  });
  call();
  EXPECT_TRUE(recorder.replies.at(0).output.empty());
}

TEST_F(Call, TheWholeOutputCanBeTheReply) {
  request.provider = "plain";
  runner.prints({"Well.", "", "VERDICT: STUCK"});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(recorder.progressed, ElementsAre("text: Well.\n\nVERDICT: STUCK"))
      << "lines that come together are shown together";
}

TEST_F(Call, WithoutDeclaredVerdictsAnyReplyIsDone) {
  request.verdicts.clear();
  runner.prints({"result All is well."});
  const Result result = call();
  EXPECT_EQ(result.event, "done");
  EXPECT_EQ(result.data, Json({{"reply", "All is well."}}));
  EXPECT_EQ(recorder.prompts.at(0).text, "Do the work (attempt 1).\n");
}

TEST_F(Call, AVerdictHasExactlyItsDeclaredFields) {
  model::Field list = field("files", model::Type::Kind::list);
  request.verdicts = {{"APPLIED", {list, field("note", model::Type::Kind::string, true)}, {}}};
  files.add("/flow/scripts/coder.lua", R"lua(return {
    prompt = function() return "Go" end,
    parse = function(reply) return "APPLIED", {files = {}, more = 1} end,
  })lua");
  runner.prints({"result whatever"});
  EXPECT_EQ(call().data, Json({{"files", Json::array()}, {"note", nullptr}}));
}

// Files beside the program.

TEST_F(Call, TheDriversFilesArePrivateAndGoneAfterwards) {
  files.add("/providers/fake.lua", R"lua(return {
    command = function(call)
      return {argv = {"fake", "--schema={files}/schema.json"}, env = {DIR = "{files}"},
              files = {["schema.json"] = "{}"}}
    end,
    event = function(line) return {result = line} end,
  })lua");
  std::filesystem::path place;
  runner.scripts.push_back([&](const Spec& spec, Listener& listener) {
    place = spec.env[0].second;
    EXPECT_EQ(spec.argv[1], "--schema=" + (place / "schema.json").string());
    EXPECT_EQ(read_file(place / "schema.json"), "{}");
    struct stat status {};
    stat(place.c_str(), &status);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
    listener.line("VERDICT: STUCK");
    return Exit{};
  });
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_FALSE(place.empty());
  EXPECT_FALSE(std::filesystem::exists(place));
}

TEST_F(Call, TheDriversFilesStayInTheirFolder) {
  files.add("/providers/fake.lua", R"lua(return {
    command = function(call) return {argv = {"fake"}, files = {["../escape"] = "x"}} end,
  })lua");
  const Result result = call();
  EXPECT_EQ(result.event, "error.spawn");
  EXPECT_THAT(message(result), HasSubstr("cannot write the file '../escape' in "));
}

// Conversations.

class ConversationTest : public CallTest {
 protected:
  ConversationTest() {
    request.conversation = {"fake", "s1"};
    request.recall = [this] {
      ++recalled;
      return std::vector<Exchange>{{"Hello?", "Hi."}, {"More?", "Yes."}};
    };
  }
  std::string replayed(const std::string& message) {
    return "This is the conversation so far.\n\n"
           "<message>\nHello?\n</message>\n\n<your-reply>\nHi.\n</your-reply>\n\n"
           "<message>\nMore?\n</message>\n\n<your-reply>\nYes.\n</your-reply>\n\n"
           "It goes on with this message, which is for you to answer now.\n\n" +
           message;
  }

  int recalled = 0;
};

TEST_F(ConversationTest, IsContinuedByItsSession) {
  runner.prints({"session s2", result_line("STUCK")});
  const Result result = call();
  EXPECT_EQ(runner.specs.at(0).argv[2], "s1");
  EXPECT_EQ(runner.specs.at(0).input, recorder.prompts.at(0).text);
  EXPECT_EQ(recorder.prompts.at(0).session, "s1");
  EXPECT_EQ(result.conversation.session, "s2");
  EXPECT_EQ(recalled, 0) << "a long conversation is not read for nothing";
}

TEST_F(ConversationTest, ASessionThatIsNotNamedAgainGoesOn) {
  runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().conversation.session, "s1");
}

TEST_F(ConversationTest, IsToldAgainWhereTheSessionIsLost) {
  runner.prints({"lost No conversation found"});
  runner.prints({"session s9", result_line("STUCK")});
  const Result result = call();
  EXPECT_EQ(result.event, "STUCK");
  ASSERT_EQ(runner.specs.size(), 2u);
  EXPECT_EQ(runner.specs.at(1).argv[2], "");
  EXPECT_EQ(runner.specs.at(1).input, replayed(recorder.prompts.at(1).text));
  EXPECT_EQ(recorder.prompts.at(1).session, "");
  EXPECT_EQ(result.conversation.session, "s9");
  EXPECT_EQ(recorder.replies.at(0).event, "session.lost");
  EXPECT_THAT(clock.slept, IsEmpty());
  EXPECT_THAT(recorder.progressed,
              ElementsAre("retry: the session to continue does not exist any more"));
}

TEST_F(ConversationTest, IsToldAgainToAProviderWithoutSessions) {
  request.provider = "plain";
  runner.prints({"VERDICT: STUCK"});
  const Result result = call();
  EXPECT_EQ(runner.specs.at(0).input, replayed(recorder.prompts.at(0).text));
  EXPECT_EQ(result.conversation.provider, "plain");
  EXPECT_EQ(result.conversation.session, "");
}

TEST_F(ConversationTest, OfAnotherProviderIsToldAgain) {
  request.conversation.provider = "other";
  runner.prints({"session s7", result_line("STUCK")});
  const Result result = call();
  EXPECT_EQ(runner.specs.at(0).argv[2], "");
  EXPECT_EQ(runner.specs.at(0).input, replayed(recorder.prompts.at(0).text));
  EXPECT_EQ(result.conversation.provider, "fake");
  EXPECT_EQ(result.conversation.session, "s7");
}

TEST_F(ConversationTest, IsAsItWasAfterAFailure) {
  request.retry.tries = 1;
  runner.prints({"session s2", "error overloaded"});
  const Result result = call();
  EXPECT_EQ(result.event, "error.exit");
  EXPECT_EQ(result.conversation.session, "s1");
}

TEST_F(ConversationTest, ARetryGoesOnFromTheLastGoodPoint) {
  runner.prints({"session s2", "error overloaded"});
  runner.prints({"session s3", result_line("STUCK")});
  EXPECT_EQ(call().conversation.session, "s3");
  EXPECT_EQ(runner.specs.at(1).argv[2], "s1");
}

TEST_F(Call, WhatTheProgramSaysOfItselfOnStderrIsANote) {
  files.add("/providers/fake.lua", R"lua(return {
    command = function() return {argv = {"fake"}} end,
    error_line = function(line) return line:find("again") and {note = line} end,
    finish = function(output) return {result = output} end,
  })lua");
  runner.scripts.push_back([](const Spec&, Listener& listener) {
    listener.error_line("warning: no colours");
    listener.error_line("busy; trying again");
    Exit exit;
    exit.output = reply_of("STUCK");
    return exit;
  });
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(recorder.progressed, ElementsAre("note: busy; trying again"));
}

TEST_F(Call, WhatTheProgramSaysAHundredTimesIsToldAtGrowingDistances) {
  files.add("/providers/fake.lua", R"lua(return {
    command = function() return {argv = {"fake"}} end,
    error_line = function(line) return {note = line} end,
    finish = function(output) return {result = output} end,
  })lua");
  const auto says_busy = [](int times) {
    return [times](const Spec&, Listener& listener) {
      for (int i = 1; i <= times; ++i) {
        listener.error_line("busy");
        if (i == 4) listener.error_line("the key is old");
      }
      Exit exit;
      exit.output = times == 100 ? "" : reply_of("STUCK");
      return exit;
    };
  };
  runner.scripts = {says_busy(100), says_busy(3)};
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(
      recorder.progressed,
      ElementsAre("note: busy", "note: busy", "note: busy",
                  "note: the key is old [left out before this: 1]", "note: busy",
                  "note: busy [left out before this: 3]", "note: busy [left out before this: 7]",
                  "note: busy [left out before this: 15]", "note: busy [left out before this: 31]",
                  "note: busy [left out before this: 34]", "reask: the reply is empty",
                  "note: busy [left out before this: 2]"))
      << "the second try's are of the same call";
}

// The workspace is asked for by the hook.
TEST_F(Call, AHookThatIsStoppedHasNotFailed) {
  std::stop_source source;
  request.workspace = [&] {
    source.request_stop();
    return Json{{"diff", ""}};
  };
  const std::string endless = "local diff = m.workspace.diff while true do end";
  files.add("/flow/scripts/coder.lua", "return {prompt = function(m) " + endless + " end}");
  EXPECT_TRUE(agents::call(request, services(), recorder, source.get_token()).cancelled);
  EXPECT_THAT(recorder.log, IsEmpty());

  source = {};
  files.add("/flow/scripts/coder.lua",
            "return {prompt = function() return 'x' end, "
            "parse = function(reply, m) " +
                endless + " end}");
  runner.prints({result_line("STUCK")});
  EXPECT_TRUE(agents::call(request, services(), recorder, source.get_token()).cancelled);
  EXPECT_THAT(recorder.log, ElementsAre("prepare 1", "prompt 1", "process 4711", "reply 1"));
}

// What it had said of the use by then counts.
TEST_F(Call, ADriverThatIsStoppedHasNotFailed) {
  files.add("/providers/fake.lua", "return {command = function(call) while true do end end}");
  Services stopping = services();
  stopping.new_uuid = [&] {
    stop.request_stop();
    return std::string("uuid");
  };
  EXPECT_TRUE(agents::call(request, stopping, recorder, stop.get_token()).cancelled);
  EXPECT_THAT(recorder.log, ElementsAre("prepare 1", "prompt 1", "reply 1"));
  EXPECT_EQ(recorder.replies.back().event, "stopped");

  stop = {};
  files.add("/providers/fake.lua",
            "return {command = function(call) return {argv = {'fake'}} end, event = function(line) "
            "if line == 'used' then return {cost = 0.25} end while true do end end}");
  runner.scripts.push_back([&](const process::Spec&, process::Listener& listener) {
    listener.line("used");
    stop.request_stop();
    listener.line("next");
    return process::Exit{};
  });
  EXPECT_TRUE(call().cancelled);
  EXPECT_EQ(recorder.replies.back().event, "stopped");
  EXPECT_EQ(recorder.replies.back().error, "stopped before it was over");
  EXPECT_EQ(recorder.replies.back().usage.cost, 0.25);
}

}  // namespace
}  // namespace agneto::agents
