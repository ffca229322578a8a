#include "chart/path.h"

#include <gmock/gmock.h>

namespace agneto::chart {
namespace {

using ::testing::ElementsAre;

TEST(Path, IsWrittenAsItWasRead) {
  for (const char* text :
       {"", "A", "A#3", "A[2]", "SUB#1/PANEL#2[1]/A#3", "SUB/PANEL[1]/A", "A#1/after:2",
        "./after:1", "SUB#1/./after:1", "send:late", "SUB#1/send:a/b#1", "send:#1"}) {
    const auto path = Path::parse(text);
    ASSERT_TRUE(path) << text;
    EXPECT_EQ(path->text(), text);
  }
}

TEST(Path, TellsItsParts) {
  const auto path = Path::parse("SUB#1/PANEL#2[7]/A#3");
  EXPECT_EQ(path->parts, (std::vector<Path::Part>{{"SUB", 1, 0}, {"PANEL", 2, 7}, {"A", 3, 0}}));
  EXPECT_EQ(path->name(), "A");
  EXPECT_THAT(path->items(), ElementsAre(7));
  EXPECT_FALSE(path->is_timer());
  EXPECT_EQ(Path::parse("A#2/after:3")->timer, 3);
  EXPECT_FALSE(Path::parse("A#2/after:3")->of_machine);
  EXPECT_TRUE(Path::parse("SUB#1/./after:3")->of_machine);
  EXPECT_EQ(Path::parse("SUB#1/send:late")->send, "late");
}

TEST(Path, IsNotWhatHasANumberThatIsNone) {
  for (const char* text :
       {"#1",       "A#",        "A#0",         "A#01",          "A#x", "A#1#2", "A[]",  "A[0]",
        "A[2",      "A]",        "A[2]x",       "A[2]#1",        "A/",  "/A",    "A//B", "after:1",
        "A/after:", "A/after:0", "A/after:1/B", "A#99999999999", ".",   "A/.",   "./B"}) {
    EXPECT_FALSE(Path::parse(text)) << text;
  }
}

TEST(Path, LosesItsEntries) {
  EXPECT_EQ(without_entries("SUB#1/PANEL#2[1]/A#3"), "SUB/PANEL[1]/A");
  EXPECT_EQ(without_entries("A#2/after:1"), "A/after:1");
  EXPECT_EQ(without_entries("SUB#4/./after:1"), "SUB/./after:1");
  EXPECT_EQ(without_entries("send:late"), "send:late");
  EXPECT_EQ(without_entries("send:#3"), "send:") << "that is how many were sent before";
  EXPECT_EQ(without_entries("no path!#"), "no path!#");
}

TEST(Path, IsMeantWithoutEntriesOrOuterParts) {
  const char* path = "SUB#1/PANEL#2[1]/A#3";
  for (const char* wanted : {"SUB#1/PANEL#2[1]/A#3", "SUB/PANEL[1]/A", "SUB/PANEL#2[1]/A#3"}) {
    EXPECT_EQ(fit(wanted, path), Fit::whole) << wanted;
  }
  for (const char* wanted : {"A", "A#3", "PANEL[1]/A"}) {
    EXPECT_EQ(fit(wanted, path), Fit::inner) << wanted;
  }
  for (const char* wanted : {"A#2", "PANEL/A", "B", "SUB/A", "X/SUB/PANEL[1]/A", "A/after:1"}) {
    EXPECT_EQ(fit(wanted, path), Fit::none) << wanted;
  }
}

TEST(Path, LeadsIntoAnInstance) {
  EXPECT_TRUE(is_inside("A#1", ""));
  EXPECT_TRUE(is_inside("SUB#1/A#1", "SUB#1"));
  EXPECT_FALSE(is_inside("SUB#1", "SUB#1"));
  EXPECT_FALSE(is_inside("SUB#12/A#1", "SUB#1"));
}

}  // namespace
}  // namespace agneto::chart
