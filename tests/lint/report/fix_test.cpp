#include "lint/report/fix.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "lint/report/format.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::lint {
namespace {

const std::string machine = R"yaml(agneto: 1
name: flow
context: {tries: 0}
initial: WORKING
states:
  WORKING:
    run: {argv: [make]}
    on:
      ok: DNOE
      failed:
        - {guard: ctx.tires < 3, target: WORKING, do: ctx.tries = ctx.tries + 1}
        - DONE
  DONE: {final: true}
)yaml";

Fixed fixed(const Files& files, const std::string& path = "/team/flow.yaml") {
  return fix([&](const Files& now) { return report({path}, now, "/lib", Policy()); }, files);
}

MemoryFiles with(const std::string& text) {
  return MemoryFiles({{"/team/flow.yaml", text}});
}

// The misspelt name is looked for once the target is right.
TEST(Fix, GoesOnUntilNothingIsLeft) {
  const Fixed result = fixed(with(machine));
  EXPECT_THAT(result.steps,
              ::testing::ElementsAre(
                  "/team/flow.yaml:9:11: wrote 'DONE' for 'DNOE' [E203/undefined-target]",
                  "/team/flow.yaml:11:23: wrote 'tries' for 'tires' [W307/undefined-name]"));
  EXPECT_THAT(result.report.findings, ::testing::IsEmpty());
  const Correction& correction = result.files.at("/team/flow.yaml");
  EXPECT_EQ(correction.before, machine);
  EXPECT_EQ(fixed(with(correction.after)).steps, std::vector<std::string>());
}

TEST(Fix, LeavesANameThatCouldBeTwo) {
  std::string text = machine;
  text.replace(text.find("DNOE"), 4, "DON");
  text += "  DONT: {final: true}\n";
  EXPECT_THAT(fixed(with(text)).files, ::testing::IsEmpty());
}

TEST(Fix, LeavesANameThatMayBeMeant) {
  for (const auto& [wrong, right] :
       std::map<std::string, std::string>{{"STEP_2", "STEP_1"},
                                          {"UNDONE", "DONE"},
                                          {"PLANS", "PLAN"},
                                          {"NO", "GO"},
                                          {"DEPLOY_EU", "DEPLOY_US"},
                                          {"NOTIFY_ON", "NOTIFY_OFF"},
                                          {"CHECK_IN_NOW", "CHECK_ON_NOW"}}) {
    const std::string text = "agneto: 1\nname: flow\ninitial: A\nstates:\n  A: {on: {go: " + wrong +
                             ", ho: " + right + "}}\n  " + right + ": {final: true}\n";
    EXPECT_THAT(fixed(with(text)).files, ::testing::IsEmpty()) << wrong;
  }
}

TEST(Fix, IndentsAllLinesOfABlockThatHasTabs) {
  MemoryFiles files;
  files.add("/team/flow.yaml",
            "agneto: 1\r\nname: flow\ninitial: A\nstates:\n  A:\n\t\trun: {argv: [make]}\r\n"
            "\t\ton:\n\t\t\tok: B\n\t\t\tfailed: B\n  B: {final: true}\n");
  const Fixed result = fixed(files);
  EXPECT_EQ(result.files.at("/team/flow.yaml").after,
            "agneto: 1\r\nname: flow\ninitial: A\nstates:\n  A:\n    run: {argv: [make]}\r\n"
            "    on:\n      ok: B\n      failed: B\n  B: {final: true}\n");
  EXPECT_THAT(result.steps,
              ::testing::ElementsAre("/team/flow.yaml:6:1: indented 4 lines anew [E106/yaml-tab]"));
}

TEST(Fix, LeavesWhatIsSuppressed) {
  const std::string text = R"yaml(agneto: 1
name: flow
context: {tries: 0}
initial: WORKING
states:
  WORKING:
    # lint: ignore undefined-name, undecided -- somebody else declares it
    always: {guard: ctx.tries < 3 and ctx.tires < 3, target: DONE}
  DONE: {final: true}
)yaml";
  EXPECT_THAT(fixed(with(text)).files, ::testing::IsEmpty());
}

TEST(Fix, KeepsEndsOfLinesModesAndLinks) {
  const agneto::testing::TemporaryFolder folder;
  std::string text;
  for (const char c : machine) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  write_file(folder / "real.yaml", text);
  ASSERT_EQ(::chmod((folder / "real.yaml").c_str(), 0640), 0);
  fs::create_symlink("real.yaml", folder / "flow.yaml");
  const Disk disk;
  write(fixed(disk, folder / "flow.yaml").files, disk);

  std::string right = text;
  right.replace(right.find("DNOE"), 4, "DONE");
  right.replace(right.find("tires"), 5, "tries");
  EXPECT_EQ(disk.read(folder / "real.yaml"), right);
  EXPECT_TRUE(fs::is_symlink(folder / "flow.yaml"));
  EXPECT_EQ(static_cast<unsigned>(fs::status(folder / "real.yaml").permissions()), 0640U);
}

TEST(Fix, LeavesAFileThatSomebodyElseChanged) {
  const Fixed result = fixed(with(machine));
  EXPECT_EQ(agneto::testing::error_of([&] { write(result.files, with(machine + "\n")); }),
            "'/team/flow.yaml' was changed while it was looked at\n"
            "nothing was written; run it again");
}

