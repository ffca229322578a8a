// One call to an agent, from its hook's prompt to its verdict, whatever the CLI does.
//
// Renders the prompt, calls the provider, reads the verdict. Tries as often as `retry` says; a
// reply without a declared verdict, an empty one, or one after which the files cannot be committed,
// is asked again in the same session, at most twice; a lost session is begun anew with what was
// said in it. A provider that is away is waited for, which is no try. What an interrupted owner
// recorded is gone through again without being paid for. Blocking; one call per thread. Everything
// that must survive a crash goes through CallRecorder before anything follows from it.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/files.h"
#include "base/json.h"
#include "base/redact.h"
#include "model/machine.h"
#include "process/process.h"
#include "script/driver.h"
#include "script/hooks.h"

namespace agneto::agents {

// An exchange with the provider, as recorded.
struct Exchange {
  std::string prompt;  // whole, as sent
  std::string reply;
};

// The conversation a call belongs to; empty for a fresh one.
struct Conversation {
  std::string provider;
  std::string session;  // the CLI's id; empty where it has none
};

// What attempts have used, as far as that is known.
struct Usage {
  double cost = 0;  // US dollars
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  int unpriced = 0;   // attempts of which the cost, or a part of it, is not known
  int uncounted = 0;  // attempts of which the tokens, or a part of them, are not known

  Usage& operator+=(const Usage& more) {
    cost += more.cost;
    input_tokens += more.input_tokens;
    output_tokens += more.output_tokens;
    unpriced += more.unpriced;
    uncounted += more.uncounted;
    return *this;
  }
};

// US dollars for a million tokens, where the provider says none itself.
struct Price {
  double input = 0;
  double cached_input = 0;  // read from a cache
  double output = 0;

  bool is_nothing() const { return input == 0 && output == 0; }
};

// One attempt's prompt, before it is sent.
struct PromptRecord {
  int attempt = 1;  // 1.. over tries and re-asks
  std::string provider;
  std::string model;
  std::string session;  // the session it continues; may be empty
  std::string text;     // the message of this attempt (without replayed exchanges)
  std::string checkpoint;
  // What the hook found wrong with the reply before, where this asks only for another one: so that
  // the hook need not read that reply again.
  std::string problem;
  std::string follows = {};  // the call before it in its conversation; may be empty
  // What came of the last try, where this is another one: "try 1 of 3: exit status 1".
  std::string tried = {};
  // What else it was made with, where that was said.
  std::string effort = {};
  std::vector<std::string> tools = {};
  std::vector<std::string> args = {};
  std::map<std::string, std::string> env = {};
  Json mcp = Json::object();
};

// What an agent did while it was at work.
struct Output {
  Millis at{0};  // since the attempt began
  // "text", "note", "tool", "tool_end", "tool_denied", "tool_failed"; "cut": what came from here on
  // was not kept
  std::string kind;
  std::string text;
};

// One attempt's raw result.
struct ReplyRecord {
  int attempt = 1;
  std::string text;   // the reply; empty where it failed
  std::string error;  // why it failed; empty where it did not
  // What it would end in: error.exit, error.timeout, …; and session.lost, away, refused, stopped
  // (by us), which end no call.
  std::string event;
  std::string session;  // to continue with; may be empty
  Usage usage;
  Millis duration{0};
  std::vector<Output> output = {};  // but for what was told with `said`
  Millis wait{0};  // for a provider that is away, before it is asked again; 0: it is not
};

// What to say of an attempt that failed and is made again.
std::string why_again(const ReplyRecord& reply);

// What records returns only when the record is durable, and may throw, which ends the call.
// Progress is for eyes only.
class CallRecorder {
 public:
  virtual ~CallRecorder() = default;
  // Comes before an attempt that does the work (again), and undoes what was done since the last
  // good point, which is the tree before the call or what `keep` kept. Returns that point's
  // checkpoint.
  virtual std::string prepare(int attempt) = 0;
  // Comes before an attempt that only answers anew: what is in the tree stands and is the last good
  // point from now on. Returns its checkpoint.
  virtual std::string keep(int /*attempt*/) { return {}; }
  virtual void prompt(const PromptRecord& record) = 0;
  virtual void process(process::ProcessId guard) = 0;
  // Comes after an attempt with a reply: says why it cannot count; empty: it does.
  virtual std::string damage() { return {}; }
  // Comes after a reply that is good: what is to be put right in the files before it is taken;
  // empty: nothing.
  virtual std::string obstacle() { return {}; }
  // What people are to know of the call, once.
  virtual void note(const std::string& /*text*/) {}
  // A driver that answers by itself is about to change files.
  virtual void edits() {}
  virtual void reply(const ReplyRecord& record) = 0;
  // What the agent did meanwhile, of an attempt that takes its time; the reply has the rest.
  virtual void said(int /*attempt*/, std::vector<Output> /*output*/) {}
  // kind: one of an Output, but for "cut"; or "retry", "reask", "note", "fault"
  virtual void progress(const std::string& kind, const std::string& text) = 0;
};

// How long a provider has been away, and when it is to be asked again.
struct Absence {
  std::string why;
  Time until{};
  int times = 0;     // that it was away, in a row
  Millis waited{0};  // all pauses of these, this one included
};

// All that one call of an agent depends on.
//
// More than 25 names: the workflow, the configuration, the run and the record each say some of it.
struct Request {
  std::string id;     // the effect's id
  std::string agent;  // role
  std::filesystem::path hooks;
  std::string task;
  std::string state;
  std::vector<model::Verdict> verdicts;
  model::Access access = model::Access::read_only;
  model::Retry retry{.tries = 3};
  std::vector<std::string> files;  // patterns, of what is shown of `cwd`
  Millis timeout{0};
  Millis idle{0};
  Millis patience{0};  // with a provider that is away

