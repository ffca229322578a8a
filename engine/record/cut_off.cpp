#include "record/cut_off.h"

#include <algorithm>
#include <map>

#include "record/totals.h"

namespace agneto::record {

std::vector<Entry> cut_off(
    const std::vector<Entry>& entries,
    const std::function<bool(const std::string& provider, const std::string& model)>& is_free) {
  struct Attempt {
    const Prompt* prompt = nullptr;
    Time began;
    bool is_sent = false;
  };
  Tally tally;
  std::map<std::string, Attempt> attempts;  // the newest of each call, by path
  for (const auto& entry : entries) {
    tally.add(entry);
    Attempt& attempt = attempts[entry.path];
    if (const auto* prompt = entry.get<Prompt>()) {
      attempt = {prompt, entry.time, false};
    } else if (entry.get<Process>()) {
      if (!attempt.is_sent) attempt.began = entry.time;
      attempt.is_sent = true;
    } else if (entry.get<Reply>()) {
      attempt.is_sent = false;
    }
  }
  std::vector<Entry> replies;
  for (const auto& path : tally.at_work()) {
    const Attempt& attempt = attempts[path];
    if (!attempt.prompt || !attempt.is_sent) continue;
    const Prompt& prompt = *attempt.prompt;
    Reply reply;
    reply.attempt = prompt.attempt;
    reply.event = "stopped";
    reply.error = "agneto was killed before it was over";
    reply.usage.unpriced = is_free(prompt.provider, prompt.model) ? 0 : 1;
    reply.usage.uncounted = 1;
    reply.duration = entries.back().time - attempt.began;
    replies.push_back({0, entries.back().time, path, std::move(reply)});
  }
  return replies;
}

}  // namespace agneto::record
