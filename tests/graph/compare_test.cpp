#include <gmock/gmock.h>

#include "graph/drawing.h"

namespace agneto::graph {
namespace {

constexpr const char* base = R"yaml(agneto: 1
name: base
initial: A
states:
  A: {run: {argv: [make]}, on: {ok: B, failed: C, error: C}}
  B: {run: {argv: [test]}, on: {any: C}}
  C: {final: true}
)yaml";

Picture changed(const std::string& changes) {
  const Picture before = drawn({{"flow.yaml", base}});
  const Picture after =
      drawn({{"base.yaml", base},
             {"flow.yaml", "agneto: 1\nextends: base.yaml\nname: flow\n" + changes}});
  return compare(before, after);
}

std::string nodes(const Node& of) {
  std::string text;
  for (const Node& node : of.children) {
    if (node.change != Change::none)
      text += node.id + " " + std::string(to_text(node.change)) + "\n";
    text += nodes(node);
  }
  return text;
}

std::string arrows(const Picture& picture) {
  std::string text;
  for (const Arrow& arrow : picture.arrows) {
    if (arrow.change == Change::none) continue;
    text += std::string(to_text(arrow.change)) + " " + arrow.from + " " + arrow.trigger + " " +
            (arrow.to.empty() ? "" : arrow.to.front()) + "\n";
  }
  return text;
}

TEST(Compare, NothingIsDifferentOfTheSame) {
  const Picture picture = changed("");
  EXPECT_EQ(nodes(picture.root), "");
  EXPECT_EQ(arrows(picture), "");
  EXPECT_TRUE(picture.compared);
}

TEST(Compare, SaysWhatIsAddedChangedAndRemoved) {
  const Picture picture = changed(R"yaml(states:
  A: {run: {argv: [make, all]}, on: {ok: D}}
  B: null
  D: {run: {argv: [lint]}, on: {any: C}}
)yaml");
  EXPECT_EQ(nodes(picture.root), "A changed\nD added\nB removed\n");
  EXPECT_EQ(arrows(picture), "added A ok D\nadded D any C\nremoved A ok B\nremoved B any C\n");
}

TEST(Compare, IsSeenInWhatIsWritten) {
  const Picture picture = changed("states: {B: null, A: {on: {ok: C}}}\n");
  EXPECT_THAT(to_mermaid(picture), testing::EndsWith("  class n1 run\n  class n1 pale\n"
                                                     "  class n2 complete\n  class n2 pale\n"
                                                     "  class n3 run\n  class n3 removed\n"));
  EXPECT_THAT(to_mermaid(picture), testing::HasSubstr("n1 --> n2 : + ok"));
  EXPECT_THAT(to_mermaid(picture), testing::HasSubstr("n1 --> n3 : - ok"));
  EXPECT_THAT(to_dot(picture), testing::HasSubstr("color=\"#15803d\""));
  EXPECT_EQ(to_json(picture)["states"][2]["change"], "removed");
  EXPECT_FALSE(to_json(picture)["states"][0].contains("change"));
}

}  // namespace
}  // namespace agneto::graph
