#include "script/pattern.h"

#include <cctype>
#include <cstring>

namespace agneto::script {

namespace {

constexpr int max_nesting = 200;
constexpr std::ptrdiff_t set_bytes_a_step = 8;
constexpr std::ptrdiff_t open_mark = -1;  // a capture that is not closed yet
constexpr char escape = '%';

bool is_of_class(unsigned char c, char letter) {
  const auto class_letter = static_cast<unsigned char>(letter);
  const auto is = [&](int answer) { return (answer != 0) != (std::isupper(class_letter) != 0); };
  switch (std::tolower(class_letter)) {
    case 'a':
      return is(std::isalpha(c));
    case 'c':
      return is(std::iscntrl(c));
    case 'd':
      return is(std::isdigit(c));
    case 'g':
      return is(std::isgraph(c));
    case 'l':
      return is(std::islower(c));
    case 'p':
      return is(std::ispunct(c));
    case 's':
      return is(std::isspace(c));
    case 'u':
      return is(std::isupper(c));
    case 'w':
      return is(std::isalnum(c));
    case 'x':
      return is(std::isxdigit(c));
    case 'z':
      return is(c == 0);
    default:
      return class_letter == c;
  }
}

// `set` at '[', `last` at its ']'.
bool is_in_set(unsigned char c, const char* set, const char* last) {
  const auto byte = [](const char* at) { return static_cast<unsigned char>(*at); };
  bool found = true;
  if (set[1] == '^') {
    found = false;
    ++set;
  }
  while (++set < last) {
    if (*set == escape) {
      ++set;
      if (is_of_class(c, *set)) return found;
    } else if (set[1] == '-' && set + 2 < last) {
      set += 2;
      if (byte(set - 2) <= c && c <= byte(set)) return found;
    } else if (byte(set) == c) {
      return found;
    }
  }
  return !found;
}

}  // namespace

const char* PatternMatcher::give_up(const char* error) {
  if (!error_) error_ = error;
  return nullptr;
}

// The end of the single-character class at `pattern`; null if it is malformed.
const char* PatternMatcher::after_class(const char* pattern) {
  const char first = *pattern++;
  if (first == escape) {
    if (pattern == pattern_end_) return give_up("malformed pattern (ends with '%')");
    return pattern + 1;
  }
  if (first != '[') return pattern;
  if (pattern != pattern_end_ && *pattern == '^') ++pattern;
  do {
    if (pattern == pattern_end_) return give_up("malformed pattern (missing ']')");
    const char c = *pattern++;
    if (c == escape) {
      if (pattern == pattern_end_) return give_up("malformed pattern (missing ']')");
      ++pattern;
    }
  } while (pattern == pattern_end_ || *pattern != ']');
  return pattern + 1;
}

// What is looked at of a set costs steps: it can be as long as a pattern.
bool PatternMatcher::matches_one(const char* at, const char* pattern, const char* class_end) {
  if (at >= text_end()) return false;
  work_ -= (class_end - pattern) / set_bytes_a_step;
  if (work_ < 0) return give_up("pattern too complex") != nullptr;
  const auto c = static_cast<unsigned char>(*at);
  switch (*pattern) {
    case '.':
      return true;
    case escape:
      return is_of_class(c, pattern[1]);
    case '[':
      return is_in_set(c, pattern, class_end - 1);
    default:
      return static_cast<unsigned char>(*pattern) == c;
  }
}

const char* PatternMatcher::balanced(const char* at, const char* pattern) {
  if (pattern_end_ - pattern < 2) return give_up("malformed pattern (missing arguments to '%b')");
  if (at >= text_end() || *at != pattern[0]) return nullptr;
  int open = 1;
  while (++at < text_end()) {
    --work_;
    if (*at == pattern[1]) {
      if (--open == 0) return at + 1;
    } else if (*at == pattern[0]) {
      ++open;
    }
  }
  return nullptr;
}

const char* PatternMatcher::most(const char* at, const char* pattern, const char* class_end) {
  std::ptrdiff_t count = 0;
  while (matches_one(at + count, pattern, class_end)) ++count;
  work_ -= count;
  for (; count >= 0 && !error_; --count) {
    if (const char* end = run(at + count, class_end + 1)) return end;
  }
  return nullptr;
}

const char* PatternMatcher::fewest(const char* at, const char* pattern, const char* class_end) {
  while (!error_) {
    if (const char* end = run(at, class_end + 1)) return end;
    if (!matches_one(at, pattern, class_end)) return nullptr;
    ++at;
  }
  return nullptr;
}

const char* PatternMatcher::open_capture(const char* at, const char* pattern, std::ptrdiff_t size) {
  if (match_.count >= PatternMatch::max_captures) return give_up("too many captures");
  match_.captures[match_.count++] = {at, size};
  const char* end = run(at, pattern);
  if (!end) --match_.count;
  return end;
}

const char* PatternMatcher::close_capture(const char* at, const char* pattern) {
  int open = match_.count - 1;
  while (open >= 0 && match_.captures[open].size != open_mark) --open;
  if (open < 0) return give_up("invalid pattern capture");
  match_.captures[open].size = at - match_.captures[open].begin;
  const char* end = run(at, pattern);
  if (!end) match_.captures[open].size = open_mark;
  return end;
}

const char* PatternMatcher::back_reference(const char* at, char digit) {
  const int index = digit - '1';
  if (index < 0 || index >= match_.count || match_.captures[index].size == open_mark) {
    return give_up("invalid capture index in pattern");
  }
  const auto& capture = match_.captures[index];
  const auto size = capture.size < 0 ? 0 : capture.size;
  work_ -= size;
  const bool same = text_end() - at >= size &&
                    std::memcmp(capture.begin, at, static_cast<std::size_t>(size)) == 0;
  return same ? at + size : nullptr;
}

// The end of the match of `pattern` at `at`; null: none.
const char* PatternMatcher::run(const char* at, const char* pattern) {
  if (error_) return nullptr;
  if (++depth_ > max_nesting) {
    --depth_;
    return give_up("pattern too complex");
  }
  const auto leave = [this](const char* result) {
    --depth_;
    return result;
  };
  while (pattern != pattern_end_) {
    if (--work_ < 0) return leave(give_up("pattern too complex"));
    switch (*pattern) {
      case '(':
        return leave(pattern + 1 != pattern_end_ && pattern[1] == ')'
                         ? open_capture(at, pattern + 2, PatternMatch::position_capture)
                         : open_capture(at, pattern + 1, open_mark));
      case ')':
        return leave(close_capture(at, pattern + 1));
      case '$':
        if (pattern + 1 == pattern_end_) return leave(at == text_end() ? at : nullptr);
        break;
      case escape:
        if (pattern + 1 == pattern_end_) break;
        if (pattern[1] == 'b') {
          at = balanced(at, pattern + 2);
          if (!at) return leave(nullptr);
          pattern += 4;
          continue;
        }
        if (pattern[1] == 'f') {
          pattern += 2;
          if (pattern == pattern_end_ || *pattern != '[') {
            return leave(give_up("missing '[' after '%f' in pattern"));
          }
          const char* class_end = after_class(pattern);
          if (!class_end) return leave(nullptr);
          work_ -= (class_end - pattern) / set_bytes_a_step;
          const auto before = static_cast<unsigned char>(at == text_.data() ? '\0' : at[-1]);
          const auto here = static_cast<unsigned char>(at < text_end() ? *at : '\0');
          if (is_in_set(before, pattern, class_end - 1) ||
              !is_in_set(here, pattern, class_end - 1)) {
            return leave(nullptr);
          }
          pattern = class_end;
          continue;
        }
        if (std::isdigit(static_cast<unsigned char>(pattern[1]))) {
          at = back_reference(at, pattern[1]);
          if (!at) return leave(nullptr);
          pattern += 2;
          continue;
        }
        break;
      default:
        break;
    }
    const char* class_end = after_class(pattern);
    if (!class_end) return leave(nullptr);
    work_ -= (class_end - pattern) / set_bytes_a_step;
    const char suffix = class_end == pattern_end_ ? '\0' : *class_end;
    if (suffix == '*') return leave(most(at, pattern, class_end));
    if (suffix == '-') return leave(fewest(at, pattern, class_end));
    const bool one = matches_one(at, pattern, class_end);
    if (suffix == '+') return leave(one ? most(at + 1, pattern, class_end) : nullptr);
    if (suffix == '?') {
      if (one) {
        if (const char* end = run(at + 1, class_end + 1)) return leave(end);
      }
      pattern = class_end + 1;
      continue;
    }
    if (!one) return leave(nullptr);
    ++at;
    pattern = class_end;
  }
  return leave(at);
}

const PatternMatch& PatternMatcher::match(const char* start, std::int64_t steps) {
  match_.count = 0;
  depth_ = 0;
  work_ = steps - 1;
  match_.end = run(start, pattern_);
  for (int i = 0; match_.end && i < match_.count; ++i) {
    if (match_.captures[i].size == open_mark) match_.end = give_up("unfinished capture");
  }
  return match_;
}

}  // namespace agneto::script
