#include "cli/templates.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "lint/lint.h"
#include "play/play_case.h"
#include "play/read_scenario.h"
#include "play/snapshots.h"
#include "script/lua_tests.h"
#include "support/paths.h"

namespace agneto::cli {
namespace {

using testing::ElementsAre;

const fs::path share(AGNETO_SOURCE_DIR);
const fs::path library = share / "scripts" / "lib";

// A template has no fault, and its tests leave nothing out.
TEST(Templates, MakeWhatIsWithoutFault) {
  for (const Template& each : templates(share)) {
    SCOPED_TRACE(each.name);
    EXPECT_NE(each.description, "");
    MemoryFiles files;
    fs::path workflow;
    std::vector<fs::path> tests, hooks_tests;
    for (const NewFile& file : instantiate(share, each.name, "my-flow")) {
      const fs::path path = "/team/.agneto" / file.path;
      files.add(path, file.text);
      if (path.filename() == "my-flow.yaml") workflow = path;
      if (path.string().ends_with(".test.yaml")) tests.push_back(path);
      if (path.string().ends_with(".test.lua")) hooks_tests.push_back(path);
      EXPECT_EQ(file.text.find("my_workflow"), std::string::npos) << path;
    }
    class Both : public Files {
     public:
      explicit Both(const MemoryFiles& memory) : memory_(memory) {}
      std::optional<std::string> read(const fs::path& path) const override {
        auto text = memory_.read(path);
        return text ? text : Disk().read(path);
      }

     private:
      const MemoryFiles& memory_;
    } both(files);
    EXPECT_EQ(render(lint::lint(workflow, both, library).diagnostics), "");

    for (const fs::path& test : hooks_tests) {
      const script::LuaTests lua(both, test, library);
      for (const std::string& name : lua.names()) {
        EXPECT_EQ(lua.run(name).value_or(""), "") << test << " " << name;
      }
    }
    ASSERT_FALSE(tests.empty());
    play::Coverage coverage;
    for (const fs::path& test : tests) {
      Diagnostics diagnostics;
      const auto source = std::make_shared<Source>(test.string(), files.read(test).value_or(""));
      const auto suite = play::read_suite(test, source, files, library, diagnostics);
      ASSERT_TRUE(suite) << render(diagnostics);
      const auto played = play::load_workflow(suite->workflow, both, library, diagnostics);
      ASSERT_EQ(render(diagnostics), "");
      play::check_suite(*suite, *played.loaded.system, diagnostics);
      ASSERT_EQ(render(diagnostics), "");
      coverage.add(played.loaded.system);
      const play::Snapshots snapshots(both, test);
      EXPECT_EQ(snapshots.page_before().find("agneto.test"), std::string::npos) << test;
      for (const auto& row : suite->cases) {
        auto result = play::play_case(row, played, &coverage);
        for (auto& failure : snapshots.differences(result)) {
          result.failures.push_back(std::move(failure));
        }
        for (const auto& failure : result.failures) {
          ADD_FAILURE() << row.name.text << "\n" << render(failure.diagnostic);
        }
      }
    }
    for (const auto& [file, of] : coverage.machines()) {
      EXPECT_THAT(play::missing(of), ElementsAre()) << file;
    }
  }
}

TEST(Templates, AreListed) {
  std::vector<std::string> names;
  for (const Template& each : templates(share)) names.push_back(each.name);
  EXPECT_THAT(names, ElementsAre("agneto", "minimal", "pipeline", "review"));
}

std::string refusal(const std::string& from, const std::string& name) {
  try {
    instantiate(share, from, name);
  } catch (const Error& error) {
    return std::string(error.what()) + "\n" + error.help();
  }
  return "";
}

TEST(Templates, RefuseWhatIsNoName) {
  const std::string help =
      "a name begins with a letter or _, and has letters, digits, _ and - only";
  EXPECT_EQ(refusal("minimal", "../x"), "a workflow cannot be called '../x'\n" + help);
  EXPECT_EQ(refusal("minimal", "a.b"), "a workflow cannot be called 'a.b'\n" + help);
  EXPECT_EQ(refusal("minimal", "1st"), "a workflow cannot be called '1st'\n" + help);
  EXPECT_EQ(refusal("minmal", "x"), "there is no template 'minmal'\ndid you mean 'minimal'?");
  EXPECT_EQ(refusal("../templates/minimal", "x"),
            "there is no template '../templates/minimal'\n"
            "known templates: agneto, minimal, pipeline, review");
}

TEST(Templates, TakeTheNameInPathsToo) {
  std::vector<std::string> paths;
  for (const NewFile& file : instantiate(share, "minimal", "triage")) {
    paths.push_back(file.path.string());
  }
  EXPECT_THAT(paths, ElementsAre("scripts/triage/worker.lua", "scripts/triage/worker.test.lua",
                                 "workflows/triage.test.yaml", "workflows/triage.yaml"));
}

}  // namespace
}  // namespace agneto::cli
