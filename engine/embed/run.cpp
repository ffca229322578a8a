#include <algorithm>

#include "base/json.h"
#include "embed/embed.h"

namespace agneto::embed {

namespace {

using Millis = std::chrono::milliseconds;

class Run {
 public:
  Run(Machine& machine, const Services& services)
      : machine_(machine),
        services_(services),
        seen_(services.clock ? services.clock() : Millis{0}),
        known_problems_(machine.problems().size()) {}

  std::optional<Ending> go() {
    while (!machine_.ending()) {
      if (const auto all = machine_.activities(); !all.empty()) {
        std::visit([this](const auto& activity) { make(activity); }, all.front());
      } else if (const auto left = machine_.next_timer(); left && !is_stuck()) {
        wait(*left);
      } else {
        break;
      }
    }
    return machine_.ending();
  }

 private:
  void make(const AgentCall& call) {
    need(services_.agent != nullptr, call.path, "calls an agent", "Services::agent");
    std::string prompt;
    try {
      prompt = machine_.prompt(call.path);
    } catch (const Error& error) {
      return fail(call.path, "error.lua", error.what());
    }
    const Reply reply = services_.agent(call, prompt);
    if (!goes_on(call.path)) return;
    if (reply.failure.empty()) {
      machine_.reply(call.path, reply.text);
    } else {
      fail(call.path, "error.exit", reply.failure);
    }
  }

  void make(const Question& question) {
    if (!services_.ask && !question.default_option.empty()) {
      return machine_.answer(question.path, {question.default_option, "", {}, "default"});
    }
    need(services_.ask != nullptr, question.path, "asks a person", "Services::ask");
    const Answer answer = services_.ask(question);
    if (goes_on(question.path)) machine_.answer(question.path, answer);
  }

  void make(const Command& command) {
    need(services_.command != nullptr, command.path, "runs a command", "Services::command");
    const CommandResult result = services_.command(command);
    if (!goes_on(command.path)) return;
    end(command.path, result.status == 0 ? "ok" : "failed",
        {{"status", result.status},
         {"output", result.output},
         {"message", "exit status " + std::to_string(result.status)}});
  }

  void make(const Operation& operation) {
    need(services_.workspace != nullptr, operation.path, "asks for a " + operation.kind,
         "Services::workspace");
    const OperationResult result = services_.workspace(operation);
    if (!goes_on(operation.path)) return;
    end(operation.path, result.outcome,
        {{"commit", result.commit}, {"message", result.message}, {"files", result.files}});
  }

  static void need(bool there, const std::string& path, const std::string& what,
                   const std::string& service) {
    if (!there) {
      throw Error(path, "the workflow " + what + ", and nobody is there", "set " + service);
    }
  }

  void fail(const std::string& path, const std::string& event, const std::string& message) {
    end(path, event, {{"message", message}});
  }

  void end(const std::string& path, const std::string& outcome, const Json& data) {
    machine_.end(path, outcome, to_text(data));
  }

  // After a service: is the activity still there? What passed since may have ended it.
  bool goes_on(const std::string& path) {
    if (services_.clock && !machine_.ending()) {
      const Millis now = services_.clock();
      machine_.advance(std::max(Millis{0}, now - seen_));
      seen_ = now;
    }
    const auto all = machine_.activities();
    return std::any_of(all.begin(), all.end(), [&](const Activity& one) {
      return std::visit([&](const auto& activity) { return activity.path == path; }, one);
    });
  }

  void wait(Millis left) {
    if (services_.wait) services_.wait(left);
    if (services_.clock) {
      const Millis now = services_.clock();
      left = std::max(left, now - seen_);
      seen_ = now;
    }
    machine_.advance(left);
  }

  // A machine that sends itself events for ever is not waited for.
  bool is_stuck() const {
    const auto problems = machine_.problems();
    return problems.size() > known_problems_ && problems.back().event == "error.livelock";
  }

  Machine& machine_;
  const Services& services_;
  Millis seen_;  // on the clock, when the machine's was last moved by it
  const std::size_t known_problems_;
};

}  // namespace

std::optional<Ending> run(Machine& machine, const Services& services) {
  return Run(machine, services).go();
}

}  // namespace agneto::embed
