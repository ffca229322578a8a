#include <gmock/gmock.h>

#include "graph/drawing.h"
#include "graph/trail.h"

namespace agneto::graph {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const char* const hostile = R"yaml(
  A:
    ask:
      question: "]; }\" <img src='x'/> %% \\n --> B : \e[31m & <script>"
      options: {GO: Go}
    on:
      GO: {guard: 'ctx.n < 1 and "</td>;}--" ~= "{{x}}"', target: B}
  B: {final: true}
)yaml";

TEST(Dot, WordsCannotEndTheirLabel) {
  const std::string dot = to_dot(drawn(hostile));
  EXPECT_THAT(dot, HasSubstr("“]; }\" &lt;img src='x'/&gt; %% \\n --&gt; B</font>"));
  EXPECT_THAT(dot, HasSubstr(": &amp; &lt;script&gt;”</font>"));
  EXPECT_THAT(dot, HasSubstr("GO [ctx.n &lt; 1 and&#160;"));
  EXPECT_THAT(dot, Not(HasSubstr("<img")));
  EXPECT_THAT(dot, Not(HasSubstr("\x1b")));
}

TEST(Mermaid, WordsCannotBecomeStatements) {
  const std::string mermaid = to_mermaid(drawn(hostile));
  EXPECT_THAT(mermaid, HasSubstr("“#93;#59; #125;#34; #60;img src=#39;x#39;/#62; #37;#37; #92;n --"
                                 "#62; B<br/>#58; #38; #60;script#62;”\" as n1\n"));
  EXPECT_THAT(mermaid, HasSubstr("n1 --> n2 : GO #91;ctx.n #60; 1 and<br/>#34;#60;/td#62;#59;#125;"
                                 "--#34; #126;= #34;#123;#123;x#125;#125;#34;#93;\n"));
}

