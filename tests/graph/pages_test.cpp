// docs/graph.md, and the diagrams in docs/, are as the command writes them. After a change, with
// AGNETO_UPDATE in the environment, they are written; the SVGs are then made anew by
// `dot -Tsvg docs/diagrams/NAME.dot -o docs/diagrams/NAME.svg`.

#include <gtest/gtest.h>

#include <cstdlib>

#include "graph/drawing.h"
#include "support/paths.h"

namespace agneto::graph {
namespace {

const fs::path docs = fs::path(AGNETO_SOURCE_DIR) / "docs";

TEST(Pages, TheBundledMachinesAreDrawnAsTheyAre) {
  for (const std::string name : {"agneto", "execution"}) {
    const fs::path file = docs / "diagrams" / (name + ".dot");
    Diagnostics diagnostics;
    const auto workflow = model::load(fs::path(AGNETO_SOURCE_DIR) / "workflows" / (name + ".yaml"),
                                      Disk(), diagnostics);
    ASSERT_EQ(render(diagnostics), "");
    const std::string dot = to_dot(draw(*workflow.system, 0, 0, {}));
    if (std::getenv("AGNETO_UPDATE")) write_file(file, dot);
    EXPECT_EQ(Disk().read(file).value_or(""), dot) << name;
  }
}

// The block of that kind: where it stands, and what is in it.
std::pair<std::size_t, std::string> block(const std::string& page, const std::string& kind) {
  const std::string opening = "\n```" + kind + "\n";
  const std::size_t begin = page.find(opening) + opening.size();
  return {begin, page.substr(begin, page.find("```", begin) - begin)};
}

TEST(Pages, GraphSaysWhatIsWritten) {
  std::string page = Disk().read(docs / "graph.md").value_or("");
  const Picture picture =
      drawn(std::map<std::string, std::string>{{"flow.yaml", block(page, "yaml").second}});
  Json json = to_json(picture);
  json["states"] = Json::array({json["states"][0]});
  json["arrows"] = Json::array({json["arrows"][0]});
  const std::map<std::string, std::string> written = {{"mermaid", to_mermaid(picture)},
                                                      {"json", json.dump(2) + "\n"}};
  for (const auto& [kind, expected] : written) {
    const auto [begin, text] = block(page, kind);
    if (std::getenv("AGNETO_UPDATE")) page.replace(begin, text.size(), expected);
    EXPECT_EQ(block(page, kind).second, expected);
  }
  if (std::getenv("AGNETO_UPDATE")) write_file(docs / "graph.md", page);
}

}  // namespace
}  // namespace agneto::graph
