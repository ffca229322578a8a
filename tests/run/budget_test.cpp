#include "run/budget.h"

#include <gtest/gtest.h>

#include "run/prepare.h"
#include "support/errors.h"

namespace agneto::run {
namespace {

using agneto::testing::error_of;

class BudgetTest : public ::testing::Test {
 protected:
  BudgetTest() {
    for (const auto& [name, usage] :
         {std::pair{"dear", "usage = 'cost', "}, std::pair{"counting", "usage = 'tokens', "},
          std::pair{"silent", ""}}) {
      files.add(
          std::string("/p/") + name + ".lua",
          std::string("return {") + usage + "command = function() return {argv = {'x'}} end}");
    }
    for (const char* agent : {"coder", "judge"}) config.agents[agent].provider = "dear";
  }
  // `inner`: of the machine that the coder is called in.
  std::string refusal(const std::string& limits, const std::string& inner = "") {
    files.add("/w/hook.lua", "return {prompt = function() return 'go' end}");
    files.add("/w/inner.yaml", "agneto: 1\nname: inner\n" + inner + R"(
agents: {coder: {hooks: hook.lua}}
initial: CODING
states:
  CODING: {agent: coder, on: {done: DONE}}
  DONE: {final: true}
)");
    files.add("/w/flow.yaml", "agneto: 1\nname: flow\n" + limits + R"(
agents: {judge: {hooks: hook.lua}}
initial: INNER
states:
  INNER: {machine: inner.yaml, on: {done: JUDGING}}
  JUDGING: {agent: judge, on: {done: DONE}}
  DONE: {final: true}
)");
    const auto loaded = load_workflow("/w/flow.yaml", files, {});
    return error_of([&] { require_keepable_limits(*loaded.system, config, files, {"/p"}); });
  }

  MemoryFiles files;
  Config config;
};

TEST_F(BudgetTest, WhatEveryProviderSaysCanBeLimited) {
  EXPECT_EQ(refusal("limits: {cost: 5, tokens: 1000, calls: 5, time: 1h}"), "");
}

TEST_F(BudgetTest, CostNeedsAPrice) {
  config.agents["coder"].provider = "counting";
  EXPECT_EQ(refusal("limits: {tokens: 1000}"), "");
  EXPECT_EQ(refusal("limits: {cost: 5}"),
            "the limit of $5.00 cannot be kept: the provider 'counting' of agent 'coder' does not "
            "say what a call costs\nsay what its tokens cost with 'prices' in "
            ".agneto/config.yaml, or limit tokens, calls or time instead");
  config.prices["counting"] = {1, 1, 1};
  EXPECT_EQ(refusal("limits: {cost: 5}"), "");
}

TEST_F(BudgetTest, TokensHaveToBeSaid) {
  config.agents["judge"].provider = "silent";
  config.limits.tokens = 1000;
  EXPECT_EQ(refusal(""),
            "the limit of 1000 tokens cannot be kept: the provider 'silent' of agent 'judge' does "
            "not say how many a call uses\nlimit calls or time instead");
  config.limits = {};
  config.limits.cost = 5;
  config.prices["silent"] = {1, 1, 1};
  EXPECT_EQ(refusal(""),
            "the limit of $5.00 cannot be kept: the provider 'silent' of agent 'judge' does not "
            "say what a call costs\nlimit calls or time instead");
  config.prices["silent"] = {0, 0, 0};
  EXPECT_EQ(refusal(""), "") << "nothing need be known of what is free";
}

// Only those count that work inside.
TEST_F(BudgetTest, AMachinesLimitIsAboutItsOwnAgents) {
  config.agents["judge"].provider = "silent";
  EXPECT_EQ(refusal("", "limits: {cost: 5}"), "");
  config.agents["coder"].provider = "silent";
  EXPECT_EQ(refusal("", "limits: {cost: 5}"),
            "the limit of $5.00 of machine 'inner' cannot be kept: the provider 'silent' of agent "
            "'coder' does not say what a call costs\nlimit calls or time instead");
}

}  // namespace
}  // namespace agneto::run