TEST(Dot, DrawsArrowsFromBoxToBox) {
  const std::string dot = to_dot(drawn(R"(
  A:
    initial: B
    on: {again: B, out: C, self: A}
    states:
      B: {on: {up: A}}
  C: {on: {back: A, stop: DONE}}
  DONE: {final: true}
)"));
  // From within: from a port. To the box around: to its beginning, without a border to cut at.
  EXPECT_THAT(dot, HasSubstr("  p1 -> n2 [label=<&#160;again&#160;>]\n"));
  EXPECT_THAT(dot, HasSubstr("  n2 -> n3 [ltail=cluster_1 label=<&#160;out&#160;>]\n"));
  EXPECT_THAT(dot, HasSubstr("  p1 -> s1 [label=<&#160;self&#160;>]\n"));
  EXPECT_THAT(dot, HasSubstr("  s1 -> n2 [dir=back label=<&#160;up&#160;>]\n"));
  // Back: laid out the other way round.
  EXPECT_THAT(dot, HasSubstr("  s1 -> n3 [ltail=cluster_1 dir=back label=<&#160;back&#160;>]\n"));
  EXPECT_THAT(dot, HasSubstr("  {rank=sink; n4}\n"));
}

TEST(Dot, HighlightsAPathAndWhatTestsLeaveOut) {
  const std::map<std::string, std::string> flow = {
      {"flow.yaml",
       "agneto: 1\nname: flow\ninitial: A\nstates:\n  A: {on: {go: B, stop: C}}\n"
       "  B: {final: true}\n  C: {final: true}\n"}};
  Trail trail;
  trail.kind = Trail::Kind::path;
  trail.taken[{"", 0, 0}] = 3;
  const std::string path = to_dot(drawn(flow, 0, trail));
  EXPECT_THAT(path, HasSubstr("n1 -> n2 [color=\"#1d4ed8\" fontcolor=\"#1d4ed8\" penwidth=2.5 "
                              "label=<&#160;go ×3&#160;>]"));
  EXPECT_THAT(path, HasSubstr("n1 -> n3 [color=\"#9ca3af\" fontcolor=\"#9ca3af\" "
                              "label=<&#160;stop&#160;>]"));
  trail.kind = Trail::Kind::coverage;
  const std::string coverage = to_dot(drawn(flow, 0, trail));
  EXPECT_THAT(coverage, HasSubstr("n1 -> n2 [label=<&#160;go ×3&#160;>]"));
  EXPECT_THAT(coverage, HasSubstr("n1 -> n3 [color=\"#dc2626\" fontcolor=\"#dc2626\" penwidth=2.5 "
                                  "label=<&#160;stop never&#160;>]"));
}

// In machines that are drawn within, too; in others it is the box that leads there.
TEST(Dot, ShowsWhereTheRunIs) {
  const std::map<std::string, std::string> flow = {
      {"flow.yaml",
       "agneto: 1\nname: flow\ninitial: A\nstates:\n"
       "  A: {machine: sub.yaml, on: {complete: B, failed: B}}\n  B: {final: true}\n"},
      {"sub.yaml",
       "agneto: 1\nname: sub\ninitial: X\nstates:\n  X: {on: {go: Y}}\n  Y: {final: true}\n"}};
  const auto system = loaded(flow).system;
  const Json instance = {
      {"machine", "flow"},
      {"active", {"A"}},
      {"children", {{"A", {{"machine", "sub"}, {"active", {"X"}}, {"data", nullptr}}}}}};
  const Json whole = to_json(draw(*system, 0, 0, trail_of({}, instance, *system, 0)));
  EXPECT_EQ(whole["states"][0]["active"], true);
  EXPECT_FALSE(whole["states"][1].contains("active"));
  const Json within = to_json(draw(*system, 0, 1, trail_of({}, instance, *system, 0)));
  EXPECT_EQ(within["states"][0]["states"][0]["active"], true);
  EXPECT_FALSE(within["states"][0]["states"][1].contains("active"));
  EXPECT_THAT(to_dot(draw(*system, 0, 1, trail_of({}, instance, *system, 0))),
              HasSubstr("color=\"#1d4ed8\" penwidth=4 class=active label=<<b>X</b>>]"));
  EXPECT_EQ(recorded_instance(nullptr), nullptr);
}

TEST(Mermaid, HasRegionsHistoriesAndPorts) {
  EXPECT_THAT(to_mermaid(drawn(R"(
  A:
    parallel: true
    on: {again: L1}
    states:
      LEFT:
        initial: L1
        states:
          L1: {on: {ping: {do: ctx.n = 1}}}
          BACK: {history: shallow, default: L1}
      RIGHT: {}
)")),
              StartsWith(R"(stateDiagram-v2
  state "A, all at once" as n1 {
    state "anywhere within" as p1
    state "LEFT" as n2 {
      state "L1<br/>ping#58; stays" as n3
      state "BACK<br/>H" as n4
      n4 --> n3
      [*] --> n3
    }
    --
    state "RIGHT" as n5
  }
  [*] --> n1
  p1 --> n3 : again
)"));
}

TEST(Json, SaysAllOfIt) {
  Trail trail;
  trail.kind = Trail::Kind::path;
  trail.taken[{"", 0, 0}] = 1;
  EXPECT_EQ(to_json(drawn({{"flow.yaml",
                            "agneto: 1\nname: flow\ninitial: A\nstates:\n"
                            "  A: {on: {go: B}}\n  B: {final: true, status: aborted}\n"}},
                          0, trail)),
            Json::parse(R"({
    "agneto-graph": 1, "machine": "flow", "file": "flow.yaml", "notes": [], "start": ["A"],
    "states": [
      {"id": "A", "name": "A", "kind": "plain", "notes": [], "file": "flow.yaml", "line": 5,
       "taken": true},
      {"id": "B", "name": "B", "kind": "final", "notes": ["aborted"], "file": "flow.yaml", "line": 6,
       "status": "aborted", "taken": true}],
    "arrows": [
      {"from": "A", "to": ["B"], "kind": "event", "trigger": "go", "guard": "", "internal": false,
       "file": "flow.yaml", "line": 5, "taken": 1}]
  })"));
}

}  // namespace
}  // namespace agneto::graph
