#include "base/xml.h"

#include <gtest/gtest.h>

namespace agneto {
namespace {

TEST(Xml, EscapesMarkup) {
  EXPECT_EQ(xml_text("a < b && \"c\" > 'd'\n\te"), "a &lt; b &amp;&amp; \"c\" &gt; 'd'\n\te");
  EXPECT_EQ(xml_attribute("a < b && \"c\" > 'd'\n\te"),
            "a &lt; b &amp;&amp; &quot;c&quot; &gt; 'd'&#10;&#9;e");
}

TEST(Xml, HasNothingThatNoParserTakes) {
  EXPECT_EQ(xml_text("\x1b[1mbold\x1b[0m\x01\r\x7f!"), "bold!");
  EXPECT_EQ(xml_text("\xff|\xed\xa0\x80|"), "\uFFFD|\uFFFD\uFFFD\uFFFD|");
  EXPECT_EQ(xml_text("\xef\xbf\xbe|\xef\xbf\xbf|\uFFFD|\uFFFC"), "\uFFFD|\uFFFD|\uFFFD|\uFFFC");
  EXPECT_EQ(xml_attribute("é\U0001F600"), "é\U0001F600");
}

}  // namespace
}  // namespace agneto