  std::string provider;  // resolved; never "auto"
  std::string model;
  Json options;                    // provider options (`command`'s argv, `offline`'s cassette)
  std::vector<std::string> tools;  // what the agent may use besides, as its CLI calls it
  std::string effort;              // as its CLI calls it; may be empty
  std::vector<std::string> args;   // of its program, besides those of `options`
  std::map<std::string, std::string> env;  // the same
  Json mcp = Json::object();               // MCP servers, as drivers are given them
  std::optional<Price> price;              // of the model
  std::string extra_instructions;          // configured for the agent
  std::vector<std::string> instructions;   // a person's, for this call
  int nth = 1;                             // which call of this agent in the run

  std::filesystem::path cwd;
  Json m;  // what hooks see; `attempt`, `last_error`, `verdicts` are set here
  script::WorkspaceSource workspace;  // m.workspace, made when a hook looks at it
  Conversation conversation;
  std::string follows;  // the call before this one in it
  // What was said in it before this call: sent first where the session is lost or unknown, and only
  // asked for then. May throw, which ends the call; may be empty.
  std::function<std::vector<Exchange>()> recall;

  // What an interrupted owner had recorded of this very call.
  std::vector<PromptRecord> recorded_prompts;
  std::vector<ReplyRecord> recorded_replies;
  // Where that owner has left the call alone while its provider was away.
  std::optional<Absence> absence;
};

struct Result {
  // The verdict; `done` where the state declares none; or error.exit, error.timeout, error.spawn,
  // error.unparsed, error.lua.
  std::string event;
  Json data;                  // the verdict's fields; {reply}; or {message, attempts, reply}
  Conversation conversation;  // to continue with; as it was where the call failed
  bool cancelled = false;     // stopped before there was a result; nothing else is set
  // The provider refuses, or was away for longer than the patience: why, and what to do. Nothing
  // else is set, and the call can be made again.
  std::string unavailable = {};
};

struct Services {
  const Files& files;
  script::ModulePaths modules;
  std::vector<std::filesystem::path> provider_folders;
  process::Runner& runner;
  Clock& clock;
  std::function<double()> random;  // [0, 1), for jitter
  std::function<std::string()> new_uuid;
  Redactor redactor = {};  // for what is compared with a record without secrets
  bool sandboxed = false;  // does the runner keep agents in a sandbox?
};

// Throws what the recorder and `recall` throw, and Error where a recorded answer is to another
// prompt: no workflow can do anything about that.
Result call(const Request& request, const Services& services, CallRecorder& recorder,
            std::stop_token stop);

// "auto" -> the first of claude, codex, opencode, gemini that is on PATH. Throws Error (what to
// install) where none is, where the named one's program is missing, or where its driver cannot work
// with its options (`options`: by provider).
std::string resolve_provider(const std::string& wanted, const Files& files,
                             const std::vector<std::filesystem::path>& folders,
                             const std::map<std::string, Json>& options = {});

}  // namespace agneto::agents
