// Provider drivers: how an agent CLI is called and how its output is read. Lua, so that a new CLI
// needs no compiling. See docs/providers.md for the driver's side of this contract.
//
// A Driver owns a Lua sandbox that lives as long as one call; not thread-safe.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/files.h"
#include "base/json.h"
#include "base/text.h"
#include "script/driver_script.h"

namespace agneto::script {

// What the driver is told about a call.
struct DriverCall {
  std::string agent;   // the role: "coder"
  std::string access;  // "read-only", "edit", "full"
  std::string model;   // empty: the CLI's own default
  std::string prompt;
  std::string message;      // of it, what is said in this call: without what was said before
  std::string session;      // the CLI's session to continue; empty: a new one
  std::string new_session;  // a fresh UUID that the driver may use to name a new session
  std::string cwd;
  Json schema;   // JSON Schema of the verdict; null where there is none
  Json options;  // provider options from the configuration; cassette for `offline`
  std::vector<std::string> tools;  // what the agent may use besides, as its CLI calls it
  // What the workflow or the configuration says of the agent besides; empty where nothing.
  std::string effort;
  std::vector<std::string> args;
  std::map<std::string, std::string> env;
  Json mcp = Json::object();  // servers by name: {command, env} or {url, headers}
  int attempt = 1;
  std::string state;  // state name; `task` of the hook; for `offline`
  std::string task;
  int nth = 1;             // which call of this agent in the run this is; for `offline`
  std::string path;        // the call's: "TASK_EXECUTING#1/CODING#2"
  bool sandboxed = false;  // is its program kept in a sandbox, so that it needs none of its own?
};

// How to start the program; or, for drivers that answer themselves, the answer.
struct DriverCommand {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> env;  // added to the inherited environment
  std::string input;                                     // stdin, closed after it
  // Files to write before the start, removed after: name -> text; "{files}" in argv and env stands
  // for their folder.
  std::vector<std::pair<std::string, std::string>> files;

  struct Answer {
    std::string text;
    std::string error;  // fails the try with this message
    std::vector<std::pair<std::string, std::optional<std::string>>>
        edits;          // path -> text; nothing: delete
    std::string patch;  // a diff for `git apply`, after the edits
    std::string event;  // what an error ends the try in: error.timeout, …; empty: error.exit
    Millis delay{0};    // before it comes, at least, whatever the call's timeouts

    // What is said meanwhile; each has one of these, as events have them.
    struct Said {
      Millis at{0};  // since the beginning, in the time of the one who said it first
      std::string text, tool, tool_denied, tool_failed;
      bool tool_end = false;
    };
    std::vector<Said> output;
    Millis took{0};    // what the whole took in that time
    double speed = 0;  // how much faster than in that time; 0: at once

    std::optional<std::string> prompt;  // the portable one that it answers; nothing: any
    bool stuck = false;                 // edits, and never comes
    std::string note;                   // shown to people who watch
    std::string fault;                  // of a cassette, that is injected in this attempt
  };
  std::optional<Answer> answer;
};

// What one line of output meant. All parts optional.
struct DriverEvent {
  std::optional<std::string> text;        // something the agent said
  std::optional<std::string> note;        // something the program says of itself
  bool trying = false;                    // with `note`: it asks its model server again
  std::optional<std::string> tool_start;  // "Bash: make test"
  bool tool_end = false;
  // One that the agent was not allowed to use, as `tools` of the configuration calls it; one that
  // came to nothing: "edit: greet".
  std::optional<std::string> tool_denied, tool_failed;
  std::optional<std::string> session;
  std::optional<double> cost;  // US dollars that the whole call has cost so far
  std::optional<std::int64_t> input_tokens, output_tokens;  // so far, too
  std::optional<std::int64_t> cached_tokens;                // of the input, read from a cache
  std::optional<std::string> result;                        // the reply's text; the call is over
  std::optional<std::string> error;                         // the agent failed; the call is over
  bool session_lost = false;  // the session to continue does not exist (any more)

