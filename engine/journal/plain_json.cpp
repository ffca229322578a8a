#include "journal/plain_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace agneto::journal {

void add_text(std::string_view text, std::string& out) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
  });
  if (!plain) {
    out += to_text(std::string(text));
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

void add_value(const Json& value, std::string& out) {
  if (value.is_string()) {
    add_text(value.get_ref<const std::string&>(), out);
  } else if (value.is_number_unsigned()) {
    fmt::format_to(std::back_inserter(out), "{}", value.get<std::uint64_t>());
  } else if (value.is_number_integer()) {
    fmt::format_to(std::back_inserter(out), "{}", value.get<std::int64_t>());
  } else {
    out += to_text(value);
  }
}

}  // namespace agneto::journal
