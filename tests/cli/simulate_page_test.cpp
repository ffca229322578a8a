// docs/simulate.md says nothing that is not so: its example is played.

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>

#include "base/files.h"
#include "model/load.h"
#include "play/simulator.h"
#include "script/evaluator.h"
#include "support/paths.h"
#include "ui/paper.h"
#include "ui/simulation.h"

namespace agneto::cli {
namespace {

const fs::path page_file = fs::path(AGNETO_SOURCE_DIR) / "docs" / "simulate.md";

// The one block of that kind, where it stands in the page.
struct Block {
  std::size_t begin;
  std::string text;
};
Block block(const std::string& page, const std::string& kind) {
  const std::string opening = "\n```" + kind + "\n";
  const std::size_t begin = page.find(opening) + opening.size();
  return {begin, page.substr(begin, page.find("```", begin) - begin)};
}

// After a change of what is printed, with AGNETO_UPDATE in the environment: writes what it is now.
TEST(SimulatePage, SaysWhatIsPrinted) {
  std::string page = Disk().read(page_file).value_or("");
  Diagnostics diagnostics;
  const MemoryFiles files({{"flow.yaml", block(page, "yaml").text}});
  const model::Loaded loaded = model::load("flow.yaml", files, diagnostics);
  ASSERT_EQ(render(diagnostics), "");
  const auto evaluator = script::make_evaluator(*loaded.system, diagnostics);

  ui::Paper paper;
  ui::Screen screen(paper.file(), paper.style());
  ui::SimulationText text(screen, *loaded.system);
  Json last;
  play::Simulator simulator(*loaded.system, *evaluator, {}, [&](const play::Macrostep& step) {
    text.show(step);
    last = to_json(step, *loaded.system);
  });
  simulator.start(Json::object());
  int number = 0;
  const std::string events = block(page, "events").text;
  for (const std::string_view line : split_lines(events)) {
    ++number;
    if (const auto input = play::parse_input(line)) simulator.input(*input, number);
  }

  const std::map<std::string, std::string> printed = {
      {"text", std::string(trim(paper.read())) + "\n"}, {"json", last.dump(2) + "\n"}};
  for (const auto& [kind, expected] : printed) {
    const Block found = block(page, kind);
    if (std::getenv("AGNETO_UPDATE")) {
      page.replace(found.begin, found.text.size(), expected);
      write_file(page_file, page);
    } else {
      EXPECT_EQ(found.text, expected);
    }
  }
}

}  // namespace
}  // namespace agneto::cli
