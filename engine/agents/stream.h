// What an agent says and which tools it uses while it works: shown as it comes, and kept with the
// time, so that the attempt's record has it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agents/caller.h"

namespace agneto::agents {

// Used on the call's thread. Recorder and clock outlive it.
class Stream {
 public:
  // Of the texts of an attempt; what comes then is shown, and not kept.
  static constexpr std::size_t most_kept = 256 << 10;

  Stream(CallRecorder& recorder, const Clock& clock)
      : recorder_(recorder), clock_(clock), begin_(clock.elapsed()) {}

  void text(std::string_view text) { say("text", text); }
  void tool(std::string_view name) { say("tool", name); }
  void tool_end() { say("tool_end", ""); }

  // What was kept; once.
  std::vector<Output> take() { return std::exchange(kept_, {}); }

 private:
  void say(const char* kind, std::string_view text);

  CallRecorder& recorder_;
  const Clock& clock_;
  const Millis begin_;
  std::vector<Output> kept_;
  std::size_t size_ = 0;
};

}  // namespace agneto::agents
