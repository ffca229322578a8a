// Lua's patterns (manual §6.4.1), matched with a bound on the work: a pattern of a few bytes can
// need more steps than there are atoms in the sea.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace agneto::script {

struct PatternMatch {
  static constexpr int max_captures = 32;

  struct Capture {
    const char* begin = nullptr;
    std::ptrdiff_t size = 0;  // position_capture for "()"
  };
  static constexpr std::ptrdiff_t position_capture = -2;

  const char* end = nullptr;  // where the match ends; null: no match
  int count = 0;
  Capture captures[max_captures];
};

// One text and pattern; both must outlive it. Trivially destructible, as callers may be left by
// longjmp.
class PatternMatcher {
 public:
  // `pattern` without the anchor.
  PatternMatcher(std::string_view text, std::string_view pattern)
      : text_(text), pattern_end_(pattern.data() + pattern.size()), pattern_(pattern.data()) {}

  // Matches at exactly `start` (within the text), in at most `steps` steps. Good until the next.
  const PatternMatch& match(const char* start, std::int64_t steps);

  // How many steps of the last match are left; may be below zero.
  std::int64_t steps_left() const { return work_; }
  // Why there can be no match: a malformed pattern, or one that is too complex. Null: none.
  const char* error() const { return error_; }

 private:
  const char* run(const char* at, const char* pattern);
  const char* after_class(const char* pattern);
  bool matches_one(const char* at, const char* pattern, const char* class_end);
  const char* balanced(const char* at, const char* pattern);
  const char* most(const char* at, const char* pattern, const char* class_end);
  const char* fewest(const char* at, const char* pattern, const char* class_end);
  const char* open_capture(const char* at, const char* pattern, std::ptrdiff_t size);
  const char* close_capture(const char* at, const char* pattern);
  const char* back_reference(const char* at, char digit);
  const char* give_up(const char* error);
  const char* text_end() const { return text_.data() + text_.size(); }

  std::string_view text_;
  const char* pattern_end_;
  const char* pattern_;
  std::int64_t work_ = 0;
  int depth_ = 0;
  const char* error_ = nullptr;
  PatternMatch match_;
};

}  // namespace agneto::script
