#include "base/text.h"

#include <fmt/format.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>

#include <algorithm>
#include <array>

namespace agneto {

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Measures how far apart names are, whatever their case.
class Distance {
 public:
  // Edits (insert, remove, replace, swap neighbours) from one to the other; more than `limit` where
  // it is more.
  std::size_t operator()(std::string_view a, std::string_view b, std::size_t limit) {
    const std::size_t longer = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (longer > limit) return longer;
    while (!a.empty() && !b.empty() && lower(a.front()) == lower(b.front())) {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
    while (!a.empty() && !b.empty() && lower(a.back()) == lower(b.back())) {
      a.remove_suffix(1);
      b.remove_suffix(1);
    }
    if (a.empty() || b.empty()) return longer;
    return limit == 0 ? 1 : edits(a, b);
  }

 private:
  std::size_t edits(std::string_view a, std::string_view b) {
    before_.resize(b.size() + 1);
    last_.resize(b.size() + 1);
    row_.resize(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last_[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      row_[0] = i;
      for (std::size_t j = 1; j <= b.size(); ++j) {
        const bool same = lower(a[i - 1]) == lower(b[j - 1]);
        row_[j] = std::min({last_[j] + 1, row_[j - 1] + 1, last_[j - 1] + (same ? 0 : 1)});
        if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
            lower(a[i - 2]) == lower(b[j - 1])) {
          row_[j] = std::min(row_[j], before_[j - 2] + 1);
        }
      }
      std::swap(before_, last_);
      std::swap(last_, row_);
    }
    return last_[b.size()];
  }

  // Rows of the table of distances between beginnings of the names.
  std::vector<std::size_t> before_;
  std::vector<std::size_t> last_;
  std::vector<std::size_t> row_;
};

// The size of the escape sequence that begins at `at` (an ESC): CSI, a string such as a title or a
// link (to BEL or ESC \), or two or three bytes.
std::size_t escape_size(std::string_view text, std::size_t at) {
  std::size_t i = at + 1;
  if (i >= text.size()) return 1;
  if (text[i] == '[') {
    ++i;
    while (i < text.size() && text[i] >= 0x20 && text[i] <= 0x3F) ++i;
    const bool ended = i < text.size() && text[i] >= 0x40 && text[i] <= 0x7E;
    return i - at + (ended ? 1 : 0);
  }
  if (std::string_view("]PX^_").find(text[i]) != std::string_view::npos) {
    // One that is never closed takes its line only, so that nobody can hide the rest of a text.
    for (++i; i < text.size() && text[i] != '\n'; ++i) {
      if (text[i] == '\a') return i - at + 1;
      if (text[i] == '\x1b') return i - at + (i + 1 < text.size() && text[i + 1] == '\\' ? 2 : 0);
    }
    return i - at;
  }
  while (i < text.size() && text[i] >= 0x20 && text[i] <= 0x2F) ++i;
  const bool ended = i < text.size() && text[i] >= 0x30 && text[i] <= 0x7E;
  return i - at + (ended ? 1 : 0);
}

bool reverses_direction(char32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F);
}

int width(char32_t code) {
  const auto in = [code](char32_t from, char32_t to) { return code >= from && code <= to; };
  if (is_control(code) || in(0x300, 0x36F) || in(0x200B, 0x200F) || in(0xFE00, 0xFE0F)) return 0;
  const bool wide = in(0x1100, 0x115F) || in(0x2E80, 0xA4CF) || in(0xAC00, 0xD7A3) ||
                    in(0xF900, 0xFAFF) || in(0xFE30, 0xFE6F) || in(0xFF00, 0xFF60) ||
                    in(0xFFE0, 0xFFE6) || in(0x1F300, 0x1F64F) || in(0x1F680, 0x1F6FF) ||
                    in(0x1F900, 0x1FAFF) || in(0x20000, 0x3FFFD);
  return wide ? 2 : 1;
}

// How far from a name another one may be that was meant.
std::size_t most_slips(std::string_view name) {
  return std::clamp<std::size_t>(name.size() / 3, 1, 3);
}

}  // namespace

std::string closest(std::string_view name, const std::vector<std::string>& candidates) {
  std::size_t limit = most_slips(name);
  Distance distance;
  std::string best;
  for (const std::string& candidate : candidates) {
    const std::size_t d = distance(name, candidate, limit);
    if (d > limit || d >= std::max(name.size(), candidate.size())) continue;
    best = candidate;
    if (d == 0) break;
    limit = d - 1;  // only a nearer one is better
  }
  return best;
}

std::string only_near(std::string_view name, const std::vector<std::string>& candidates) {
  const std::size_t limit = most_slips(name);
  Distance distance;
  std::string_view only;
  for (const std::string& candidate : candidates) {
    const std::size_t d = distance(name, candidate, limit);
    if (d > limit || d >= std::max(name.size(), candidate.size()) || candidate == only) continue;
    if (!only.empty()) return {};
    only = candidate;
  }
  return std::string(only);
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates,
                       std::string_view kind) {
  if (const std::string near = closest(name, candidates); !near.empty()) {
    return fmt::format("did you mean '{}'?", near);
  }
  if (candidates.empty()) return {};
  constexpr std::size_t names_shown = 12;  // or one more, where that is all
  const std::size_t shown = candidates.size() > names_shown + 1 ? names_shown : candidates.size();
  const std::vector<std::string> head(candidates.begin(),
                                      candidates.begin() + static_cast<std::ptrdiff_t>(shown));
  return fmt::format("known {}: {}{}", kind, join(head, ", "),
                     shown < candidates.size() ? ", …" : "");
}

