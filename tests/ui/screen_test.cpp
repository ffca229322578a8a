#include "ui/screen.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "ui/paper.h"

namespace agneto::ui {
namespace {

TEST(ScreenTest, WithoutATerminalOneLineEachAndNoStatus) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  screen.line(Styled(Color::red, "one\n  two"), 4);
  screen.status({"working"});
  screen.line("three");
  EXPECT_EQ(paper.read(), "one two\nthree\n");
}

TEST(ScreenTest, RedrawsTheStatusBelowTheLines) {
  Paper paper(terminal);
  Screen screen(paper.file(), paper.style());
  screen.status({"working", "2 calls"});
  EXPECT_EQ(paper.read(), "\x1b[?7lworking\n2 calls\x1b[?7h\r\x1b[1A");
  screen.status({"working", "2 calls"});
  EXPECT_EQ(paper.read(), "") << "what is there already is not drawn again";
  screen.line("one");
  EXPECT_EQ(paper.read(), no_status + "one\n" + status_of({"working", "2 calls"}));
  screen.status({});
  EXPECT_EQ(paper.read(), "\r \x1b[J\r");
}

TEST(ScreenTest, AStatusLineIsCutAndALineWrapped) {
  Paper paper(terminal);
  Screen screen(paper.file(), paper.style());
  screen.status({std::string(120, 'x')});
  EXPECT_EQ(paper.read(), status_of({std::string(98, 'x') + "…"}));
  screen.status({});
  paper.read();
  screen.line(std::string(99, 'a') + " bc", 2);
  EXPECT_EQ(paper.read(), std::string(99, 'a') + "\n  bc\n");
  screen.line(std::string(99, 'a') + " bc", Screen::as_is);
  EXPECT_EQ(paper.read(), std::string(99, 'a') + " bc\n");
}

TEST(ScreenTest, AStatusHasHalfOfTheTerminalAndLosesItsFirstLines) {
  Paper paper(terminal);
  Screen screen(paper.file(), paper.style());
  std::vector<Styled> lines;
  for (int i = 1; i <= 50; ++i) lines.emplace_back(std::to_string(i));
  EXPECT_EQ(screen.status_room(), 20U);
  screen.status(lines);
  EXPECT_THAT(paper.read(), testing::AllOf(testing::StartsWith("\x1b[?7l31\n32\n"),
                                           testing::EndsWith("\n50\x1b[?7h\r\x1b[19A")));
}

TEST(ScreenTest, WhatHappensDuringAQuestionIsShownAfterIt) {
  Paper paper(terminal);
  Screen screen(paper.file(), paper.style());
  screen.status({"working"});
  paper.read();
  screen.hold();
  EXPECT_EQ(paper.read(), no_status);
  screen.line("one");
  screen.status({"waiting"});
  screen.line("two");
  EXPECT_EQ(paper.read(), "");
  screen.write("Really? ");
  EXPECT_EQ(paper.read(), "Really? ");
  screen.release();
  EXPECT_EQ(paper.read(), "one\ntwo\n" + status_of({"waiting"}));
}

TEST(ScreenTest, OwnSymbolsAreAsciiWhereTheLocaleIsNotUtf8) {
  Screen::Style style = terminal;
  style.ascii = true;
  Paper paper(style);
  Screen screen(paper.file(), paper.style());
  screen.line("coder → DONE: Füße …");
  screen.write("👤 Why? ");
  EXPECT_EQ(paper.read(), "coder -> DONE: Füße ..\n? Why? ");
  screen.status({"▶ " + std::string(120, 'x')});
  EXPECT_EQ(paper.read(), status_of({"> " + std::string(96, 'x') + ".."}));
}

class Locale {
 public:
  ~Locale() {
    for (const auto& [name, value] : old_) setenv(name, value.c_str(), 1);
  }
  Locale() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
      if (const char* value = std::getenv(name)) old_.emplace_back(name, value);
      unsetenv(name);
    }
  }

 private:
  std::vector<std::pair<const char*, std::string>> old_;
};

TEST(ScreenTest, TheLocaleThatIsSetSaysWhetherItIsUtf8) {
  Locale none;
  EXPECT_FALSE(Screen::style_of(stdout).ascii) << "nobody says";
  setenv("LANG", "de_DE.utf8", 1);
  EXPECT_FALSE(Screen::style_of(stdout).ascii);
  setenv("LC_CTYPE", "C", 1);
  EXPECT_TRUE(Screen::style_of(stdout).ascii);
  setenv("LC_ALL", "C.UTF-8", 1);
  EXPECT_FALSE(Screen::style_of(stdout).ascii);
  setenv("LC_ALL", "POSIX", 1);
  EXPECT_TRUE(Screen::style_of(stdout).ascii);
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) unsetenv(name);
}

TEST(ScreenTest, EndsWithWhatItKeptBack) {
  Paper paper(terminal);
  {
    Screen screen(paper.file(), paper.style());
    screen.hold();
    screen.line("the last words");
  }
  EXPECT_EQ(paper.read(), "the last words\n");
}

}  // namespace
}  // namespace agneto::ui
