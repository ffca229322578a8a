#include "base/json.h"

#include <gtest/gtest.h>

namespace agneto {
namespace {

TEST(Json, ItsSizeIsAboutThatOfItsText) {
  for (const char* text : {R"("")", R"("a text")", "[]", "{}", "12345", "true", "null",
                           R"({"a": [1, 2, 3], "b": {"c": "some text", "d": [[], {}, [true]]}})"}) {
    const Json value = Json::parse(text);
    const std::size_t size = to_text(value).size();
    EXPECT_GE(size_of(value), size) << text;
    EXPECT_LE(size_of(value), 2 * size + 2) << text;
  }
}

}  // namespace
}  // namespace agneto
