#include "base/redact.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"

namespace agneto {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view capital_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view small_letters = "abcdefghijklmnopqrstuvwxyz";

// A set of bytes, looked up at once.
class Bytes {
 public:
  constexpr Bytes(std::initializer_list<std::string_view> parts) {
    for (const auto part : parts) {
      for (const char c : part) set_[static_cast<unsigned char>(c)] = true;
    }
  }
  constexpr bool operator[](char c) const { return set_[static_cast<unsigned char>(c)]; }
  // How many at the text's beginning are of the set.
  std::size_t run(std::string_view text) const {
    std::size_t n = 0;
    while (n < text.size() && (*this)[text[n]]) ++n;
    return n;
  }

 private:
  std::array<bool, 256> set_{};
};

constexpr Bytes letters_digits{digits, capital_letters, small_letters};
constexpr Bytes big_letters_digits{digits, capital_letters};
constexpr Bytes words{digits, capital_letters, small_letters, "_"};
constexpr Bytes key_bytes{digits, capital_letters, small_letters, "_-"};
constexpr Bytes token_bytes{digits, capital_letters, small_letters, "_-.~+/="};
constexpr Bytes base64_bytes{digits, capital_letters, small_letters, "+/="};
constexpr Bytes hex_bytes{digits, "abcdefABCDEF"};

bool has(char c, std::string_view bytes) {
  return bytes.find(c) != std::string_view::npos;
}

bool has_digit(std::string_view text) {
  return text.find_first_of(digits) != std::string_view::npos;
}

// A stretch without hyphens of that length that has letters and digits: ordinary names have none.
bool has_random_part(std::string_view text, std::size_t length) {
  while (!text.empty()) {
    const auto part = text.substr(0, words.run(text));
    if (part.size() >= length && has_digit(part) &&
        part.find_first_not_of(digits) != std::string_view::npos) {
      return true;
    }
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return false;
}

// Keys that begin with a prefix of their maker's.
struct Shape {
  std::string_view prefix;
  const Bytes& bytes;  // that follow
  std::size_t least, most;
  bool random_part = false;
};
constexpr std::size_t any = std::string_view::npos;
constexpr Shape shapes[] = {
    {"sk-", key_bytes, 20, any, true},  // OpenAI, Anthropic, OpenRouter, …
    {"sk_live_", letters_digits, 16, any}, {"sk_test_", letters_digits, 16, any},
    {"rk_live_", letters_digits, 16, any}, {"ghp_", letters_digits, 30, any},
    {"gho_", letters_digits, 30, any},     {"ghu_", letters_digits, 30, any},
    {"ghs_", letters_digits, 30, any},     {"ghr_", letters_digits, 30, any},
    {"github_pat_", words, 30, any},       {"glpat-", key_bytes, 20, any},
    {"hf_", letters_digits, 30, any},      {"npm_", letters_digits, 36, 36},
    {"AKIA", big_letters_digits, 16, 16},  {"ASIA", big_letters_digits, 16, 16},
    {"AIza", key_bytes, 35, 35},  // Google
    {"xoxb-", key_bytes, 10, any, false},  {"xoxp-", key_bytes, 10, any, false},
    {"xoxa-", key_bytes, 10, any, false},  {"xoxr-", key_bytes, 10, any, false},
    {"xoxs-", key_bytes, 10, any, false},
};

const Shape* shape_of(std::string_view text) {
  for (const Shape& shape : shapes) {
    if (text.starts_with(shape.prefix)) return &shape;
  }
  return nullptr;
}

// How long the key is that the text begins with; 0 where it begins with none.
std::size_t prefixed_key(std::string_view text) {
  const Shape* shape = shape_of(text);
  if (!shape) return 0;
  const auto rest = text.substr(shape->prefix.size());
  const std::size_t size = shape->bytes.run(rest);
  const bool ends = size == rest.size() || !words[rest[size]];
  if (!ends || size < shape->least || size > shape->most) return 0;
  const auto key = rest.substr(0, size);
  const bool right = shape->random_part ? has_random_part(key, 12) : has_digit(key);
  return right ? shape->prefix.size() + size : 0;
}

// A JSON Web Token: three parts of base64, the first of which is an object.
std::size_t web_token(std::string_view text) {
  constexpr std::size_t least = 10;
  if (!text.starts_with("eyJ")) return 0;
  std::size_t size = 0;
  for (int part = 0; part < 3; ++part) {
    if (part > 0) {
      if (size == text.size() || text[size] != '.') return 0;
      ++size;
    }
    const std::size_t length = key_bytes.run(text.substr(size));
    if (length < least) return 0;
    size += length;
  }
  return size;
}

// How many bytes the end of line has that the text begins with, as it is or as JSON writes it; 0
// where there is none.
std::size_t line_end(std::string_view text) {
  for (const std::string_view end : {"\n", "\r\n", "\\n", "\\r\\n"}) {
    if (text.starts_with(end)) return end.size();
  }
  return 0;
}

// A private key in PEM. Where its end was cut off, the lines of base64 that follow.
std::size_t private_key(std::string_view text) {
  constexpr std::string_view begin = "-----BEGIN ", dashes = "-----";
  constexpr std::size_t longest_label = 40, longest = 32 * 1024, least_line = 16;
  if (!text.starts_with(begin)) return 0;
  const std::size_t label_end = text.substr(0, longest_label + begin.size()).find(dashes, 11);
  if (label_end == std::string_view::npos) return 0;
  const auto label = text.substr(begin.size(), label_end - begin.size());
  if (label.find("PRIVATE KEY") == std::string_view::npos) return 0;
  std::size_t size = label_end + dashes.size();

  const std::string last = fmt::format("-----END {}-----", label);
  if (const auto end = text.substr(0, longest).find(last); end != std::string_view::npos) {
    return end + last.size();
  }
  bool any_line = false;
  while (true) {
    const std::size_t jump = line_end(text.substr(size));
    const std::size_t line = base64_bytes.run(text.substr(size + jump));
    if (jump == 0 || line < least_line) return any_line ? size : 0;
    any_line = true;
    size += jump + line;
  }
}

bool same_letters(std::string_view text, std::string_view small_letters) {
  return std::equal(text.begin(), text.end(), small_letters.begin(), small_letters.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

std::size_t skip(std::string_view text, std::size_t at, std::string_view what) {
  return std::min(text.find_first_not_of(what, at), text.size());
}

// A part of a text; empty: none.
struct Part {
  std::size_t begin = 0, size = 0;
};

// The token in "Authorization: Bearer TOKEN", "x-api-key: TOKEN" or "Bearer TOKEN".
Part header_token(std::string_view text) {
  constexpr std::size_t least = 8, least_alone = 16, sure = 32;
  std::size_t at = 0;
  bool header = false, scheme = false;
  for (const std::string_view name : {"authorization", "x-api-key"}) {
    if (header || !same_letters(text.substr(0, name.size()), name)) continue;
    at = skip(text, name.size(), "\"'\\ ");
    if (at == text.size() || !has(text[at], ":=")) return {};
    at = skip(text, at + 1, "\"'\\ ");
    header = true;
  }
  for (const std::string_view name : {"bearer ", "basic ", "token "}) {
    if (scheme || !same_letters(text.substr(at, name.size()), name)) continue;
    scheme = header || name == "bearer ";
    at = skip(text, at + name.size(), " ");
  }
  if (!header && !scheme) return {};
  const std::size_t size = token_bytes.run(text.substr(at));
  const bool right =
      size >= sure || (size >= (header ? least : least_alone) && has_digit(text.substr(at, size)));
  return right ? Part{at, size} : Part{};
}

// The password in "://USER:PASSWORD@HOST", or the user where that can only be a token.
Part address_password(std::string_view text) {
  constexpr std::size_t start = 3, longest = 512, least_token = 20;
  if (!text.starts_with("://")) return {};
  auto authority = text.substr(start, longest);
  authority = authority.substr(0, authority.find_first_of("/?#\"'`<>\\ \t\r\n,;"));
  const auto host = authority.rfind('@');
  if (host == std::string_view::npos) return {};
  const auto person = authority.substr(0, host);
  if (const auto colon = person.find(':'); colon != std::string_view::npos) {
    const bool done = person.substr(colon + 1).starts_with("[redacted");
    return done ? Part{} : Part{start + colon + 1, person.size() - colon - 1};
  }
  const bool token = person.size() >= least_token && has_digit(person) &&
                     letters_digits.run(person) == person.size();
  return token ? Part{start, person.size()} : Part{};
}

// Does a word begin here? What was escaped (\n in JSON, %3D in an address) or coloured by a
// terminal's escape sequence ends in a letter or digit, but no word.
bool begins_word(std::string_view text, std::size_t at) {
  if (at == 0 || !key_bytes[text[at - 1]]) return true;
  if (at >= 2 && text[at - 2] == '\\' && has(text[at - 1], "nrtbf")) return true;
  if (at >= 3 && text[at - 3] == '%' && hex_bytes[text[at - 2]] && hex_bytes[text[at - 1]]) {
    return true;
  }
  const auto before = text.substr(0, at - 1);
  const auto last = before.find_last_not_of("0123456789;");
  return last != std::string_view::npos && last > 0 && before[last] == '[' &&
         before[last - 1] == '\x1b';
}

// The first two bytes, as a number.
std::size_t pair(std::string_view text) {
  return static_cast<unsigned char>(text[0]) << 8 | static_cast<unsigned char>(text[1]);
}

// "[redacted: sk-…a1b2]"; of a short secret nothing is told.
std::string described(std::string_view secret) {
  constexpr std::size_t long_enough = 20, told = 4;
  if (secret.size() < long_enough) return "[redacted]";
  const Shape* shape = shape_of(secret);
  const std::string_view kind = shape ? shape->prefix : secret.starts_with("eyJ") ? "eyJ" : "";
  return fmt::format("[redacted: {}…{}]", kind, secret.substr(secret.size() - told));
}

// The text as it would stand in JSON's text.
std::string json_escaped(const std::string& text) {
  const std::string quoted = to_text(Json(text));
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

Redactor::Redactor(const std::map<std::string, std::string>& known) {
  for (const Shape& shape : shapes) begins_.set(pair(shape.prefix));
  for (const char* other :
       {"ey", "au", "Au", "aU", "AU", "x-", "X-", "be", "Be", "bE", "BE", "--", ":/"}) {
    begins_.set(pair(other));
  }
  for (const auto& [secret, name] : known) {
    if (secret.size() < shortest) continue;
    for (auto& written : {secret, json_escaped(secret), percent_escaped(secret, "-_.~")}) {
      begins_.set(pair(written));
      known_.push_back({written, name});
    }
  }
  std::ranges::sort(known_, [](const Known& a, const Known& b) {
    if (a.secret.front() != b.secret.front()) return a.secret.front() < b.secret.front();
    if (a.secret.size() != b.secret.size()) return a.secret.size() > b.secret.size();
    return a.secret < b.secret;
  });
}

const Redactor::Known* Redactor::known_at(std::string_view text) const {
  const auto first =
      std::lower_bound(known_.begin(), known_.end(), text.front(),
                       [](const Known& known, char byte) { return known.secret.front() < byte; });
  for (auto it = first; it != known_.end() && it->secret.front() == text.front(); ++it) {
    if (text.starts_with(it->secret)) return &*it;
  }
  return nullptr;
}

bool Redactor::find(std::string_view text, std::size_t from, Found& found) const {
  for (std::size_t at = from; at + 1 < text.size(); ++at) {
    if (!begins_[pair(text.substr(at))]) continue;
    const auto rest = text.substr(at);
    if (const Known* known = known_at(rest)) {
      found = {at, known->secret.size(), "[redacted: " + known->name + "]"};
      return true;
    }
    Part part;
    if (rest.front() == ':') {
      part = address_password(rest);
      // A user that is a secret too goes with the password.
      Found user;
      if (part.size > 0 && find(text.substr(0, at + part.begin), at + 1, user)) {
        part = {user.begin - at, at + part.begin + part.size - user.begin};
      }
    } else if (rest.front() == '-') {
      if (const std::size_t size = private_key(rest); size > 0) {
        found = {at, size, "[redacted: private key]"};
        return true;
      }
    } else if (begins_word(text, at)) {
      part.size = prefixed_key(rest);
      if (part.size == 0) part.size = web_token(rest);
      if (part.size == 0) part = header_token(rest);
    }
    if (part.size == 0) continue;
    found = {at + part.begin, part.size, described(rest.substr(part.begin, part.size))};
    return true;
  }
  return false;
}

std::string Redactor::text(std::string text) const {
  Found found;
  if (!find(text, 0, found)) return text;
  std::string result;
  std::size_t copied = 0;
  do {
    result.append(text, copied, found.begin - copied);
    result += found.instead;
    copied = found.begin + found.size;
  } while (find(text, copied, found));
  return result.append(text, copied);
}

Json Redactor::json(Json value) const {
  redact(value);
  return value;
}

void Redactor::redact(Json& value) const {
  if (value.is_string()) {
    auto& own = value.get_ref<std::string&>();
    own = text(std::move(own));
  } else if (value.is_array()) {
    for (auto& item : value) redact(item);
  } else if (value.is_object()) {
    std::vector<std::pair<std::string, std::string>> renamed;
    for (auto& [name, item] : value.items()) {
      redact(item);
      if (auto shown = text(name); shown != name) renamed.emplace_back(name, std::move(shown));
    }
    for (auto& [name, shown] : renamed) {
      Json item = std::move(value[name]);
      value.erase(name);
      value[shown] = std::move(item);
    }
  }
}

bool names_a_secret(std::string_view name) {
  std::string word;  // the last one, in small letters
  bool small = false;
  for (const char c : name) {
    const bool big = c >= 'A' && c <= 'Z';
    if (!letters_digits[c] || (big && small)) word.clear();
    if (letters_digits[c]) word += static_cast<char>(big ? c - 'A' + 'a' : c);
    small = c >= 'a' && c <= 'z';
  }
  static const std::set<std::string_view> secrets = {
      "key",    "keys",       "apikey", "token", "secret",     "secrets",    "password",
      "passwd", "passphrase", "pwd",    "pat",   "credential", "credentials"};
  return secrets.contains(word);
}

}  // namespace agneto
