#include "cli/command_line.h"

#include <gtest/gtest.h>

#include "cli/commands.h"

namespace agneto::cli {
namespace {

using Words = std::vector<std::string>;

// "message | help" of what is wrong with the command line; "" where nothing is.
std::string wrong(const Words& arguments) {
  Program program;
  describe(program);
  try {
    parse(program, arguments);
  } catch (const Error& found) {
    return std::string(found.what()) + " | " + found.help();
  }
  return "";
}

TEST(CommandLineTest, ATaskWithoutQuotes) {
  EXPECT_EQ(wrong({"run", "fix", "the", "bug"}),
            "run takes one TASK, but was given 3 words | quote it: agneto run \"fix the bug\"");
  EXPECT_EQ(wrong({"run", "say", "\"hi\"", "for", "$5"}),
            "run takes one TASK, but was given 4 words | quote it: agneto run \"say \\\"hi\\\" "
            "for \\$5\"");
  EXPECT_EQ(wrong({"run", "fix the bug"}), "");
}

TEST(CommandLineTest, AnUnknownOption) {
  EXPECT_EQ(wrong({"run", "it", "--auto-merg"}),
            "run has no option '--auto-merg' | did you mean '--auto-merge'?; see 'agneto run "
            "--help'");
  EXPECT_EQ(wrong({"runs", "--jsn=1"}),
            "runs has no option '--jsn' | did you mean '--json'?; see 'agneto runs --help'");
}

TEST(CommandLineTest, AServerForCommandsThatWorkOnFiles) {
  EXPECT_EQ(wrong({"graph", "--server", "https://there"}),
            "'agneto graph' works on files here | leave --server out");
  EXPECT_EQ(wrong({"runs", "--server", "https://there"}), "");
}

TEST(CommandLineTest, AServerMayBeNamedBeforeTheCommand) {
  EXPECT_EQ(with_server_behind({"--server", "u", "--token-file=f", "runs", "--json"}),
            Words({"runs", "--server", "u", "--token-file=f", "--json"}));
  EXPECT_EQ(with_server_behind({"runs", "--server", "u"}), Words({"runs", "--server", "u"}));
  EXPECT_EQ(with_server_behind({"--server", "u"}), Words({"--server", "u"}));
  EXPECT_EQ(with_server_behind({"--server"}), Words({"--server"}));
}

TEST(CommandLineTest, OptionsOfACassetteGoWithIt) {
  const std::string help = " | see 'agneto run --help'";
  for (const Words& options : {Words{"--fuzzy"}, Words{"--speed", "2"}, Words{"--fault", "hang@A"},
                               Words{"--interactive"}}) {
    Words words = {"run", "it"};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_EQ(wrong(words), options[0] + " requires --cassette" + help);
    words.insert(words.end(), {"--cassette", "c.yaml"});
    EXPECT_EQ(wrong(words), "");
  }
  for (const Words& options : {Words{"--agent", "claude"}, Words{"--model", "large"}}) {
    EXPECT_EQ(wrong({"run", "it", "--cassette", "c.yaml", options[0], options[1]}),
              options[0] + " excludes --cassette" + help);
  }
  const Words interactive = {"run", "it", "--cassette", "c.yaml", "--interactive"};
  const auto with = [&](const std::string& option) {
    Words words = interactive;
    words.push_back(option);
    return wrong(words);
  };
  EXPECT_EQ(with("--non-interactive"), "--non-interactive excludes --interactive" + help);
  EXPECT_EQ(with("--json"), "--interactive excludes --json" + help);
}

TEST(CommandLineTest, MoreThanACommandTakes) {
  EXPECT_EQ(wrong({"show", "a", "b"}),
            "show takes one RUN, but was given a, b | see 'agneto show --help'");
  EXPECT_EQ(wrong({"runs", "last"}),
            "runs takes nothing more, but was given 'last' | see 'agneto runs --help'");
  EXPECT_EQ(wrong({"answer", "last", "--", "APPROVED"}), "");
}

TEST(CommandLineTest, NoCommandAndAnUnknownOne) {
  EXPECT_EQ(wrong({"rum"}), "there is no command 'rum' | did you mean 'run'?");
  const std::string all =
      " | the commands are run, submit, serve, worker, workers, mcp, wait, token, schedules, "
      "resume, runs, show, "
      "log, diff, "
      "clean, doctor, export, import, record, "
      "answer, "
      "send, suspend, abort, rewind, retry, fork, new, list, add, update, remove, vendor, lint, "
      "explain, lsp, simulate, graph, test, "
      "replay; 'agneto --help' has examples";
  EXPECT_EQ(wrong({"examine"}), "there is no command 'examine'" + all);
  EXPECT_EQ(wrong({}), "no command was given" + all);
}

TEST(CommandLineTest, HelpAsACommand) {
  EXPECT_EQ(without_help_command({"help"}), Words({"--help"}));
  EXPECT_EQ(without_help_command({"help", "run"}), Words({"run", "--help"}));
  EXPECT_EQ(without_help_command({"run", "help"}), Words({"run", "help"}));
  EXPECT_EQ(without_help_command({}), Words({}));
}

}  // namespace
}  // namespace agneto::cli
