#include "script/evaluator.h"

#include <gmock/gmock.h>

#include "script/evaluator_fixture.h"

namespace agneto::script {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What one block makes of a context, as JSON; before it, what was wrong.
std::string after(const std::string& context, const std::string& block) {
  Bench bench(context, {statements(block)});
  if (!bench.evaluator) return render(bench.diagnostics);
  bench.run();
  return (bench.message.empty() ? "" : bench.message + " | ") + bench.ctx_text();
}

// What an expression gives over a context; or what was wrong.
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

TEST(Evaluator, NamesAreFoundHoweverTheyAreWritten) {
  EXPECT_EQ(after("n: 1", "ctx['n'] = 2"), R"({"n":2})");
  EXPECT_EQ(after("n: 1", "local c = ctx; c[\"\\110\"] = 3"), R"({"n":3})");
  EXPECT_EQ(after("n: 1", "(function(t) t.n = 4 end)(ctx)"), R"({"n":4})");
  EXPECT_EQ(after("n: 1", "local x <const> = 1 ..ctx.n; ctx.n = #x"), R"({"n":2})");
}

TEST(Evaluator, IntegersStayIntegersAndFloatsFloats) {
  EXPECT_EQ(after("n: 3", "ctx.n = 3"), R"({"n":3})");
  EXPECT_EQ(after("n: 3", "ctx.n = 6 / 2"), R"({"n":3})");
  EXPECT_EQ(after("n: {type: number, default: 1}", "ctx.n = 3.0"), R"({"n":3.0})");
  EXPECT_EQ(after("n: {type: number, default: 1.5}", "ctx.n = 3"), R"({"n":3})");
  EXPECT_EQ(after("n: {type: any, default: 0}", "ctx.n = 9007199254740993"),
            R"({"n":9007199254740993})");
  EXPECT_EQ(value_of("", "7 // 2"), "3");
  EXPECT_EQ(value_of("", "7 / 2"), "3.5");
}

TEST(Evaluator, NullIsAValueAndNilIsTakenForIt) {
  const std::string context = "s: {type: 'string?', default: a}";
  EXPECT_EQ(after(context, "ctx.s = null"), R"({"s":null})");
  EXPECT_EQ(after(context, "ctx.s = nil"), R"({"s":null})");
  EXPECT_EQ(after(context, "ctx.s = nil; if ctx.s == nil then ctx.s = 'b' end"), R"({"s":"b"})");
  EXPECT_EQ(value_of("s: {type: 'string?', default: null}", "ctx.s == null and type(ctx.s)"),
            "\"null\"");
  EXPECT_EQ(value_of("", "nil"), "null");
  EXPECT_EQ(value_of("", "{a = null}"), R"({"a":null})");
}

TEST(Evaluator, AnEmptyTableTakesItsDeclaredType) {
  EXPECT_EQ(after("l: [1], m: {a: 1}", "ctx.l = {}; ctx.m = {}"), R"({"l":[],"m":{}})");
  EXPECT_EQ(after("m: {}", "ctx.m = ctx.m"), R"({"m":{}})");
  EXPECT_EQ(after("m: {a: 1}", "ctx.m.a = nil"), R"({"m":{}})");
  EXPECT_EQ(after("x: {type: any, default: {}}, y: 0", "ctx.x = ctx.x; ctx.y = 1"),
            R"({"x":{},"y":1})");
}

TEST(Evaluator, AnUndeclaredNameIsAnErrorWithASuggestion) {
  EXPECT_EQ(after("rounds: 0", "ctx.rouds = 1"),
            "flow.yaml:100: 'rouds' is not declared in ctx; did you mean 'rounds'? | "
            R"({"rounds":0})");
  EXPECT_EQ(after("rounds: 0", "ctx.rounds = 3\nctx.zzz = ctx.rounds"),
            "flow.yaml:101: 'zzz' is not declared in ctx; known names: rounds | "
            R"({"rounds":3})");
  EXPECT_EQ(value_of("rounds: 0", "ctx.round + 1"),
            "flow.yaml:100: 'round' is not declared in ctx; did you mean 'rounds'?");
  EXPECT_EQ(value_of("rounds: 0", "inputs.x"), "flow.yaml:100: 'x' is not declared in inputs");
  EXPECT_EQ(value_of("", "cxt.x"), "flow.yaml:100: unknown name 'cxt'");
  EXPECT_EQ(value_of("", "tabel.concat({})"),
            "flow.yaml:100: unknown name 'tabel'; did you mean 'table'?");
}

TEST(Evaluator, AValueOfAnotherTypeIsTakenBack) {
  EXPECT_EQ(after("n: 1, s: a", "ctx.n = 'x'; ctx.s = 'b'"),
            "flow.yaml:100: ctx.n: expected integer, found string \"x\" | "
            R"({"n":1,"s":"b"})");
  EXPECT_EQ(after("n: 1, s: a", "ctx.n = 1.5; ctx.s = nil"),
            "flow.yaml:100: ctx.n: expected integer, found number 1.5; "
            R"(ctx.s: expected string, found null | {"n":1,"s":"a"})");
  EXPECT_EQ(after("l: {type: [integer], default: [1]}", "ctx.l[2] = 'x'"),
            "flow.yaml:100: ctx.l: item 2: expected integer, found string \"x\" | "
            R"({"l":[1]})");
}

TEST(Evaluator, AValueThatCannotBeSavedIsTakenBack) {
  const std::string context = "x: {type: any, default: 1}";
  const std::string kept = " | {\"x\":1}";
  EXPECT_EQ(after(context, "ctx.x = function() end"), "flow.yaml:100: ctx.x is a function" + kept);
  EXPECT_EQ(after(context, "ctx.x = {a = {1, print = tostring}}"),
            "flow.yaml:100: ctx.x.a has both list items and named fields" + kept);
  EXPECT_EQ(after(context, "ctx.x = {a = {b = {pairs}}}"),
            "flow.yaml:100: ctx.x.a.b[1] is a function" + kept);
  EXPECT_EQ(after(context, "ctx.x = {1, nil, 3}"),
            "flow.yaml:100: ctx.x is a list with a hole" + kept);
  EXPECT_EQ(after(context, "ctx.x = {[true] = 1}"),
            "flow.yaml:100: ctx.x has a key that is neither text nor an index" + kept);
  EXPECT_EQ(after(context, "ctx.x = 0/0"), "flow.yaml:100: ctx.x is not a finite number" + kept);
  EXPECT_EQ(after(context, "ctx.x = {}; ctx.x.me = ctx.x").substr(0, 25),
            "flow.yaml:100: ctx.x.me.m");
  EXPECT_EQ(
      after(context, "ctx.x = ctx"), "flow.yaml:100: ctx.x" +
                                         [] {
                                           std::string path;
                                           for (int i = 0; i < 127; ++i) path += ".x";
                                           return path;
                                         }() +
                                         ".x is nested too deeply, or contains itself" + kept);
}

TEST(Evaluator, WhatABlockMadeBeforeItsErrorStays) {
  EXPECT_EQ(after("a: 1, b: 1", "ctx.a = 2\nerror('no')\nctx.b = 2"),
            "flow.yaml:101: no | {\"a\":2,\"b\":1}");
  EXPECT_EQ(after("a: 1", "ctx.a = 2; error('no', 0)"), "flow.yaml:100: no | {\"a\":2}");
  EXPECT_EQ(after("a: 1", "\nerror({code = 7})"), "flow.yaml:101: error {\"code\":7} | {\"a\":1}");
  EXPECT_EQ(after("a: 1", "error()"), "flow.yaml:100: an error that is a nil value | {\"a\":1}");
  EXPECT_EQ(after("a: 1", "assert(ctx.a == 2, 'a is not 2')"),
            "flow.yaml:100: a is not 2 | {\"a\":1}");
  EXPECT_EQ(after("a: 1", "local x = null + 1"),
            "flow.yaml:100: attempt to perform arithmetic on a null value (global 'null') | "
            "{\"a\":1}");
  EXPECT_EQ(after("a: 1", "if error then return end\nctx.a = 2"), "{\"a\":1}");
}

TEST(Evaluator, NullIsCalledNull) {
  const auto of_null = [](const std::string& block) {
    return after("v: {type: 'string?', default: null}", block);
  };
  const std::string kept = " | {\"v\":null}";
  EXPECT_EQ(of_null("string.sub(ctx.v, 1, 2)"),
            "flow.yaml:100: bad argument #1 to 'sub' (string expected, got null)" + kept);
  EXPECT_EQ(of_null("string.rep('a', ctx.v)"),
            "flow.yaml:100: bad argument #2 to 'rep' (number expected, got null)" + kept);
  EXPECT_EQ(of_null("math.floor(ctx.v)"),
            "flow.yaml:100: bad argument #1 to 'floor' (number expected, got null)" + kept);
  EXPECT_EQ(of_null("table.insert(ctx.v, 1)"),
            "flow.yaml:100: bad argument #1 to 'insert' (table expected, got null)" + kept);
  EXPECT_EQ(of_null("for i = 1, ctx.v do end"),
            "flow.yaml:100: bad 'for' limit (number expected, got null)" + kept);
  EXPECT_EQ(of_null("return ctx.v < ctx.v"),
            "flow.yaml:100: attempt to compare two null values" + kept);
  EXPECT_EQ(of_null("string.gsub('a', 'a', function() return ctx.v end)"),
            "flow.yaml:100: invalid replacement value (a null)" + kept);
  EXPECT_EQ(of_null("table.concat({ctx.v})"),
            "flow.yaml:100: invalid value (null) at index 1 in table for 'concat'" + kept);
  EXPECT_EQ(of_null("error('a light userdata', 0)"), "flow.yaml:100: a light userdata" + kept);
}

TEST(Evaluator, EntriesOfTheContextShareNoTables) {
  Bench bench("a: [1], b: []", {statements("ctx.b = ctx.a"), statements("table.insert(ctx.a, 2)")});
  bench.run(0);
  bench.run(1);
  EXPECT_EQ(bench.ctx_text(), R"({"a":[1,2],"b":[1]})");
}

TEST(Evaluator, GuardsSayYesOrNo) {
  Bench bench("n: 1, s: {type: 'string?', default: null}",
              {expression("ctx.n < 3"), expression("ctx.n > 3"), expression("nil"),
               expression("ctx.n + 'x'"), expression("ctx.s")});
  EXPECT_TRUE(bench.test(0));
  EXPECT_FALSE(bench.test(1));
  EXPECT_FALSE(bench.test(2));
  EXPECT_EQ(bench.message, "");
  EXPECT_FALSE(bench.test(3));
  EXPECT_EQ(bench.message, "flow.yaml:103: attempt to add a 'number' with a 'string'");
  EXPECT_FALSE(bench.test(4));
  EXPECT_EQ(bench.message,
            "flow.yaml:104: a guard gave null; compare with null instead: x ~= null");
}

TEST(Evaluator, ExpressionsChangeNothing) {
  Bench bench("n: 1, l: [1]", {expression("(function() ctx.n = 2 return true end)()"),
                               expression("table.remove(ctx.l) == 1"), expression("raise('GO')"),
                               expression("send('GO')"), expression("cancel('x')"),
                               expression("#table.concat(ctx.l) == 1")});
  EXPECT_FALSE(bench.test(0));
  EXPECT_EQ(bench.message, "flow.yaml:100: a guard may not change ctx.n");
  EXPECT_FALSE(bench.test(1));
  EXPECT_EQ(bench.message, "flow.yaml:101: a guard may not change ctx.l");
  bench.test(2);
  EXPECT_EQ(bench.message,
            "flow.yaml:102: raise belongs in actions (do, entry, exit), not in 'guard'");
  bench.test(3);
  EXPECT_EQ(bench.message,
            "flow.yaml:103: send belongs in actions (do, entry, exit), not in 'guard'");
  bench.test(4);
  EXPECT_EQ(bench.message,
            "flow.yaml:104: cancel belongs in actions (do, entry, exit), not in 'guard'");
  EXPECT_TRUE(bench.test(5));
  EXPECT_EQ(bench.ctx_text(), R"({"l":[1],"n":1})");
  EXPECT_THAT(bench.scope.log, IsEmpty());
}

TEST(Evaluator, InputsEventAndRunAreReadOnly) {
  Bench bench("x: []",
              {statements("inputs.name = 'b'"), statements("inputs.list[1] = 2"),
               statements("table.insert(inputs.list, 2)"), statements("event.name = 'X'"),
               statements("event.data.items[1] = 0"), statements("run.id = 'other'"),
               statements("ctx.x = event.items"), statements("table.insert(ctx.x, 9)"),
               statements("string.rep = nil"), statements("raise = nil"), statements("extra = 1")},
              "name: {type: string, default: a}, list: {type: list, default: [1]}");
  bench.scope.set_event("E", {{"items", {1, 2}}});
  const auto message = [&](std::size_t k) {
    bench.run(k);
    return bench.message;
  };
  EXPECT_EQ(message(0), "flow.yaml:100: inputs is read-only: 'name' cannot be set");
  EXPECT_EQ(message(1), "flow.yaml:101: inputs is read-only");
  EXPECT_EQ(message(2),
            "flow.yaml:102: bad argument #1 to 'insert' (this table is read-only; make a "
            "copy to change)");
  EXPECT_EQ(message(3), "flow.yaml:103: event is read-only: 'name' cannot be set");
  EXPECT_EQ(message(4), "flow.yaml:104: event is read-only");
  EXPECT_EQ(message(5), "flow.yaml:105: run is read-only: 'id' cannot be set");
  EXPECT_EQ(message(6), "");
  EXPECT_EQ(message(7), "");
  EXPECT_EQ(bench.ctx_text(), R"({"x":[1,2,9]})");
  EXPECT_EQ(message(8), "flow.yaml:108: string is read-only: 'rep' cannot be set");
  EXPECT_EQ(message(9), "flow.yaml:109: 'raise' cannot be assigned to");
  EXPECT_EQ(message(10), "flow.yaml:110: 'extra' is not declared; write 'local extra'");
}

TEST(Evaluator, TheEventShowsItsNameDataAndFields) {
  Bench bench("", {expression("{event.name, event.data, event.source, event.label}"),
                   expression("event.label.x"), expression("event.nothing == nil")});
  bench.scope.set_event("DONE", {{"label", "bug"}, {"name", "hidden"}}, "A#1");
  EXPECT_EQ(to_text(bench.value(0)), R"(["DONE",{"label":"bug","name":"hidden"},"A#1","bug"])");
  bench.scope.set_event("DONE", "plain");
  EXPECT_EQ(to_text(bench.value(1)), "null");
  EXPECT_EQ(bench.message, "flow.yaml:101: attempt to index a nil value (field 'label')");
  bench.scope.set_event("DONE", nullptr);
  EXPECT_EQ(to_text(bench.value(0)), R"(["DONE",null,""])");
  EXPECT_TRUE(bench.test(2));
  bench.scope.has_event = false;
  EXPECT_TRUE(bench.test(2));
}

TEST(Evaluator, TheRunAndTheActiveStatesCanBeAskedFor) {
  Bench bench("", {expression("{run.id, run.interactive, run.auto_merge}"),
                   expression("{state_in('A'), state_in('B')}"), expression("state_in('C')")});
  EXPECT_EQ(to_text(bench.value(0)), R"(["run-1",true,false])");
  bench.scope.info = {"run-2", false, true};
  EXPECT_EQ(to_text(bench.value(0)), R"(["run-2",false,true])");
  EXPECT_EQ(to_text(bench.value(1)), "[true,false]");
  bench.value(2);
  EXPECT_EQ(bench.message, "flow.yaml:102: state_in: unknown state 'C'; known states: flow, A, B");
}

TEST(Evaluator, TheWithOfAForEachSeesTheItemAndItsNumber) {
  Bench bench("x: 1", {{model::Code::Kind::expression, "plan.text .. ' ' .. index + ctx.x", "plan"},
                       {model::Code::Kind::expression, "plan", "plan"},
                       {model::Code::Kind::expression, "plan .. index", "plan"}});
  bench.scope.has_item = true;
  bench.scope.item_value = {{"text", "short"}};
  EXPECT_EQ(bench.value(0), "short 3");
  EXPECT_EQ(bench.value(1), Json({{"text", "short"}}));
  bench.value(2);
  EXPECT_EQ(bench.message, "flow.yaml:102: attempt to concatenate a table value (local 'plan')");
  bench.scope.item_value = "long";
  EXPECT_EQ(bench.value(2), "long2");
  bench.scope.item_value = nullptr;
  EXPECT_EQ(bench.value(1), nullptr);
}

TEST(Evaluator, TheItemIsReadOnly) {
  Bench bench("x: 1", {{model::Code::Kind::expression,
                        "(function() plan.text = 'long' return plan end)()", "plan"}});
  bench.scope.has_item = true;
  bench.scope.item_value = {{"text", "short"}};
  bench.value();
  EXPECT_EQ(bench.message, "flow.yaml:100: the item is read-only: 'text' cannot be set");
}

// Names are the block's own: what is compiled beside it does not see them.
TEST(Evaluator, OtherCodeSeesNoItem) {
  Bench bench("x: 1", {{model::Code::Kind::expression, "plan", "plan"}, expression("plan")});
  bench.scope.has_item = true;
  bench.scope.item_value = "short";
  EXPECT_EQ(bench.value(0), "short");
  bench.value(1);
  EXPECT_EQ(bench.message, "flow.yaml:101: unknown name 'plan'");
}

TEST(Evaluator, RaisesSendsAndCancels) {
  Bench bench("", {statements("raise('GO', {n = 1}); raise('x.y'); send('T', null, {after = '5s', "
                              "id = 'k'}); send('U', 'a', {after = 20}); cancel('k')")});
  bench.run();
  EXPECT_EQ(bench.message, "");
  EXPECT_THAT(bench.scope.log,
              ElementsAre("raise GO {\"n\":1}", "raise x.y null", "send T null after 5000ms id 'k'",
                          "send U \"a\" after 20ms id ''", "cancel k"));
}

TEST(Evaluator, AnEventOneTooManyIsAnErrorWhereItIsSent) {
  Bench bench("", {statements("send('T')")});
  bench.scope.sent = chart::Sent::too_many;
  bench.run();
  EXPECT_EQ(
      bench.message,
      "flow.yaml:100: send: 'T' is one too many: 1000 events that were sent wait to be taken");
  bench.scope.sent = chart::Sent::too_much;
  bench.run();
  EXPECT_EQ(bench.message,
            "flow.yaml:100: send: the data of 'T' is too much: what a step sends may be 16 MB "
            "together; keep it in ctx or in a file, and send which part is meant");
}

TEST(Evaluator, RaisingTooMuchIsAnErrorToo) {
  Bench bench("", {statements("raise('T', {})")});
  bench.scope.sent = chart::Sent::too_much;
  bench.run();
  EXPECT_EQ(bench.message,
            "flow.yaml:100: raise: the data of 'T' is too much: what a step raises may be 16 MB "
            "together; keep it in ctx or in a file, and raise which part is meant");
}

TEST(Evaluator, BadEventsAreRefused) {
  const auto problem = [](const std::string& block) { return after("", block); };
  EXPECT_EQ(problem("raise()"),
            "flow.yaml:100: raise: the event's name must be a string, not nil | {}");
  EXPECT_EQ(problem("raise('two words')"),
            "flow.yaml:100: raise: 'two words' is no event name | {}");
  EXPECT_EQ(problem("raise('E', raise)"), "flow.yaml:100: raise: the data is a function | {}");
  EXPECT_EQ(problem("send('E', {f = {raise}})"),
            "flow.yaml:100: send: the data.f[1] is a function | {}");
  EXPECT_EQ(problem("send('E', 1, {after = 'soon'})"),
            "flow.yaml:100: send: 'after' must be a duration like \"5s\" or milliseconds, not "
            "\"soon\" | {}");
  EXPECT_EQ(problem("send('E', 1, {after = -1})"),
            "flow.yaml:100: send: 'after' must be a duration like \"5s\" or milliseconds, not -1 | "
            "{}");
  EXPECT_EQ(problem("send('E', 1, {after = '5s', id = '#1'})"),
            "flow.yaml:100: send: 'id' must not begin with '#', as #1 | {}");
  EXPECT_EQ(problem("send('E', 1, {aftr = '5s'})"),
            "flow.yaml:100: send: unknown option 'aftr'; did you mean 'after'? | {}");
  EXPECT_EQ(problem("send('E', 1, '5s')"),
            "flow.yaml:100: send: the options must be a table, {after = \"5s\", id = \"x\"} | {}");
  EXPECT_EQ(problem("cancel(1)"),
            "flow.yaml:100: cancel: the id must be a string, not number | {}");
}

TEST(Evaluator, ContextDefaultsAreEvaluatedInOrder) {
  Bench bench(
      "a: {type: integer, init: 1 + 1}, b: {type: integer, init: ctx.a * 2}, "
      "c: {type: string, init: inputs.name .. run.id}",
      {}, "name: {type: string, default: nn}");
  EXPECT_EQ(bench.message, "");
  EXPECT_EQ(bench.ctx_text(), R"({"a":2,"b":4,"c":"nnrun-1"})");
}

TEST(Evaluator, ADefaultThatFailsLeavesTheTypesZero) {
  Bench bench(
      "a: {type: integer, init: ctx.b.c.d}, b: {type: list, init: '1'}, c: {type: string, init: "
      "inputs.x}",
      {});
  EXPECT_EQ(bench.message, "flow.yaml:5: attempt to index a nil value (field 'c')");
  EXPECT_EQ(bench.ctx_text(), R"({"a":0,"b":[],"c":""})");
}

TEST(Evaluator, RollsBackToTheMark) {
  Bench bench("n: 0, l: []", {statements("ctx.n = ctx.n + 1; table.insert(ctx.l, ctx.n)")});
  bench.run();
  bench.evaluator->mark(*bench.data);
  bench.run();
  bench.run();
  EXPECT_EQ(bench.ctx_text(), R"({"l":[1,2,3],"n":3})");
  bench.evaluator->rollback(*bench.data);
  EXPECT_EQ(bench.ctx_text(), R"({"l":[1],"n":1})");
  bench.run();
  EXPECT_EQ(bench.ctx_text(), R"({"l":[1,2],"n":2})");
}

TEST(Evaluator, SavesAndRestores) {
  Bench bench("n: 0, f: {type: number, default: 0}, m: {a: []}",
              {statements("ctx.n = ctx.n + 1; ctx.f = 2.0; ctx.m.a[#ctx.m.a + 1] = inputs.name")},
              "name: {type: string, default: x}");
  bench.run();
  const Json saved = Json::parse(to_text(bench.evaluator->save(*bench.data)));
  EXPECT_EQ(to_text(saved), R"({"ctx":{"f":2.0,"m":{"a":["x"]},"n":1},"inputs":{"name":"x"}})");
  bench.data = bench.evaluator->restore(0, saved);
  EXPECT_EQ(bench.evaluator->save(*bench.data), saved);
  bench.run();
  EXPECT_EQ(bench.ctx_text(), R"({"f":2.0,"m":{"a":["x","x"]},"n":2})");
}

TEST(Evaluator, InstancesDoNotSeeEachOther) {
  Bench bench("n: 0, l: []", {statements("ctx.n = ctx.n + 1; table.insert(ctx.l, ctx.n)")});
  auto first = std::move(bench.data);
  bench.data = bench.evaluator->restore(0, {{"inputs", Json::object()}, {"ctx", {{"n", 10}}}});
  bench.run();
  std::swap(first, bench.data);
  bench.run();
  EXPECT_EQ(bench.ctx_text(), R"({"l":[1],"n":1})");
  std::swap(first, bench.data);
  bench.run();
  EXPECT_EQ(bench.ctx_text(), R"({"l":[11,12],"n":12})");
}

TEST(Evaluator, TextThatIsNotUtf8IsMadeSo) {
  Bench bench("s: ''", {statements("ctx.s = 'a\\xffb'"), expression("#ctx.s")});
  bench.run();
  EXPECT_EQ(bench.ctx().at("s"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(bench.value(1), 5);  // the code sees what is saved
}

}  // namespace
}  // namespace agneto::script