TEST(Fix, KeepsCommentsAndWhatElseIsThere) {
  const std::string text = R"yaml(# Ours.
agneto: 1
name:   flow  # as it was
initial: WORKING
states:
  WORKING:
    run: {argv: [make, 'a  b']}

    on: {ok: DNOE, failed: DONE}  # DNOE is not this
  DONE: {final: true}   # lint: ignore dead-end -- it is the end
)yaml";
  std::string right = text;
  right.replace(right.find("DNOE"), 4, "DONE");
  right.erase(right.find("lint: "), std::string("lint: ignore dead-end -- ").size());
  EXPECT_EQ(fixed(with(text)).files.at("/team/flow.yaml").after, right);
}

// A rule whose edit does not fit is this program's mistake; the file is not to suffer.
TEST(Fix, LeavesAFileThatItWouldSpoil) {
  const auto lint = [](const Files& files) {
    Report found = report({"/team/flow.yaml"}, files, "/lib", Policy());
    for (Finding& finding : found.findings) {
      if (finding.diagnostic.fix) finding.diagnostic.fix->text = "[DONE";
    }
    return found;
  };
  const Fixed result = fix(lint, with(machine));
  EXPECT_THAT(result.files, ::testing::IsEmpty());
  EXPECT_THAT(result.steps, ::testing::IsEmpty());
  EXPECT_EQ(result.report.errors, 1U);
}

// What a mistake hides comes to light once it is corrected.
TEST(Fix, GoesOnWhereMoreIsFoundAfterwards) {
  const Fixed result =
      fixed(with("agneto: 1\nname: flow\ninitial: A\nstates:\n\tA: {always: NOWHERE}\n"
                 "  B: {always: NEVER}\n"));
  EXPECT_EQ(result.files.at("/team/flow.yaml").after,
            "agneto: 1\nname: flow\ninitial: A\nstates:\n  A: {always: NOWHERE}\n"
            "  B: {always: NEVER}\n");
  EXPECT_EQ(result.report.errors, 2U);
}

TEST(Fix, WritesNothingWhereOneOfTheFilesWasChanged) {
  const agneto::testing::TemporaryFolder folder;
  const Disk disk;
  write_file(folder / "a", "was");
  write_file(folder / "b", "is");
  const Corrections corrections = {{folder / "a", {"was", "will be"}},
                                   {folder / "b", {"was", "will be"}}};
  EXPECT_EQ(agneto::testing::error_of([&] { write(corrections, disk); }),
            "'" + (folder / "b").string() +
                "' was changed while it was looked at\nnothing was written; run it again");
  EXPECT_EQ(disk.read(folder / "a"), "was");
}

TEST(Fix, WritesNothingWhereOneOfTheFilesIsReadOnly) {
  const agneto::testing::TemporaryFolder folder;
  const Disk disk;
  Corrections corrections;
  for (const char* name : {"a", "b", "c"}) {
    write_file(folder / name, "was");
    corrections[folder / name] = {"was", "will be"};
  }
  const std::string at = folder.path().string() + "/";
  const std::string read_only =
      ": read-only, or in a folder that is\n"
      "nothing was written; make that writable, or name the other files alone";
  ASSERT_EQ(::chmod((folder / "b").c_str(), 0444), 0);
  EXPECT_EQ(agneto::testing::error_of([&] { write(corrections, disk); }),
            "cannot write '" + at + "b'" + read_only);
  ASSERT_EQ(::chmod((folder / "c").c_str(), 0400), 0);
  EXPECT_EQ(agneto::testing::error_of([&] { write(corrections, disk); }),
            "cannot write '" + at + "b', '" + at + "c'" + read_only);
  EXPECT_EQ(disk.read(folder / "a"), "was");
}

// What cannot be foreseen: no name is left for the file that is written beside it.
TEST(Fix, SaysWhatWasWrittenAndWhatNot) {
  const agneto::testing::TemporaryFolder folder;
  const Disk disk;
  const std::string long_name(255, 'b');
  Corrections corrections;
  for (const std::string& name : {std::string("a"), long_name, std::string("c")}) {
    std::ofstream(folder / name) << "was";
    corrections[folder / name] = {"was", "will be"};
  }
  const std::string at = folder.path().string() + "/";
  const std::string cause = "cannot write '" + at + long_name + "': File name too long\n";
  const std::string rest = "not written: '" + at + long_name + "', '" + at + "c'";
  EXPECT_EQ(agneto::testing::error_of([&] { write(corrections, disk); }),
            cause + rest + "; written before: '" + at + "a'");
  corrections.erase(folder / "a");
  EXPECT_EQ(agneto::testing::error_of([&] { write(corrections, disk); }), cause + rest);
  EXPECT_EQ(disk.read(folder / "a"), "will be");
  EXPECT_EQ(disk.read(folder / "c"), "was");
}

TEST(Fix, KeepsTheReasonInABlockOfLua) {
  const auto flow = [](const std::string& comment) {
    return "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    entry: |\n      " + comment +
           "\n      log('in')\n    run: {argv: [make]}\n    on: {ok: END, failed: END}\n"
           "  END: {final: true}\n";
  };
  const Fixed result = fixed(with(flow("-- lint: ignore bare-word -- as it is")));
  EXPECT_EQ(result.files.at("/team/flow.yaml").after, flow("-- as it is"));
  EXPECT_THAT(result.steps,
              ::testing::ElementsAre("/team/flow.yaml:7:7: wrote '-- as it is' for '-- lint: "
                                     "ignore bare-word -- as it is' [W132/unused-suppression]"));
}

}  // namespace
}  // namespace agneto::lint
