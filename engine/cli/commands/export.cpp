// agneto export

#include "cli/commands.h"
#include "cli/export_formats.h"

namespace agneto::cli {
namespace {

struct ExportOptions {
  std::string run;
  std::string format = "json";
  std::string file;
};

}  // namespace

void add_export(Program& program) {
  auto options = std::make_shared<ExportOptions>();
  CommandLine& command = program.add_command(
      "export", "Write all of a run as one document: prompts, replies, answers, commits, cost");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add(
      "--format", &options->format,
      "json: all of it; markdown: a summary for people; cassette: for 'agneto run "
      "--cassette'; scenario: a test for 'agneto test'",
      {.choices = {"json", "markdown", "cassette", "scenario"}, .shown_default = options->format});
  command.add("-o,--output", &options->file, "Write this file (default: standard output)");
  command.footer = R"(Examples:
  agneto export last -o run.json
  agneto export last --format markdown > run.md
  agneto export last --format cassette -o again.yaml
  agneto export last --format scenario -o .agneto/workflows/mine.test.yaml
  agneto export last | jq -r '.calls[].attempts[].prompt'

Keys, tokens and passwords are left out. docs/export.md describes the JSON.)";
  command.action = [options](const Context& context) {
    return write_export(context, options->run, options->format, options->file);
  };
}

}  // namespace agneto::cli
