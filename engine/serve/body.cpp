#include "serve/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "workspace/git.h"

namespace agneto::serve {

namespace {

// The value of a hexadecimal digit; nothing where it is none.
std::optional<int> digit(char c) {
  int value = 0;
  const auto [end, error] = std::from_chars(&c, &c + 1, value, 16);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

// What is in a text that is JSON, but not what anybody means.
struct Odd {
  std::optional<std::string> repeated;  // a key that an object has more than once
  bool has_nul = false;                 // a text with the character NUL, which no journal keeps
};

// What a text says, a discarded value where it is no JSON. Of a repeated key only the last is in
// the value.
Json parsed(const std::string& text, Odd& odd) {
  std::vector<std::set<std::string>> keys;  // of the objects that we are within
  const auto look = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::value && value.is_string()) {
      odd.has_nul =
          odd.has_nul || value.get_ref<const std::string&>().find('\0') != std::string::npos;
    }
    if (event != Json::parse_event_t::key) return true;
    const auto& key = value.get_ref<const std::string&>();
    if (!keys.back().insert(key).second && !odd.repeated) odd.repeated = key;
    return true;
  };
  return Json::parse(text, look, false);
}

}  // namespace

Body::Body(const std::string& text) {
  Odd odd;
  json_ = trim(text).empty() ? Json::object() : parsed(text, odd);
  if (!json_.is_object()) {
    throw Unusable("the request's body is no JSON object", "send one such as {\"task\": \"…\"}");
  }
  if (odd.repeated) {
    throw Ambiguous("the request's body says '" + printable(*odd.repeated) + "' twice",
                    "say it once");
  }
  if (odd.has_nul) throw Unusable("a text in the request has a NUL character", "leave it out");
}

Body Body::of(Json object) {
  Body body;
  body.json_ = std::move(object);
  return body;
}

const Json* Body::find(const std::string& key) {
  known_.insert(key);
  const auto found = json_.find(key);
  return found == json_.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::string> Body::text(const std::string& key) {
  const Json* found = find(key);
  if (!found) return std::nullopt;
  if (!found->is_string()) throw Unusable("'" + key + "' is no text");
  return found->get<std::string>();
}

std::optional<std::int64_t> Body::number(const std::string& key) {
  const Json* found = find(key);
  if (!found) return std::nullopt;
  if (!found->is_number_integer()) throw Unusable("'" + key + "' is no whole number");
  return found->get<std::int64_t>();
}

bool Body::flag(const std::string& key, bool unless_said) {
  const Json* found = find(key);
  if (!found) return unless_said;
  if (!found->is_boolean()) throw Unusable("'" + key + "' is neither true nor false");
  return found->get<bool>();
}

Json Body::value(const std::string& key) {
  const Json* found = find(key);
  return found ? *found : Json();
}

std::map<std::string, std::string> Body::texts(const std::string& key) {
  std::map<std::string, std::string> texts;
  const Json* found = find(key);
  if (!found) return texts;
  if (!found->is_object()) throw Unusable("'" + key + "' is no object");
  for (const auto& [name, value] : found->items()) {
    if (value.is_null()) continue;
    texts[name] = value.is_string() ? value.get<std::string>() : to_text(value);
  }
  return texts;
}

std::vector<std::string> Body::list(const std::string& key) {
  const Json* found = find(key);
  if (!found) return {};
  if (!found->is_array() || !std::ranges::all_of(*found, &Json::is_string)) {
    throw Unusable("'" + key + "' is no list of texts");
  }
  return found->get<std::vector<std::string>>();
}

void Body::end() const {
  for (const auto& [key, value] : json_.items()) {
    if (known_.contains(key)) continue;
    throw Unusable("unknown key '" + printable(key) + "'",
                   suggestion(key, {known_.begin(), known_.end()}, "keys"));
  }
}

std::string decoded(const std::string& text, bool of_query) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto high = text[i] == '%' && i + 2 < text.size() ? digit(text[i + 1]) : std::nullopt;
    const auto low = high ? digit(text[i + 2]) : std::nullopt;
    if (low) {
      out += static_cast<char>(*high * 16 + *low);
      i += 2;
    } else {
      out += of_query && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::string text_in(const HttpRequest& request, const std::string& name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? "" : decoded(found->second, true);
}

std::int64_t number_in(const HttpRequest& request, const std::string& name, std::int64_t least,
                       std::int64_t unless_said) {
  const std::string text = text_in(request, name);
  if (text.empty()) return unless_said;
  const auto number = parse_number<std::int64_t>(text);
  if (!number || *number < least) {
    throw Unusable(fmt::format("'{}' is no whole number from {} on", name, least));
  }
  return *number;
}

std::vector<std::string> texts_in(const HttpRequest& request, const std::string& name) {
  const std::string text = text_in(request, name);
  return text.empty() ? std::vector<std::string>() : workspace::split(text, ',');
}

}  // namespace agneto::serve
