#include "ui/export_markdown.h"

#include <gtest/gtest.h>

namespace agneto::ui {
namespace {

Json minimal() {
  return {{"program", "agneto 1.0"},
          {"exported", "2026-11-22T10:00:00.000Z"},
          {"run",
           {{"id", "say-hello-3f2a"},
            {"workflow", "fix"},
            {"task", "say hello"},
            {"status", "complete"},
            {"outcome", "DONE"},
            {"base", "main"},
            {"branch", "agneto/say-hello-3f2a"},
            {"created", "2026-11-21T22:00:36.123Z"},
            {"updated", "2026-11-21T22:01:00.000Z"}}},
          {"totals",
           {{"calls", 1},
            {"attempts", 1},
            {"cost", 0.5},
            {"input_tokens", 100},
            {"output_tokens", 20},
            {"unpriced", 1},
            {"uncounted", 1},
            {"worked", 2000}}},
          {"calls", Json::array()},
          {"questions", Json::array()},
          {"commands", Json::array()},
          {"operations", Json::array()},
          {"steps", Json::array()}};
}

Json record(int seq, const std::string& path, const Json& outcome, Json data) {
  return {{"path", path},           {"seq", seq},
          {"stands", true},         {"ordered", "2026-11-21T22:00:37.000Z"},
          {"outcome", outcome},     {"ended", "2026-11-21T22:00:38.000Z"},
          {"data", std::move(data)}};
}

TEST(Summary, OfARunWithEverything) {
  Json exported = minimal();
  Json call = record(2, "CODING#1", "DONE", {{"summary", "Say | hello"}});
  call["agent"] = "coder";
  call["attempts"] = {
      {{"reply", {{"cost", 0.5}, {"input_tokens", 100}, {"output_tokens", 20}, {"ms", 1500}}}},
      {{"reply", nullptr}}};
  exported["calls"] = Json::array({call});
  Json asked = record(5, "GATE#1", "YES", nullptr);
  asked["question"] = "Good?\n```\n# Not a heading";
  asked["answer"] = {{"option", "YES"},
                     {"feedback", "fine"},
                     {"by", "person"},
                     {"time", "2026-11-21T22:00:50.000Z"}};
  Json open = record(6, "GATE#2", nullptr, nullptr);
  open["question"] = "And now?";
  open["answer"] = nullptr;
  exported["questions"] = {asked, open};
  Json commit = record(7, "COMMITTING#1", "ok", {{"commit", "c0ffee0123456789"}});
  commit["operation"] = "commit";
  commit["message"] = "Say hello\n\nIt does.";
  exported["operations"] = Json::array({commit});
  exported["steps"] = {
      {{"time", "2026-11-21T22:00:39.000Z"},
       {"problems", {{{"path", "A"}, {"event", "error.lua"}, {"message", "<b>no</b>"}}}}}};
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
