#include "script/evaluator.h"

#include <gmock/gmock.h>

#include "evaluator_fixture.h"

namespace agneto::script {
namespace {

using testing::ElementsAre;

// What one block makes of a context, as JSON; or the fault.
std::string after(const std::string& context, const std::string& block) {
  Bench bench(context, {statements(block)});
  if (!bench.evaluator) return render(bench.diagnostics);
  bench.run();
  return bench.message.empty() ? bench.ctx_text() : bench.message + " | " + bench.ctx_text();
}

// What an expression gives over a context.
std::string value_of(const std::string& context, const std::string& text) {
  Bench bench(context, {expression(text)});
  if (!bench.evaluator) return render(bench.diagnostics);
  const Json value = bench.value();
  return bench.message.empty() ? to_text(value) : bench.message;
}

TEST(Evaluator, ABlockChangesTheContext) {
  EXPECT_EQ(after("n: 1", "ctx.n = ctx.n + 1"), R"({"n":2})");
  EXPECT_EQ(after("n: 1, s: a", "ctx.n = 5; ctx.s = ctx.s .. 'b'"), R"({"n":5,"s":"ab"})");
  EXPECT_EQ(after("l: [1]", "table.insert(ctx.l, 2)"), R"({"l":[1,2]})");
  EXPECT_EQ(after("m: {a: 1}", "ctx.m.b = {x = {true}}"), R"({"m":{"a":1,"b":{"x":[true]}}})");
}

TEST(Evaluator, IntegersStayIntegersAndFloatsFloats) {
  EXPECT_EQ(after("n: 3", "ctx.n = 3"), R"({"n":3})");
  EXPECT_EQ(after("n: 3", "ctx.n = 6 / 2"), R"({"n":3})");
  EXPECT_EQ(after("n: {type: number, default: 1}", "ctx.n = 3.0"), R"({"n":3.0})");
  EXPECT_EQ(after("n: {type: number, default: 1}", "ctx.n = 3"), R"({"n":3})");
  EXPECT_EQ(value_of("", "7 // 2"), "3");
  EXPECT_EQ(value_of("", "7 / 2"), "3.5");
}

TEST(Evaluator, RaisesAndSends) {
  Bench bench("", {statements("raise('GO', {n = 1}); raise('x.y'); send('T', null, {after = '5s', "
                              "id = 'k'}); send('U', 'a', {after = 20}); cancel('k')")});
  bench.run();
  EXPECT_EQ(bench.message, "");
  EXPECT_THAT(bench.scope.log,
              ElementsAre("raise GO {\"n\":1}", "raise x.y null", "send T null after 5000ms id 'k'",
                          "send U \"a\" after 20ms id ''", "cancel k"));
}

}  // namespace
}  // namespace agneto::script
