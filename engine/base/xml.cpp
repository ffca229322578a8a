#include "base/xml.h"

#include "base/text.h"

namespace agneto {

namespace {

std::string escaped(std::string_view text, bool attribute) {
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  constexpr std::string_view no_character = "\xEF\xBF\xBE", nor_this = "\xEF\xBF\xBF";
  const std::string clean = printable(valid_utf8(text));
  std::string result;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const std::string_view three = std::string_view(clean).substr(i, 3);
    if (three == no_character || three == nor_this) {
      result += replacement;
      i += 2;
    } else if (clean[i] == '&') {
      result += "&amp;";
    } else if (clean[i] == '<') {
      result += "&lt;";
    } else if (clean[i] == '>') {
      result += "&gt;";
    } else if (attribute && clean[i] == '"') {
      result += "&quot;";
    } else if (attribute && clean[i] == '\n') {
      result += "&#10;";
    } else if (attribute && clean[i] == '\t') {
      result += "&#9;";
    } else {
      result += clean[i];
    }
  }
  return result;
}

}  // namespace

std::string xml_text(std::string_view text) {
  return escaped(text, false);
}

std::string xml_attribute(std::string_view text) {
  return escaped(text, true);
}

}  // namespace agneto
