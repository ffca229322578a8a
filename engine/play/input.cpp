#include "play/input.h"

#include <algorithm>

#include "base/error.h"

namespace agneto::play {

namespace {

constexpr int max_depth = 100;
constexpr Millis max_advance{100LL * 365 * 24 * 60 * 60 * 1000};

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // some editors begin files with it

constexpr const char* forms =
    R"(write an event's name, {"event": NAME, "data": …, "from": PATH} or {"advance": "5s"})";

Millis read_advance(const Json& value) {
  std::optional<Millis> duration;
  if (value.is_string()) duration = parse_duration(value.get_ref<const std::string&>());
  if (value.is_number() && value >= 0 && value <= max_advance.count()) {
    duration = Millis(value.get<std::int64_t>());
  }
  if (duration) return *duration;
  throw Error("'advance' is " + to_text(value) + ", which is no duration",
              R"(write one such as "1500ms", "5s" or "1h30m", or a number of milliseconds)");
}

std::string read_text(const Json& object, const char* key) {
  const Json& value = object.at(key);
  if (value.is_string() && !value.get_ref<const std::string&>().empty()) return value;
  throw Error("'" + std::string(key) + "' is " + to_text(value) + ", not a text", forms);
}

Input read_object(const Json& object) {
  for (const auto& [key, value] : object.items()) {
    static const std::vector<std::string> known = {"event", "data", "from", "advance"};
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw Error("an input has no '" + key + "'", suggestion(key, known, "keys"));
  }
  Input input;
  if (object.contains("advance")) {
    if (object.size() > 1) throw Error("'advance' stands alone", "give the event in its own line");
    input.advance = read_advance(object.at("advance"));
    return input;
  }
  if (!object.contains("event")) throw Error("the input names no event", forms);
  input.event = read_text(object, "event");
  if (object.contains("data")) input.data = object.at("data");
  if (object.contains("from")) input.from = read_text(object, "from");
  return input;
}

bool is_one_word(std::string_view text) {
  return text.find_first_of(" \t\"{}[],") == std::string_view::npos;
}

}  // namespace

Json parse_json(std::string_view text) {
  const auto bounded = [](int depth, Json::parse_event_t, Json&) {
    if (depth > max_depth) throw Error("the JSON is nested deeper than 100 levels");
    return true;
  };
  try {
    return Json::parse(text, bounded);
  } catch (const Json::parse_error& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 9: syntax error while …"
    std::string_view what = error.what();
    what.remove_prefix(std::min(what.size(), what.find("column")));
    throw Error("unreadable JSON at " + std::string(what), forms);
  } catch (const Json::out_of_range&) {  // the only thing that a reader finds out of range
    throw Error("the JSON has a number that is too large", "write it as a text");
  }
}

std::string to_duration(Millis duration) {
  constexpr std::pair<const char*, std::int64_t> units[] = {
      {"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}, {"ms", 1}};
  std::string text;
  std::int64_t left = duration.count();
  for (const auto& [unit, size] : units) {
    if (left >= size) text += std::to_string(left / size) + unit;
    left %= size;
  }
  return text.empty() ? "0ms" : text;
}

std::optional<Input> parse_input(std::string_view line) {
  if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  line = trim(line);
  if (line.empty() || line.starts_with('#')) return std::nullopt;
  if (line.starts_with('{')) return read_object(parse_json(line));
  if (!is_one_word(line)) {
    throw Error("'" + shortened(printable(line), 60) + "' is no event's name", forms);
  }
  return Input{std::string(line), {}, {}, {}};
}

std::string to_line(const Input& input) {
  if (input.advance) return to_text({{"advance", to_duration(*input.advance)}});
  const bool plain = is_one_word(input.event) && !input.event.starts_with('#');
  if (plain && input.data.is_null() && input.from.empty()) return input.event;
  Json object = {{"event", input.event}};
  if (!input.data.is_null()) object["data"] = input.data;
  if (!input.from.empty()) object["from"] = input.from;
  return to_text(object);
}

}  // namespace agneto::play