std::optional<Millis> parse_duration(std::string_view text) {
  struct Unit {
    std::string_view name;
    std::int64_t millis;
  };
  static constexpr Unit units[] = {
      {"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}};
  constexpr std::int64_t at_most = std::int64_t{36'525} * 86'400'000;

  std::int64_t total = 0;
  const Unit* next = std::begin(units);
  std::size_t i = 0;
  while (i < text.size()) {
    std::int64_t count = 0;
    const std::size_t digits = i;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
      count = count * 10 + (text[i] - '0');
      if (count > at_most) return std::nullopt;
    }
    const std::size_t letters = i;
    while (i < text.size() && text[i] >= 'a' && text[i] <= 'z') ++i;
    const std::string_view name = text.substr(letters, i - letters);
    const Unit* unit = std::ranges::find(next, std::end(units), name, &Unit::name);
    if (letters == digits || unit == std::end(units) || count > (at_most - total) / unit->millis) {
      return std::nullopt;
    }
    total += count * unit->millis;
    next = unit + 1;
  }
  return text.empty() ? std::nullopt : std::optional(Millis(total));
}

std::string format_duration(Millis duration) {
  const std::int64_t millis = std::max<std::int64_t>(duration.count(), 0);
  const auto two = [](std::int64_t large, const char* large_unit, std::int64_t small,
                      const char* small_unit) {
    return small == 0 ? fmt::format("{}{}", large, large_unit)
                      : fmt::format("{}{} {}{}", large, large_unit, small, small_unit);
  };
  const std::int64_t seconds = millis / 1000;
  if (millis < 1000) return fmt::format("{}ms", millis);
  if (seconds < 60) {
    const std::int64_t tenths = millis % 1000 / 100;
    return tenths == 0 ? fmt::format("{}s", seconds) : fmt::format("{}.{}s", seconds, tenths);
  }
  if (seconds < 3600) return two(seconds / 60, "m", seconds % 60, "s");
  if (seconds < 86'400) return two(seconds / 3600, "h", seconds % 3600 / 60, "m");
  return two(seconds / 86'400, "d", seconds % 86'400 / 3600, "h");
}

Character character_at(std::string_view text, std::size_t offset) {
  const auto first = static_cast<unsigned char>(text[offset]);
  if (first < 0x80) return {first, 1, true};
  std::size_t size = 0;
  char32_t code = 0;
  // The bounds of the second byte are what rules out overlong forms, surrogates and the too large.
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    size = 2;
    code = first & 0x1F;
  } else if (first >= 0xE0 && first <= 0xEF) {
    size = 3;
    code = first & 0x0F;
    low = first == 0xE0 ? 0xA0 : low;
    high = first == 0xED ? 0x9F : high;
  } else if (first >= 0xF0 && first <= 0xF4) {
    size = 4;
    code = first & 0x07;
    low = first == 0xF0 ? 0x90 : low;
    high = first == 0xF4 ? 0x8F : high;
  } else {
    return {first, 1, false};
  }
  for (std::size_t i = 1; i < size; ++i) {
    const bool there = offset + i < text.size();
    const auto byte = there ? static_cast<unsigned char>(text[offset + i]) : '\0';
    if (!there || byte < low || byte > high) return {first, i, false};
    code = (code << 6) | (byte & 0x3F);
    low = 0x80;
    high = 0xBF;
  }
  return {code, size, true};
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Character c = character_at(text, i);
    out += c.valid ? text.substr(i, c.size) : std::string_view("\xEF\xBF\xBD");
    i += c.size;
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\x1b') {
      i += escape_size(text, i);
      continue;
    }
    const Character c = character_at(text, i);
    const bool kept = text[i] == '\n' || text[i] == '\t' ||
                      (c.valid ? !is_control(c.code) && !reverses_direction(c.code)
                               : static_cast<unsigned char>(text[i]) > 0x9F);
    if (kept) out += text.substr(i, c.size);
    i += c.size;
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t cut = limit;
  while (cut > 0 && limit - cut < 3 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) {
    --cut;
  }
  return fmt::format("{}… ({} bytes more)", text.substr(0, cut), text.size() - cut);
}

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Character c = character_at(text, i);
    columns += static_cast<std::size_t>(c.valid ? width(c.code) : 1);
    i += c.size;
  }
  return columns;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (end != std::string_view::npos && line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = lower(c);
  return small;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view white_space = " \t\r\n\f\v";
  const std::size_t begin = text.find_first_not_of(white_space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(white_space) - begin + 1);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  if (parts.empty()) return {};
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

bool starts_with_word(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) &&
         (text.size() == prefix.size() || !is_word(text[prefix.size()]));
}

std::string percent_escaped(std::string_view text, std::string_view plain) {
  std::string result;
  for (const char c : text) {
    if ((is_word(c) && c != '_') || plain.find(c) != std::string_view::npos) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

std::string sha256(std::string_view text) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest;
  sha256_digest(&context, digest.size(), digest.data());
  std::string hex(BASE16_ENCODE_LENGTH(digest.size()), '\0');
  base16_encode_update(hex.data(), digest.size(), digest.data());
  return hex;
}

}  // namespace agneto
