// Text as it may stand in XML 1.0, and in what Graphviz reads as HTML.
#pragma once

#include <string>
#include <string_view>

namespace agneto {

// Between tags; and within the double quotes of an attribute, where ends of line and tabs are
// escaped, too. Of what XML has no place for, escaped or not, terminal sequences and control
// characters are left out (base/text.h: printable), and what is no character is U+FFFD.
std::string xml_text(std::string_view text);
std::string xml_attribute(std::string_view text);

}  // namespace agneto
