// What changed between two states, and back.
#include "journal/change.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/property.h"

namespace agneto::journal {
namespace {

Json changed(Json value, const std::string& change) {
  apply_change(Json::parse(change), value);
  return value;
}

// The change, once it is shown to lead from the one to the other.
std::string between(const Json& from, const Json& to) {
  std::string change = change_between(from, to);
  Json value = from;
  if (!change.empty()) apply_change(Json::parse(change), value);
  EXPECT_EQ(to_text(value), to_text(to));
  return change;
}

TEST(Change, IsEmptyBetweenEquals) {
  const Json state = {{"a", {1, nullptr, "x"}}, {"b", {{"c", 1.5}}}, {"n", Json::object()}};
  EXPECT_EQ(change_between(state, state), "");
  EXPECT_EQ(change_between(state, Json::parse(to_text(state))), "")
      << "whatever types numbers have in memory";
}

TEST(Change, SaysWhatIsNewWhatIsAnotherAndWhatIsGone) {
  EXPECT_EQ(between({{"a", 1}, {"b", 2}, {"c", 3}}, {{"b", 4}, {"c", 3}, {"d", {{"e", 5}}}}),
            R"({"a":[],"b":[4],"d":[{"e":5}]})");
}

TEST(Change, GoesDownToWhatChanged) {
  EXPECT_EQ(between({{"a", {{"b", {{"c", 1}, {"d", 2}}}}}}, {{"a", {{"b", {{"c", 1}, {"d", 3}}}}}}),
            R"({"a":{"b":{"d":[3]}}})");
}

TEST(Change, OfAnArrayIsByIndex) {
  EXPECT_EQ(between({1, 2, 3}, {1, 5, 3, 4}), R"({"1":[5],"3":[4]})");
  EXPECT_EQ(between({1, 2, 3, 4}, {1, 7}), R"({"1":[7],"2":[]})");
  EXPECT_EQ(between({1}, Json::array()), R"({"0":[]})");
  EXPECT_EQ(between({{{"a", 1}}, 2}, {{{"a", 2}}, 2}), R"({"0":{"a":[2]}})");
  // "10" comes before "9" among the keys.
  EXPECT_EQ(between(Json::array(), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}).substr(0, 9),
            R"({"0":[0],)");
}

TEST(Change, TellsNullFromNothing) {
  EXPECT_EQ(between({{"a", 1}}, {{"a", nullptr}}), R"({"a":[null]})");
  EXPECT_EQ(between({{"a", nullptr}}, Json::object()), R"({"a":[]})");
  EXPECT_EQ(between({{"a", 1}}, {{"a", Json::array()}}), R"({"a":[[]]})");
}

TEST(Change, TellsAnObjectFromAnArray) {
  EXPECT_EQ(between(Json::object(), Json::array()), "[[]]");
  EXPECT_EQ(between({{"0", 1}}, {{"0", 2}}), R"({"0":[2]})");
}

TEST(Change, TellsOneFromOnePointZero) {
  EXPECT_EQ(between({{"a", 1}}, {{"a", 1.0}}), R"({"a":[1.0]})");
}

TEST(Change, HasKeysOfAnyText) {
  EXPECT_EQ(between(Json::object(), {{"a\"b\\\n", 1}, {"größe", 2}, {"", 3}}),
            "{\"\":[3],\"a\\\"b\\\\\\n\":[1],\"größe\":[2]}");
}

TEST(Change, OfAWholeStateIsOneFromAnything) {
  EXPECT_EQ(between(nullptr, {{"a", 1}}), whole({{"a", 1}}));
  EXPECT_EQ(changed({1, 2}, whole({{"a", 1}})), Json({{"a", 1}}));
  EXPECT_TRUE(is_whole(whole(nullptr)));
  EXPECT_FALSE(is_whole(R"({"a":[1]})"));
  EXPECT_FALSE(is_whole(""));
}

TEST(Change, ThatDoesNotFitIsRefused) {
  EXPECT_THROW(changed({{"a", 1}}, R"({"a":{"b":[1]}})"), std::invalid_argument);
  EXPECT_THROW(changed({{"a", 1}}, R"({"b":{"c":[1]}})"), std::invalid_argument);
  EXPECT_THROW(changed({1}, R"({"x":[1]})"), std::invalid_argument);
  EXPECT_THROW(changed({1}, R"({"99999999999":[1]})"), std::invalid_argument);
  EXPECT_THROW(changed({1}, "7"), std::invalid_argument);
  EXPECT_THROW(changed({1}, "[1,2]"), std::invalid_argument);
  EXPECT_THROW(changed({1}, "[]"), std::invalid_argument);
}

// The text of any JSON, of few names, so that two of them have much in common.
rc::Gen<std::string> any_json(int depth) {
  const auto leaf = rc::gen::element<std::string>("null", "0", "1", "-1", "1.5", "1.0", "true",
                                                  "\"a\"", "\"0\"", "[]", "{}");
  if (depth == 0) return leaf;
  const auto names = rc::gen::element<std::string>("a", "b", "0", "1", "ü");
  const auto object = rc::gen::map(
      rc::gen::container<std::map<std::string, std::string>>(names, any_json(depth - 1)),
      [](const std::map<std::string, std::string>& members) {
        Json json = Json::object();
        for (const auto& [name, text] : members) json[name] = Json::parse(text);
        return to_text(json);
      });
  const auto array = rc::gen::map(rc::gen::container<std::vector<std::string>>(any_json(depth - 1)),
                                  [](const std::vector<std::string>& items) {
                                    Json json = Json::array();
                                    for (const auto& text : items)
                                      json.push_back(Json::parse(text));
                                    return to_text(json);
                                  });
  return rc::gen::oneOf(leaf, object, array);
}

TEST(Change, LeadsFromAnyValueToAnyOther) {
  check_property(300, [] {
    const std::string from = *rc::gen::resize(5, any_json(2));
    const std::string to = *rc::gen::resize(5, any_json(2));
    const std::string change = change_between(Json::parse(from), Json::parse(to));
    Json value = Json::parse(from);
    if (!change.empty()) apply_change(Json::parse(change), value);
    RC_ASSERT(to_text(value) == to);
  });
}

}  // namespace
}  // namespace agneto::journal
