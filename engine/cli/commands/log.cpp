// agneto log

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/runs.h"
#include "cli/served.h"
#include "record/event_replay.h"
#include "ui/console.h"
#include "ui/json_lines.h"
#include "ui/readable.h"

namespace agneto::cli {
namespace {

using ui::Color;
using ui::Screen;
using ui::Styled;

// How often a live run's journal is looked at.
constexpr Millis between_log_looks{200};

struct LogCommandOptions {
  std::string run;
  bool follow = false;
  bool json = false;
  bool prompts = false;
  std::vector<std::string> full;  // paths
};

class Log {
 public:
  Log(const Context& context, const LogCommandOptions& options)
      : options_(options),
        runs_(runs_of(context)),
        reader_(runs_->look(options.run)),
        run_(reader_->run()),
        workflow_(reader_->workflow()),
        replay_(run_, workflow_ ? workflow_->system.get() : nullptr),
        screen_(stdout, Screen::style_of(stdout)),
        console_(screen_, false,
                 [this](const std::string&, const std::string&) { return runs_->work_of(run_); }) {}

  ExitStatus print() {
    bool told = false;
    const auto is_running = [&] {
      const journal::RunRecord run = reader_->run();
      if (!told) told = says_what_is_missing(*runs_, run);
      return run.status == "running" || is_for_server(run);
    };
    // Looked at before the entries: what it wrote last is there then.
    bool goes_on = options_.follow && is_running();
    tell();
    for (SystemClock clock; goes_on;) {
      clock.sleep(between_log_looks, {});
      goes_on = is_running();
      tell();
      printed(ExitStatus::complete);
    }
    run_ = reader_->run();
    for (const auto& event : replay_.rest()) tell(event);
    if (!options_.follow) {
      require_paths();
      const std::string status = reader_->run().status;
      if (!options_.json && (status == "running" || status == "parked")) tell_open();
    } else if (reader_->run().status == "interrupted" && !options_.json) {
      screen_.line({Color::yellow, "cut off: go on with 'agneto resume " + reader_->id() + "'"});
    }
    return printed(ExitStatus::complete);
  }

 private:
  void tell() {
    reader_->telling([&] {
      const auto entries = reader_->entries(seen_);
      for (const auto& entry : entries) {
        seen_ = entry.seq;
        const auto* prompt = entry.get<record::Prompt>();
        const auto* reply = entry.get<record::Reply>();
        const bool is_call = prompt || reply || entry.get<record::Said>();
        const bool wanted = is_call && is_wanted(entry.path);
        for (const auto& event : replay_.next(entry)) {
          if ((wanted || options_.follow) && !(wanted && is_a_reply(event, entries))) hear(event);
          tell(event);
        }
        if (!wanted) continue;
        record::RunEvent whole{entry.time, reader_->id(), entry.path, {}, entry.seq};
        if (prompt) whole.body = record::AgentPrompt{*prompt};
        if (reply) whole.body = record::AgentReply{*reply};
        if (prompt || reply) tell(whole);
      }
    });
  }

  void hear(const record::RunEvent& event) {
    if (!options_.json) console_.words(event);
  }

  // Is it a text that follows as the reply?
  static bool is_a_reply(const record::RunEvent& event, const std::vector<record::Entry>& entries) {
    const auto* said = event.get<record::AgentText>();
    return said && std::ranges::any_of(entries, [&](const record::Entry& entry) {
             const auto* reply = entry.get<record::Reply>();
             return reply && entry.seq >= event.seq && entry.path == event.path &&
                    trim(reply->text) == trim(said->text);
           });
  }

  // What a run that goes on waits for; of one that is suspended the last event has it.
  void tell_open() {
    const Time now = SystemClock().now();
    for (const auto& question : reader_->questions(now)) {
      screen_.line("");
      console_.gate(question, replay_.spent(), {reader_->id(), question.path, true}, now);
    }
  }

  void tell(const record::RunEvent& event) {
    options_.json ? json_.event(event) : console_.event(event);
  }

  bool is_wanted(const std::string& path) {
    bool wanted = options_.prompts;
    for (const auto& written : options_.full) {
      if (!ui::means_path(written, path)) continue;
      met_.insert(written);
      wanted = true;
    }
    calls_.insert(path);
    return wanted;
  }

  // Throws Error where a path that was asked for is not that of a call.
  void require_paths() {
    for (const auto& written : options_.full) {
      if (met_.contains(written)) continue;
      throw Error("run " + reader_->id() + " has no call '" + written + "'",
                  calls_.empty() ? "no agent has been called yet"
                                 : suggestion(written, {calls_.begin(), calls_.end()}, "calls"));
    }
  }

  const LogCommandOptions& options_;
  const std::unique_ptr<Runs> runs_;
  const std::unique_ptr<run::Reader> reader_;
  journal::RunRecord run_;
  std::shared_ptr<const model::Loaded> workflow_;
  record::EventReplay replay_;
  Screen screen_;
  ui::Console console_;
  ui::JsonLines json_{stdout};
  journal::Seq seen_ = 0;
  std::set<std::string> met_, calls_;
};

}  // namespace

void add_log(Program& program) {
  auto options = std::make_shared<LogCommandOptions>();
  CommandLine& command = program.add_command("log", "Print what happened in a run, in order");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("-f,--follow", &options->follow,
              "Go on as it goes on, with what the agents say, until it ends or stops");
  command.add("--json", &options->json, "One JSON object a line, as 'agneto run --json'");
  command.add("--prompts", &options->prompts,
              "With every prompt and reply in full, and what was said and used until then");
  command.add("--full", &options->full, "The same for this call: CODE_REVIEW, CODE_REVIEW#2, …");
  command.footer = R"(Examples:
  agneto log last                       the first column is what rewind --to and fork --at take
  agneto log last -f
  agneto log last --full 'CODE_REVIEWER#2'
  agneto log last --json | jq 'select(.type == "agent.finished")')";
  program.add_server_options(command);
  command.action = [options](const Context& context) {
    end_with_the_reader();
    return Log(context, *options).print();
  };
}

}  // namespace agneto::cli
