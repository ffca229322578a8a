// agneto record

#include "cli/export_formats.h"

namespace agneto::cli {

void add_record(Program& program) {
  struct Options {
    std::string run, file;
  };
  auto options = std::make_shared<Options>();
  CommandLine& command =
      program.add_command("record", "Make a cassette of a run, for 'agneto run --cassette'");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("-o,--output", &options->file, "Write this file (default: standard output)");
  command.footer = R"(Examples:
  agneto record last -o again.yaml
  agneto run "add a --shout flag" --cassette again.yaml
  agneto run "add a --shout flag" --cassette again.yaml --fault hang@IMPLEMENTING

What each agent was asked and said, what it changed, and how long it took; a person's answers.
Keys, tokens and passwords are left out. 'agneto run --record FILE' does the same at the run's end.)";
  command.action = [options](const Context& context) {
    return write_export(context, options->run, "cassette", options->file);
  };
}

}  // namespace agneto::cli
