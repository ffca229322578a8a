#include "script/lua_tests.h"

#include <gmock/gmock.h>

#include "support/paths.h"

namespace agneto::script {
namespace {

using ::testing::ElementsAre;

const std::filesystem::path library = AGNETO_SOURCE_DIR "/scripts/lib";

// The files of a team, and the hook library from the source tree.
class TeamFiles : public Files {
 public:
  explicit TeamFiles(const std::string& test)
      : memory_({{"/team/scripts/x/coder.test.lua", test},
                 {"/team/scripts/x/coder.lua",
                  "return {seen = 0, twice = function(n) return 2 * n end}"},
                 {"/team/scripts/common.lua", "return {word = 'hello'}"},
                 {"/elsewhere.lua", "return {}"}}) {}
  std::optional<std::string> read(const std::filesystem::path& path) const override {
    auto text = memory_.read(path);
    return text ? text : Disk().read(path);
  }

 private:
  MemoryFiles memory_;
};

struct Outcome {
  std::vector<std::string> names, failures;
};
Outcome outcome(const std::string& test) {
  const TeamFiles files(test);
  const LuaTests tests(files, "/team/scripts/x/coder.test.lua", library);
  Outcome result{tests.names(), {}};
  for (const auto& name : result.names) {
    if (auto failure = tests.run(name)) result.failures.push_back(name + ": " + *failure);
  }
  return result;
}

TEST(LuaTests, CallEachFunction) {
  const Outcome result = outcome(R"lua(
local test = require "test"
local coder = require "coder"
local common = require "common"
return {
  doubles = function() test.equal(coder.twice(2), 4) end,
  ["knows a word"] = function() test.contains(common.word, "ell") end,
  ["anew each time"] = function() coder.seen = coder.seen + 1; test.equal(coder.seen, 1) end,
  again = function() coder.seen = coder.seen + 1; test.equal(coder.seen, 1) end,
  tables = function() test.equal({a = {1, 2}, b = "x"}, {b = "x", a = {1, 2}}) end,
  errors = function() test.fails(function() error("no room") end, "no room") end,
  lacks = function() test.lacks("hello", "%a") end,
}
)lua");
  EXPECT_THAT(result.names, ElementsAre("again", "anew each time", "doubles", "errors",
                                        "knows a word", "lacks", "tables"));
  EXPECT_THAT(result.failures, ElementsAre());
}

TEST(LuaTests, SayWhereAndWhatFailed) {
  EXPECT_THAT(
      outcome(R"lua(local test = require "test"
return {
  a = function() test.equal({1, "x"}, {1, "y"}) end,
  b = function() test.contains("hello", "hallo") end,
  c = function() test.fails(function() end) end,
  d = function() error("so it is") end,
  e = function() while true do end end,
  f = function() test.equal(nil, 1) end,
  g = function() test.lacks("hello", "ell") end,
  h = function() test.fails(function() error("x", 0) end, "y") end,
}
)lua")
          .failures,
      ElementsAre("a: /team/scripts/x/coder.test.lua:3: expected [1,\"y\"], found [1,\"x\"]",
                  "b: /team/scripts/x/coder.test.lua:4: expected \"hallo\" in \"hello\"",
                  "c: /team/scripts/x/coder.test.lua:5: expected an error, found none",
                  "d: /team/scripts/x/coder.test.lua:6: so it is",
                  "e: /team/scripts/x/coder.test.lua:7: this does not come to an end (stopped "
                  "after 50000000 instructions)",
                  "f: /team/scripts/x/coder.test.lua:8: expected 1, found nil",
                  "g: /team/scripts/x/coder.test.lua:9: expected no \"ell\" in \"hello\"",
                  "h: /team/scripts/x/coder.test.lua:10: expected \"y\" in the error \"x\""));
}

TEST(LuaTests, WhatIsNoDataIsUnequalAndNothingMore) {
  EXPECT_THAT(
      outcome(R"lua(local test = require "test"
local ring = {} ring.next = ring
local other = {} other.next = other
local twice = {1}
return {
  a = function() test.equal(ring, {next = 1}) end,
  b = function() test.equal(ring, other) end,
  c = function() test.equal(ring, ring) end,
  d = function() test.equal({twice, twice}, {{1}, {1}}) end,
  e = function() test.equal({call = tostring}, {call = 1}) end,
  f = function() test.contains(ring, "x") end,
}
)lua")
          .failures,
      ElementsAre("a: /team/scripts/x/coder.test.lua:6: expected {\"next\":1}, found a table "
                  "that contains itself",
                  "b: /team/scripts/x/coder.test.lua:7: expected a table that contains "
                  "itself, found a table that contains itself",
                  "e: /team/scripts/x/coder.test.lua:10: expected {\"call\":1}, found a "
                  "table that is no data",
                  "f: /team/scripts/x/coder.test.lua:11: expected \"x\" in a table that "
                  "contains itself"));
}

std::string refusal(const std::string& test) {
  try {
    outcome(test);
  } catch (const HookError& error) {
    return error.what();
  }
  return "";
}

TEST(LuaTests, RefuseWhatIsNoTest) {
  const std::string form =
      "/team/scripts/x/coder.test.lua: a test file returns a table of functions by name";
  EXPECT_EQ(refusal("return 1"), form);
  EXPECT_EQ(refusal("return {}"), form);
  EXPECT_EQ(refusal("return {function() end}"), form);
  EXPECT_EQ(refusal("return {a = 1}"), form);
  EXPECT_NE(refusal("return {"), "");
  EXPECT_NE(refusal("return {a = require '/elsewhere'}"), "");
}

}  // namespace
}  // namespace agneto::script
