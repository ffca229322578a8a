#include "ui/export_markdown.h"

#include <gtest/gtest.h>

namespace agneto::ui {
namespace {

Time at(const char* time) {
  return parse_time("2026-11-2" + std::string(time) + ".000Z").value();
}

run::RunExport minimal() {
  run::RunExport exported;
  exported.program = "agneto 1.0";
  exported.exported = at("2T10:00:00");
  exported.run.id = "say-hello-3f2a";
  exported.run.workflow = "fix";
  exported.run.task = "say hello";
  exported.run.status = "complete";
  exported.run.outcome = "DONE";
  exported.run.base = "main";
  exported.run.branch = "agneto/say-hello-3f2a";
  exported.run.created = at("1T22:00:36");
  exported.run.updated = at("1T22:01:00");
  exported.totals = {1, 1, {0.5, 100, 20}, {Millis(2000), {}}};
  exported.totals.usage.unpriced = exported.totals.usage.uncounted = 1;
  return exported;
}

record::Ordered ordered(int seq, const std::optional<std::string>& outcome, Json data) {
  return {seq, true, at("1T22:00:37"), at("1T22:00:38"), outcome, std::move(data)};
}

TEST(Summary, OfARunWithEverything) {
  run::RunExport exported = minimal();
  record::RunSummary& summary = exported.summary;
  record::CallSummary call{ordered(2, "DONE", {{"summary", "Say | hello"}}), {}, "coder"};
  call.call.path = "CODING#1";
  record::ReplySummary reply;
  reply.reply.usage = {0.5, 100, 20};
  reply.reply.duration = Millis(1500);
  call.attempts.resize(2);
  call.attempts[0].reply = reply;
  summary.calls = {call};
  record::QuestionSummary asked{ordered(5, "YES", nullptr), {}};
  asked.question.path = "GATE#1";
  asked.question.question = "Good?\n```\n# Not a heading";
  asked.answer = {{{{"YES", "fine", {}}, "person"}}, at("1T22:00:50")};
  record::QuestionSummary open{ordered(6, {}, nullptr), {}};
  open.question.path = "GATE#2";
  open.question.question = "And now?";
  summary.questions = {asked, open};
  record::OperationSummary commit{ordered(7, "ok", {{"commit", "c0ffee0123456789"}}), {}};
  commit.operation.path = "COMMITTING#1";
  commit.operation.message = "Say hello\n\nIt does.";
  summary.operations = {commit};
  record::StepSummary step;
  step.time = at("1T22:00:39");
  step.step.problems = {{"A", "error.lua", "<b>no</b>"}};
  summary.steps = {step};
  EXPECT_EQ(markdown_summary(exported), R"(# Run say-hello-3f2a

|  |  |
| --- | --- |
| status | complete: DONE |
| workflow | fix |
| started | 2026-11-21 22:00:36 UTC |
| last entry | 2026-11-21 22:01:00 UTC |
| branch | `agneto/say-hello-3f2a` from `main` |
| exported | 2026-11-22 10:00:00 UTC by agneto 1.0 |

## Task

```text
say hello
```

## Effort

| agent | calls | attempts | cost | tokens | time |
| --- | --- | --- | --- | --- | --- |
| coder | 1 | 1 | $0.50 | 120 | 1.5s |
| all | 1 | 1 | at least $0.50 (1 attempt without a price) | at least 120 | 2s |

## What happened

| time | where | who | outcome | what it says |
| --- | --- | --- | --- | --- |
| 2026-11-21 22:00:37 | CODING | coder | DONE | Say \| hello |
| 2026-11-21 22:00:37 | GATE | person | YES |  |
| 2026-11-21 22:00:37 | GATE #2 | person | … |  |
| 2026-11-21 22:00:37 | COMMITTING | commit | ok | Say hello … |

## Questions

### GATE

````text
Good?
```
# Not a heading
````

Answered at 2026-11-21 22:00:50 by a person: `YES`

```text
fine
```

### GATE #2

```text
And now?
```

Asked at 2026-11-21 22:00:37, not answered yet.

## Commits and merges

| time | operation | outcome | commit | message |
| --- | --- | --- | --- | --- |
| 2026-11-21 22:00:38 | commit | ok | `c0ffee012345` | Say hello … |

## Problems

| time | where | event | message |
| --- | --- | --- | --- |
| 2026-11-21 22:00:39 | A | error.lua | \<b\>no\</b\> |

Every prompt and reply is in the JSON export. Times are UTC.
)");
}

}  // namespace
}  // namespace agneto::ui
