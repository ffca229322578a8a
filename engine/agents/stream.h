// What an agent says and which tools it uses while it works: shown as it comes, and recorded with
// the time.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/caller.h"
#include "base/text.h"

namespace agneto::agents {

// What a call's program says of its own tries, of which there may be hundreds: the first few things
// that it says are told, and what it says again at growing distances.
class Notes {
 public:
  // What is to be told of it now.
  std::optional<std::string> add(std::string text) {
    const bool is_new = told_.size() < most_different && told_.insert(text).second;
    last_ = std::move(text);
    ++left_out_;
    return is_new || std::has_single_bit(++count_) ? last() : std::nullopt;
  }
  // The newest, where it is not told yet, with how many before it are not either.
  std::optional<std::string> last() {
    if (left_out_ == 0) return std::nullopt;
    const std::size_t before = std::exchange(left_out_, 0) - 1;
    if (before == 0) return last_;
    return last_ + " [left out before this: " + std::to_string(before) + "]";
  }

 private:
  static constexpr std::size_t most_different = 8;

  std::set<std::string> told_;
  std::string last_;
  std::size_t count_ = 0;     // of those that say again what was told
  std::size_t left_out_ = 0;  // since the last that was told
};

// Used on the call's thread. What it is given outlives it.
class Stream {
 public:
  // So many bytes of an attempt are kept; what comes then is shown only.
  static constexpr std::size_t most_kept = 256 << 10;
  // What an attempt says in its first moments is recorded with its reply, if that has come by then,
  // else as soon as they are over; what it says later, at once.
  static constexpr Millis first_moments{1000};

  Stream(CallRecorder& recorder, const Clock& clock, int attempt, Notes& notes)
      : recorder_(recorder),
        clock_(clock),
        begin_(clock.elapsed()),
        attempt_(attempt),
        notes_(notes) {}

  void text(std::string_view text) { say("text", text); }
  void note(std::string text) {
    if (const auto told = notes_.add(std::move(text))) say("note", *told);
  }
  // After the program's end.
  void last_note() {
    if (const auto told = notes_.last()) say("note", *told);
  }
  void tool(std::string_view name) { say("tool", name); }
  void tool_end() { say("tool_end", ""); }
  void tool_denied(std::string_view name) { say("tool_denied", name); }
  void tool_failed(std::string_view what) { say("tool_failed", what); }

  // In how long there is something to record though nothing more is said; nothing: never.
  std::optional<Millis> due_in() const {
    if (kept_.empty()) return std::nullopt;
    return std::max(begin_ + first_moments - clock_.elapsed(), Millis(0));
  }
  void record() {
    if (!kept_.empty()) recorder_.said(attempt_, take());
  }
  // What was kept and is not recorded yet; once.
  std::vector<Output> take() { return std::exchange(kept_, {}); }

 private:
  void say(const char* kind, std::string_view text) {
    constexpr std::size_t of_each = 32;  // beside its text, for how many there may be
    recorder_.progress(kind, std::string(text));
    if (size_ > most_kept) return;
    size_ += text.size() + of_each;
    const bool fits = size_ <= most_kept;
    const Millis now = clock_.elapsed() - begin_;
    kept_.push_back({now, fits ? kind : "cut", fits ? valid_utf8(text) : ""});
    if (now >= first_moments) record();
  }

  CallRecorder& recorder_;
  const Clock& clock_;
  const Millis begin_;
  const int attempt_;
  Notes& notes_;
  std::vector<Output> kept_;
  std::size_t size_ = 0;
};

}  // namespace agneto::agents
