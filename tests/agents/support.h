// What the tests of calls share: a provider that speaks a line language of its own, a runner and a
// clock that play what a test says, and a recorder that remembers everything in order.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "agents/caller.h"
#include "base/files.h"
#include "process/support.h"
#include "script/verdicts.h"
#include "support/paths.h"

namespace agneto::agents {

using process::Exit;
using process::Listener;
using process::read_file;
using process::Spec;
using process::TemporaryFolder;
using process::write_script;

// Lines of the provider `fake`: "say TEXT", "tool NAME", "tool-end", "session ID", "cost USD IN
// OUT", "tokens IN CACHED OUT", "result TEXT" (\n stands for a newline), "error TEXT", "lost TEXT",
// "away TEXT", "busy SECONDS TEXT", "refused TEXT", "again TEXT"; all others mean nothing.
inline constexpr const char* fake_driver = R"lua(
local events = {
  say = function(rest) return {text = rest} end,
  tool = function(rest) return {tool_start = rest} end,
  ["tool-end"] = function() return {tool_end = true} end,
  session = function(rest) return {session = rest} end,
  cost = function(rest)
    local usd, i, o = rest:match("(%S+) (%S+) (%S+)")
    return {cost = tonumber(usd), input_tokens = tonumber(i), output_tokens = tonumber(o)}
  end,
  tokens = function(rest)
    local i, cached, o = rest:match("(%S+) (%S+) (%S+)")
    return {input_tokens = tonumber(i), cached_tokens = tonumber(cached), output_tokens = tonumber(o)}
  end,
  result = function(rest) return {result = (rest:gsub("\\n", "\n"))} end,
  error = function(rest) return {error = rest} end,
  lost = function(rest) return {error = rest, session_lost = true} end,
  away = function(rest) return {away = rest} end,
  busy = function(rest)
    local seconds, text = rest:match("(%S+) (.*)")
    return {away = text, wait = tonumber(seconds)}
  end,
  refused = function(rest) return {refused = rest} end,
  again = function(rest) return {note = rest, trying = true} end,
  crash = function(rest) error("driver: " .. rest) end,
}
return {
  program = "fake",
  sessions = true,
  command = function(call)
    return {
      argv = {"fake", "--session", call.session, "--new", call.new_session},
      env = {ACCESS = call.access, MODEL = call.model, NTH = tostring(call.nth)},
      input = call.prompt,
    }
  end,
  event = function(line)
    local kind, rest = line:match("^(%S+) ?(.*)$")
    if events[kind] then return events[kind](rest) end
  end,
}
)lua";

// A provider without sessions whose reply is its whole output.
inline constexpr const char* plain_driver = R"lua(
return {
  command = function(call) return {argv = {"plain"}, input = call.prompt} end,
  finish = function(output, status)
    if status == 0 then return {result = output} end
  end,
}
)lua";

// A provider that answers itself, as its options say.
inline constexpr const char* answering_driver = R"lua(
return {
  command = function(call) return {answer = call.options.answers[call.attempt]} end,
}
)lua";

inline constexpr const char* coder_hooks = R"lua(
return {
  prompt = function(m)
    local text = "Do " .. m.inputs.task .. " (attempt " .. m.attempt .. ")."
    return text
  end,
}
)lua";

// A reply as an agent gives it.
inline std::string reply_of(const std::string& verdict, Json fields = Json::object()) {
  fields["verdict"] = verdict;
  return "I did it.\n\n```json\n" + fields.dump() + "\n```";
}

// The same as a line of the provider `fake`.
inline std::string result_line(const std::string& verdict, Json fields = Json::object()) {
  std::string line = "result " + reply_of(verdict, std::move(fields));
  for (std::size_t at = 0; (at = line.find('\n', at)) != std::string::npos; ++at) {
    line.replace(at, 1, "\\n");
  }
  return line;
}

class FakeClock : public Clock {
 public:
  Time now() const override { return time; }
  Millis elapsed() const override { return passed; }
  bool sleep(Millis duration, std::stop_token stop) override {
    if (before_sleep) before_sleep();
    if (stop.stop_requested()) return false;
    slept.push_back(duration);
    pass(duration);
    return true;
  }
  void pass(Millis duration) {
    time += duration;
    passed += duration;
  }
  Time time{};
  Millis passed{};
  std::vector<Millis> slept;
  std::function<void()> before_sleep;
};

// Plays one script per run; a run more than there are scripts is a failure of the test.
class FakeRunner : public process::Runner {
 public:
  using Script = std::function<Exit(const Spec&, Listener&)>;

  Exit run(const Spec& spec, Listener& listener, std::stop_token stop) override {
    specs.push_back(spec);
    listener.started({4711, 99});
    if (scripts.empty()) {
      ADD_FAILURE() << "one run too many";
      return {};
    }
    const Script script = scripts.front();
    scripts.pop_front();
    Exit exit = script(spec, listener);
    if (stop.stop_requested() && exit.kind != Exit::Kind::ended) exit.kind = Exit::Kind::stopped;
    return exit;
  }

