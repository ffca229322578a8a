#include "replay/reread.h"

#include <algorithm>

#include "base/error.h"

namespace agneto::replay {
namespace {

// It has come to the point where a provider would be asked.
struct Asked {
  std::string text;
};

class Listening : public agents::CallRecorder {
 public:
  std::string prepare(int) override { return {}; }
  void prompt(const agents::PromptRecord& record) override { throw Asked{record.text}; }
  void process(process::ProcessId) override {}
  void reply(const agents::ReplyRecord&) override {}
  void progress(const std::string& kind, const std::string& text) override {
    if (kind == "reask" || kind == "retry") why = text;
  }

  std::string why;  // the last reply did not do
};

class NobodyWaits : public Clock {
 public:
  Time now() const override { return {}; }
  Millis elapsed() const override { return {}; }
  bool sleep(Millis, std::stop_token) override { return true; }
};

class NothingRuns : public process::Runner {
 public:
  process::Exit run(const process::Spec&, process::Listener&, std::stop_token) override {
    return {};
  }
};

agents::Result call(agents::Request request, const Script& script, Listening& listening,
                    const std::string& checkpoint, const ReplayOptions& options) {
  NothingRuns runner;
  NobodyWaits clock;
  const agents::Services services{script.files,
                                  script.modules,
                                  {},
                                  runner,
                                  clock,
                                  [] { return 0.5; },
                                  [] { return std::string(); }};
  request.workspace = [&, path = request.id]() -> Json {
    if (!options.workspace) throw Error("there is no worktree to look at");
    return options.workspace(path, checkpoint);
  };
  return agents::call(request, services, listening, {});
}

std::string checkpoint_of(const RecordedCall& call, int attempt) {
  const auto prompt = std::find_if(call.prompts.rbegin(), call.prompts.rend(),
                                   [&](const auto& record) { return record.attempt == attempt; });
  return prompt == call.prompts.rend() ? "" : prompt->checkpoint;
}

// The replies before them are read anew, whatever was found wrong with them then.
std::vector<agents::PromptRecord> unjudged(std::vector<agents::PromptRecord> prompts) {
  for (auto& prompt : prompts) prompt.problem.clear();
  return prompts;
}

// With the provider's session that it went on with then.
void continue_with(agents::Request& request, const agents::PromptRecord& prompt) {
  request.provider = prompt.provider;
  request.conversation.provider = prompt.provider;
  request.conversation.session = prompt.session;
}

}  // namespace

Reread reread(const agents::Request& request, const RecordedCall& recorded, const Script& script,
              const ReplayOptions& options) {
  agents::Request again = request;
  again.recorded_prompts = unjudged(recorded.prompts);
  again.recorded_replies = recorded.replies;
  std::string checkpoint = recorded.tree;
  if (!recorded.prompts.empty()) {
    continue_with(again, recorded.prompts.front());
    if (checkpoint.empty()) checkpoint = recorded.prompts.back().checkpoint;
  }
  Listening listening;
  try {
    agents::Result result = call(std::move(again), script, listening, checkpoint, options);
    return {std::move(result.event), std::move(result.data), ""};
  } catch (const Asked&) {
    return {"", {}, listening.why.empty() ? "it has no recorded reply" : listening.why};
  }
}

Rewritten rewrite(const agents::Request& request, const RecordedCall& recorded, int attempt,
                  const Script& script, const ReplayOptions& options) {
  agents::Request again = request;
  if (!recorded.prompts.empty()) continue_with(again, recorded.prompts.front());
  for (const auto& prompt : unjudged(recorded.prompts)) {
    if (prompt.attempt < attempt) again.recorded_prompts.push_back(prompt);
  }
  for (const auto& reply : recorded.replies) {
    if (reply.attempt < attempt) again.recorded_replies.push_back(reply);
  }
  Listening listening;
  try {
    agents::Result result =
        call(std::move(again), script, listening, checkpoint_of(recorded, attempt), options);
    return {std::nullopt, {std::move(result.event), std::move(result.data), ""}};
  } catch (const Asked& asked) {
    return {asked.text, {}};
  }
}

}  // namespace agneto::replay
