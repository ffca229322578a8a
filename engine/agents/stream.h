// What an agent says and which tools it uses while it works: shown as it comes, and kept with the
// time, so that the attempt's record has it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/caller.h"
#include "base/text.h"

namespace agneto::agents {

// Used on the call's thread. Recorder and clock outlive it.
class Stream {
 public:
  // So many bytes of an attempt are kept; what comes then is shown only.
  static constexpr std::size_t most_kept = 256 << 10;

  Stream(CallRecorder& recorder, const Clock& clock)
      : recorder_(recorder), clock_(clock), begin_(clock.elapsed()) {}

  void text(std::string_view text) { say("text", text); }
  void tool(std::string_view name) { say("tool", name); }
  void tool_end() { say("tool_end", ""); }
  void tool_denied(std::string_view name) { say("tool_denied", name); }
  void tool_failed(std::string_view what) { say("tool_failed", what); }

  // What was kept; once.
  std::vector<Output> take() { return std::exchange(kept_, {}); }

 private:
  void say(const char* kind, std::string_view text) {
    constexpr std::size_t of_each = 32;  // beside its text, for how many there may be
    if (size_ <= most_kept) {
      size_ += text.size() + of_each;
      const bool fits = size_ <= most_kept;
      kept_.push_back(
          {clock_.elapsed() - begin_, fits ? kind : "cut", fits ? valid_utf8(text) : ""});
    }
    recorder_.progress(kind, std::string(text));
  }

  CallRecorder& recorder_;
  const Clock& clock_;
  const Millis begin_;
  std::vector<Output> kept_;
  std::size_t size_ = 0;
};

}  // namespace agneto::agents
