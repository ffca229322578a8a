// What runs need, and what a machine has for them.
#include "run/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "journal/holds.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

TEST(LabelsTest, AreWordsThatSomebodyCanChoose) {
  for (const char* label : {"gpu", "linux-arm64", "team_a.2", "7"}) EXPECT_TRUE(is_label(label));
  for (const char* text : {"", "GPU", "-gpu", ".gpu", "a b", "a/b", "a:b", "gr\xc3\xbcn"}) {
    EXPECT_FALSE(is_label(text)) << text;
  }
  EXPECT_TRUE(is_label(std::string(60, 'x')));
  EXPECT_FALSE(is_label(std::string(61, 'x')));
}

TEST(LabelsTest, OfAFolderAreNoLabelsThatSomebodyCanChoose) {
  const std::string label = label_of_folder("/home/me/project");
  EXPECT_EQ(label, journal::this_host() + ":/home/me/project");
  EXPECT_TRUE(is_of_folder(label));
  EXPECT_FALSE(is_label(label));
  EXPECT_FALSE(is_of_folder("kit/mine"));
}

TEST(LabelsTest, ARunNeedsItsProvidersAndWhatWasChosen) {
  const testing::TemporaryFolder folder;
  record::RunOptions options;
  options.providers = {{"coder", "codex"}, {"reviewer", "kit/mine"}, {"planner", "codex"}};
  EXPECT_THAT(needs_of(options, folder.path(), {"gpu"}), ElementsAre("codex", "gpu", "kit/mine"))
      << "its journal is a file, so that it is of its folder anyway";
  options.hub = "ssh://git@example.com/team/project.git";
  EXPECT_THAT(needs_of(options, folder.path(), {}), ElementsAre("codex"))
      << "a package's driver travels along";
}

TEST(LabelsTest, AMachineHasTheProvidersWhoseProgramsAreThere) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path drivers = folder.path() / "share/scripts/providers";
  std::filesystem::create_directories(drivers);
  const auto write = [&](const char* name, const char* program) {
    std::ofstream(drivers / name) << "return {program = \"" << program
                                  << "\", command = function() return {} end, "
                                     "event = function() end}\n";
  };
  write("here.lua", "sh");
  write("away.lua", "no-such-program-of-anybody");
  Resources resources;
  resources.share = folder.path() / "share";
  const auto programs = callable_providers(folder.path(), resources);
  ASSERT_TRUE(programs.contains("here"));
  EXPECT_EQ(programs.at("here"), process::find_program("sh"));
  EXPECT_FALSE(programs.contains("away"));
}

}  // namespace
}  // namespace agneto::run