  // The call is over, and that is not the agent's doing. `away`: the provider cannot be reached or
  // has no room now. `refused`: it wants something from a person first (a log-in, money, a model
  // that there is), and what that is.
  std::optional<std::string> away, refused;
  std::optional<Millis> wait;  // with `away`: for so long, as the provider says itself
};

// The provider of "PROVIDER/MODEL" or "PROVIDER". Both may have a / in them: "kit/mine" is the
// provider where there is that one, and else "kit".
std::string provider_in(const std::string& name, const Files& files,
                        const std::vector<std::filesystem::path>& folders);

// Reports a provider's name, which stands there in a file, where no folder has a driver of it.
void check_provider(const std::string& name, Span place, const Files& files,
                    const std::vector<std::filesystem::path>& folders, Diagnostics& diagnostics);

// More than 25 names: a third of them say what the driver declares of itself.
// The names of the drivers that the folders on disk have; a run's recorded ones are not listed.
std::vector<std::string> providers_in(const std::vector<std::filesystem::path>& folders);

class Driver {
 public:
  // `name`: a bundled provider or one of the team's own: NAME.lua in the first folder that has it.
  // Throws Error where there is none, listing those there are. What it requires is beside it, in
  // one of the folders, or in a `lib` beside one of these.
  Driver(const std::string& name, const Files& files,
         const std::vector<std::filesystem::path>& folders);

  // As DriverScript has them.
  void heed(std::stop_token stop) { script_.heed(std::move(stop)); }
  bool was_stopped() const { return script_.was_stopped(); }

  bool has_sessions() const { return sessions_; }
  // What it says of a call that has ended: "cost" (and tokens), "tokens" or nothing.
  const std::string& usage() const { return usage_; }
  // How an agent is told to give its verdict where the call has its schema, which the driver then
  // passes on; empty where it does not.
  const std::string& verdict() const { return verdict_; }
  // The options that it knows; nothing where it does not say so, and takes any.
  const std::optional<std::vector<std::string>>& options() const { return options_; }
  // The program that must be on PATH for this provider; empty for none.
  const std::string& program() const { return program_; }

  // In a sandbox: what of HOME the program has, and which variables of the environment, as paths
  // below HOME and as names, of which the last letter may be a *.
  std::vector<std::string> home() const { return home_.value_or(std::vector<std::string>()); }
  std::vector<std::string> passes() const { return passes_.value_or(std::vector<std::string>()); }

  // Why it cannot work with these options, as its `check` says; nothing where it can.
  std::optional<std::string> refusal(const Json& options);
  // Why it cannot give an agent that tool, as its `tools` says; nothing where it can.
  std::optional<std::string> refusal_of_tool(const std::string& name);
  // Why it cannot pass that setting on (`effort`, `args`, `env` or `mcp`), as its `settings` says;
  // nothing where it can. `arguments`: what its function in there is given, a list.
  std::optional<std::string> refusal_of_setting(const std::string& name, const Json& arguments);

  // These throw HookError on an error in the Lua.
  DriverCommand command(const DriverCall& call);
  // False: every line is text for people who watch, and `event` need not be asked.
  bool reads_lines() const { return reads_lines_; }
  // `now` is for those whose provider says until when it is away.
  std::vector<DriverEvent> event(const std::string& line, Time now = {});
  // The same of a line of stderr, where it reads these.
  bool reads_errors() const { return reads_errors_; }
  std::vector<DriverEvent> error_line(const std::string& line);
  // Says at the end what the whole output meant, for CLIs without a result line.
  std::vector<DriverEvent> finish(const std::string& whole_output, int exit_status,
                                  const std::string& error_output);

 private:
  // Why the function refuses, in its own words; nothing where it does not.
  std::optional<std::string> refusal_by(const char* function, const Json& arguments,
                                        const char* table = nullptr);

  // For DriverScript::inspect.
  bool check(lua_State* lua);
  bool check_settings(lua_State* lua);

  DriverScript script_;
  std::string program_;
  std::string usage_;
  std::string verdict_;
  std::optional<std::vector<std::string>> options_, home_, passes_;
  std::set<std::string> settings_;
  bool sessions_ = false;
  bool gives_tools_ = false;
  bool reads_lines_ = false;
  bool reads_errors_ = false;
};

}  // namespace agneto::script