  // The program prints these lines, and ends so unless the listener ends it.
  void prints(std::vector<std::string> lines, Exit exit = {}) {
    scripts.push_back([lines = std::move(lines), exit](const Spec&, Listener& listener) mutable {
      for (const std::string& line : lines) {
        exit.output += line + "\n";
        if (listener.line(line)) continue;
        exit.kind = Exit::Kind::ended;
        break;
      }
      listener.caught_up();
      return exit;
    });
  }
  void ends(Exit::Kind kind, int value = 0, std::string error = "") {
    Exit exit;
    exit.kind = kind;
    (kind == Exit::Kind::signalled ? exit.signal : exit.status) = value;
    exit.error = std::move(error);
    prints({}, exit);
  }

  std::deque<Script> scripts;
  std::vector<Spec> specs;
};

class FakeRecorder : public CallRecorder {
 public:
  std::string prepare(int attempt) override {
    log.push_back("prepare " + std::to_string(attempt));
    return "checkpoint " + std::to_string(attempt);
  }
  std::string keep(int attempt) override {
    log.push_back("keep " + std::to_string(attempt));
    return "kept " + std::to_string(attempt);
  }
  void prompt(const PromptRecord& record) override {
    log.push_back("prompt " + std::to_string(record.attempt));
    prompts.push_back(record);
  }
  void process(process::ProcessId guard) override {
    log.push_back("process " + std::to_string(guard.pid));
  }
  void reply(const ReplyRecord& record) override {
    log.push_back("reply " + std::to_string(record.attempt));
    replies.push_back(record);
    if (on_reply) on_reply();
  }
  void said(int attempt, std::vector<Output> output) override {
    for (const auto& [at, kind, text] : output) {
      told.push_back(std::to_string(attempt) + ": " + format_duration(at) + " " + kind + " " +
                     text);
    }
  }
  void note(const std::string& text) override { notes.push_back(text); }
  std::string obstacle() override {
    if (obstacles.empty()) return {};
    const std::string first = obstacles.front();
    obstacles.pop_front();
    return first;
  }
  void progress(const std::string& kind, const std::string& text) override {
    progressed.push_back(text.empty() ? kind : kind + ": " + text);
    if (on_progress) on_progress();
  }

  std::vector<std::string> log;  // without progress
  std::vector<PromptRecord> prompts;
  std::vector<ReplyRecord> replies;
  std::vector<std::string> told;  // with `said`
  std::vector<std::string> notes;
  std::deque<std::string> obstacles;
  std::vector<std::string> progressed;
  std::function<void()> on_reply, on_progress;
};

class CallTest : public ::testing::Test {
 protected:
  CallTest() {
    files.add("/lib/agneto.lua",
              read_file(std::filesystem::path(AGNETO_SOURCE_DIR) / "scripts/lib/agneto.lua"));
    files.add("/providers/fake.lua", fake_driver);
    files.add("/providers/plain.lua", plain_driver);
    files.add("/providers/answering.lua", answering_driver);
    files.add("/flow/scripts/coder.lua", coder_hooks);

    request.id = "CODING#1";
    request.agent = "coder";
    request.hooks = "/flow/scripts/coder.lua";
    request.state = "CODING";
    request.verdicts = {{"APPLIED", {field("summary", model::Type::Kind::string)}, {}},
                        {"STUCK", {}, {}}};
    request.access = model::Access::edit;
    request.provider = "fake";
    request.cwd = folder.path();
    request.m = {{"inputs", {{"task", "the work"}}}, {"run", {{"id", "r1"}}}};
  }

  static model::Field field(std::string name, model::Type::Kind kind, bool optional = false) {
    model::Type type;
    type.kind = kind;
    type.optional = optional;
    return {std::move(name), std::move(type)};
  }

  Services services() {
    return {files,
            {{"/flow"}, "/lib"},
            {"/providers"},
            used_runner ? *used_runner : runner,
            clock,
            [this] { return random; },
            [this] { return "uuid-" + std::to_string(++uuids); }};
  }
  Result call() { return agents::call(request, services(), recorder, stop.get_token()); }
  // What a call that failed says.
  std::string message(const Result& result) { return result.data.value("message", "none"); }

  std::string format(const std::string& way = {}) {
    script::Hooks hooks(files, {{"/flow"}, "/lib"});
    return std::string(trim(hooks.verdict_format(script::verdicts_to_json(request.verdicts), way)));
  }

  MemoryFiles files;
  FakeRunner runner;
  process::Runner* used_runner = nullptr;
  FakeClock clock;
  FakeRecorder recorder;
  std::stop_source stop;
  double random = 0.5;
  int uuids = 0;
  TemporaryFolder folder;
  Request request;
};

}  // namespace agneto::agents
